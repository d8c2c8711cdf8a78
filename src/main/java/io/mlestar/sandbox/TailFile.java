package io.mlestar.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Keeps the end of an endless stream on disk (REQ-EX-038): two files of half the size are filled in turn, so memory stays
/// flat and the score line and the traceback, which stand at the end, are kept.
final class TailFile {
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
        byte[] end = tail(newer, most);
        if (end.length < most && Files.exists(older)) {
            byte[] before = tail(older, most - end.length);
            byte[] both = new byte[before.length + end.length];
            System.arraycopy(before, 0, both, 0, before.length);
            System.arraycopy(end, 0, both, before.length, end.length);
            end = both;
        }
        String text = new String(end, StandardCharsets.UTF_8);
        return total.get() > end.length ? "[the output was cut: " + (total.get() - end.length) + " bytes are missing here]\n" + text : text;
    }

    /// The last whole lines of what has come, while more may come; empty if it cannot be read just now.
    String soFar(int most) {
        try {
            String text = new String(tail(newer, most), StandardCharsets.UTF_8);
            String whole = total.get() > most ? text.substring(text.indexOf('\n') + 1) : text;
            return whole.isEmpty() || whole.endsWith("\n") ? whole : whole + "\n";
        } catch (IOException e) {
            return "";
        }
    }

    private static byte[] tail(Path file, int most) throws IOException {
        if (!Files.exists(file)) {
            return new byte[0];
        }
        try (var channel = Files.newByteChannel(file)) {
            long size = channel.size();
            channel.position(Math.max(0, size - most));
            var buffer = java.nio.ByteBuffer.allocate((int) Math.min(size, most));
            int read;
            do {
                read = channel.read(buffer);
            } while (read >= 0 && buffer.hasRemaining());
            return java.util.Arrays.copyOf(buffer.array(), buffer.position());
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
