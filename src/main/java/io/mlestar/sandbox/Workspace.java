package io.mlestar.sandbox;

import io.mlestar.task.Invalid;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/// The folder a script runs in: the program, `input/` with the data, `final/` for what it writes (REQ-EX-001).
/// It is fresh for each script, so that no earlier submission can pass for a new one (REQ-EX-002).
public record Workspace(Path folder) {
    private static final String SUBMISSION = "submission.csv";

    /// A workspace whose `input` is a link to the data.
    public static Workspace over(Path folder, Path data) throws IOException {
        Files.createDirectories(folder.resolve("final"));
        Files.createSymbolicLink(folder.resolve("input"), data.toRealPath());
        return new Workspace(folder.toAbsolutePath());
    }

    public Path finalFolder() {
        return folder.resolve("final");
    }

    /// Writes the program, byte for byte as UTF-8 (REQ-EX-005).
    ///
    /// @throws Invalid if [ScriptRules] refuse it, or if it is no text that UTF-8 can say; then nothing is written
    public Path write(String content, String filename) {
        ScriptRules.check(content);
        CharsetEncoder utf8 = StandardCharsets.UTF_8.newEncoder();
        if (!utf8.canEncode(content)) {
            long line = 1 + content.lines().takeWhile(utf8::canEncode).count();
            throw new Invalid("line " + line + " of the script contains half of a surrogate pair, which UTF-8 cannot say");
        }
        try {
            return Files.writeString(folder.resolve(filename), content);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + filename, e);
        }
    }

    public Path submission() {
        return finalFolder().resolve(SUBMISSION);
    }

    /// Whether a submission was left that is not empty (REQ-EX-024). A link does not count, nor does a linked folder: it might lead
    /// anywhere.
    public boolean hasSubmission() {
        try {
            return !Files.isSymbolicLink(finalFolder())
                    && Files.isRegularFile(submission(), java.nio.file.LinkOption.NOFOLLOW_LINKS) && Files.size(submission()) > 0;
        } catch (IOException e) {
            return false;
        }
    }

    /// Lines of the submission without the header; 0 for an empty file (REQ-EX-025).
    public long submissionRows() throws IOException {
        long lines = 0;
        int last = '\n';
        try (InputStream in = Files.newInputStream(submission())) {
            byte[] buffer = new byte[1 << 16];
            for (int length = in.read(buffer); length > 0; length = in.read(buffer)) {
                for (int i = 0; i < length; i++) {
                    if (buffer[i] == '\n') {
                        lines++;
                    }
                }
                last = buffer[length - 1];
            }
        }
        return Math.max(0, (last == '\n' ? lines : lines + 1) - 1);
    }

    /// Removes the folder with all that is in it; links are removed, not followed.
    public void delete() throws IOException {
        deleteBelow(folder);
        Files.deleteIfExists(folder);
    }

    private static void deleteBelow(Path root) throws IOException {
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, IOException failure) throws IOException {
                if (!folder.equals(root)) {
                    Files.delete(folder);
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
