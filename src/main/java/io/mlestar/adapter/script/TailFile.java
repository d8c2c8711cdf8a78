package io.mlestar.adapter.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Keeps the end of an endless stream on disk (REQ-EX-038): two files of half the size are filled in turn, so memory stays
/// flat and the score line and the traceback, which stand at the end, are kept.
final class TailFile {
    private static final int BLOCK = 1 << 20;
    /// As long as nothing that is wanted will be.
    private static final int OVERLAP = 1 << 12;
    private final Path older;
    private final Path newer;
    private final long half;
    private final AtomicLong total = new AtomicLong();

    TailFile(Path file, long most) {
        newer = file;
        older = file.resolveSibling(file.getFileName() + ".older");
        half = most / 2;
    }

    /// Copies the stream to its end, or to its being closed.
    void copy(InputStream in) {
        byte[] buffer = new byte[1 << 15];
        OutputStream out = null;
        try {
            out = Files.newOutputStream(newer);
            long written = 0;
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                if (written + length > half) {
                    out.close();
                    Files.move(newer, older, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
                    out = Files.newOutputStream(newer);
                    written = 0;
                }
                out.write(buffer, 0, length);
                written += length;
                total.addAndGet(length);
            }
        } catch (IOException e) {
            // The process is gone and its pipe with it, or the disk is full: what was written stays.
        } finally {
            closeQuietly(out);
        }
    }

    /// The last `most` bytes as text, with a first line that says so if something is missing.
    String tail(int most) throws IOException {
        return tail(most, text -> Optional.empty());
    }

    /// The same; of what is missing, the last thing that `wanted` finds is kept if the rest has none.
    String tail(int most, Function<String, Optional<String>> wanted) throws IOException {
        long begin = Math.max(0, size(older) + size(newer) - most);
        String text = text(begin, most);
        long missing = total.get() - (size(older) + size(newer) - begin);
        if (missing <= 0) {
            return text;
        }
        Optional<String> kept = wanted.apply(text).isPresent() ? Optional.empty() : lastBefore(begin, wanted);
        return "[the output was cut: " + missing + " bytes are missing here" + kept.map(line -> ", but for one line]\n" + line + "\n").orElse("]\n") + text;
    }

    /// Block by block, so that memory stays flat; what begins in one and ends in the next is found too.
    private Optional<String> lastBefore(long end, Function<String, Optional<String>> wanted) throws IOException {
        Optional<String> found = Optional.empty();
        for (long to = end; to > 0 && found.isEmpty(); to -= BLOCK) {
            long from = Math.max(0, to - BLOCK);
            found = wanted.apply(text(from, (int) (to - from) + OVERLAP));
        }
        return found;
    }

    /// The last whole lines of what has come, while more may come; empty if it cannot be read just now.
    String soFar(int most) {
        try {
            ByteBuffer end = ByteBuffer.allocate((int) Math.min(size(newer), most));
            read(newer, size(newer) - end.capacity(), end);
            String text = new String(end.array(), 0, end.position(), StandardCharsets.UTF_8);
            String whole = total.get() > most ? text.substring(text.indexOf('\n') + 1) : text;
            return whole.isEmpty() || whole.endsWith("\n") ? whole : whole + "\n";
        } catch (IOException e) {
            return "";
        }
    }

    /// What is stored from there on, as far as so many bytes go.
    private String text(long from, int most) throws IOException {
        long border = size(older);
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(most, border + size(newer) - from));
        read(older, from, buffer);
        read(newer, Math.max(0, from - border), buffer);
        return new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8);
    }

    private static long size(Path file) throws IOException {
        return Files.exists(file) ? Files.size(file) : 0;
    }

    /// Reads until the buffer is full, or the file ends.
    private static void read(Path file, long from, ByteBuffer into) throws IOException {
        if (from < size(file)) {
            try (SeekableByteChannel channel = Files.newByteChannel(file).position(from)) {
                while (into.hasRemaining() && channel.read(into) >= 0) {
                    // More may come with the next one.
                }
            }
        }
    }

    private static void closeQuietly(@Nullable OutputStream out) {
        try {
            if (out != null) {
                out.close();
            }
        } catch (IOException e) {
            // As above: what was written stays.
        }
    }
}
