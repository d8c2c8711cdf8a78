package io.mlestar.adapter.script;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/// Keeps the end of an endless stream in a ring buffer on disk (REQ-EX-038), so memory stays flat,
/// and the score line and the traceback, which stand at the end, are kept.
final class TailFile {
    private static final int BLOCK = 1 << 20;
    /// Longer than anything that is searched for.
    private static final int OVERLAP = 1 << 12;
    private final Path file;
    private final long size;
    private final AtomicLong total = new AtomicLong();

    TailFile(Path file, long size) {
        this.file = file;
        this.size = size;
    }

    /// Copies the stream until it ends or is closed.
    void copy(InputStream in) {
        byte[] bytes = new byte[1 << 15];
        try (SeekableByteChannel out =
                Files.newByteChannel(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
                for (int done = 0; done < length;) {
                    long at = total.get() % size;
                    int written = out.position(at)
                            .write(ByteBuffer.wrap(bytes, done,
                                    (int) Math.min(length - done, size - at)));
                    total.addAndGet(written);
                    done += written;
                }
            }
        } catch (IOException e) {
            // The process and its pipe are gone, or the disk is full: what was written stays.
        }
    }

    /// The last `most` bytes as text, with a first line that says how much is missing.
    String tail(int most) throws IOException {
        return tail(most, text -> Optional.empty());
    }

    /// The same; if the tail holds nothing that `wanted` finds, the last such thing before it is
    /// put in front.
    String tail(int most, Function<String, Optional<String>> wanted) throws IOException {
        long from = Math.max(first(), total.get() - most);
        String text = text(from, total.get());
        if (from == 0) {
            return text;
        }
        Optional<String> kept =
                wanted.apply(text).isPresent() ? Optional.empty() : lastBefore(from, wanted);
        return "[the output was cut: " + from + " bytes are missing here"
                + kept.map(line -> ", but for one line]\n" + line + "\n").orElse("]\n") + text;
    }

    /// Block by block, so that memory stays flat; the blocks overlap, so that nothing is missed at
    /// a border.
    private Optional<String> lastBefore(long end, Function<String, Optional<String>> wanted)
            throws IOException {
        Optional<String> found = Optional.empty();
        for (long to = end; to > first() && found.isEmpty(); to -= BLOCK) {
            found = wanted.apply(
                    text(Math.max(first(), to - BLOCK), Math.min(total.get(), to + OVERLAP)));
        }
        return found;
    }

    /// The last whole lines so far, while more may come; empty if the file cannot be read now.
    String soFar(int most) {
        try {
            long end = total.get();
            String text = text(Math.max(0, end - Math.min(most, size)), end);
            String whole = end > most ? text.substring(text.indexOf('\n') + 1) : text;
            return whole.isEmpty() || whole.endsWith("\n") ? whole : whole + "\n";
        } catch (IOException e) {
            return "";
        }
    }

    /// The first byte of the stream that is still held.
    private long first() {
        return Math.max(0, total.get() - size);
    }

    /// @param from counted in the stream
    private String text(long from, long to) throws IOException {
        if (from == to) {
            return "";
        }
        ByteBuffer text = ByteBuffer.allocate((int) (to - from));
        try (SeekableByteChannel in = Files.newByteChannel(file)) {
            for (int length = 0; length >= 0 && text.position() < text.capacity();) {
                long at = (from + text.position()) % size;
                text.limit((int) Math.min(text.capacity(), text.position() + size - at));
                length = in.position(at).read(text);
            }
        }
        return new String(text.array(), 0, text.position(), StandardCharsets.UTF_8);
    }
}
