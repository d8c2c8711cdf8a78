package io.mlestar.adapter.script.isolation;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.store.FolderTree;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The folder a script runs in: the program, `input/` with the data, `final/` for what it writes
/// (REQ-EX-001). It is fresh for each script, so that no earlier submission can pass for a new one
/// (REQ-EX-002).
public record Workspace(Path folder) {
    private static final String SUBMISSION = "submission.csv";
    /// The most characters of a field; memory holds at most so much of a file.
    private static final int LONGEST_FIELD = 4 << 20;
    private static final Duration LONGEST_DELETION = Duration.ofMinutes(2);
    private static final String VARIANTS = "variants.py";
    private static final String BEST = "best.py";

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
    /// @throws Invalid if [ScriptRules] refuse it, or if it is no text that UTF-8 can say; then
    ///   nothing is written
    public Path write(String content, String filename) {
        ScriptRules.check(content);
        CharsetEncoder utf8 = StandardCharsets.UTF_8.newEncoder();
        if (!utf8.canEncode(content)) {
            long line = 1 + content.lines().takeWhile(utf8::canEncode).count();
            throw new Invalid(
                    "line " + line
                            + " of the script contains half of a surrogate pair, which UTF-8 cannot say");
        }
        try {
            return Files.writeString(folder.resolve(filename), content);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + filename, e);
        }
    }

    /// Puts the modules of studies and looks beside the program: `variants`, which compares, and
    /// `best`, what is to be improved.
    ///
    /// @throws Invalid as [#write]
    public void addModules(@Nullable String best) throws IOException {
        Files.writeString(folder.resolve(VARIANTS), Enclosure.text(VARIANTS));
        if (best != null) {
            write(best, BEST);
        }
    }

    public Path submission() {
        return finalFolder().resolve(SUBMISSION);
    }

    /// True if a submission was left that is not empty (REQ-EX-024). A link does not count, nor
    /// does a linked folder: it might lead anywhere.
    public boolean hasSubmission() {
        try {
            return !Files.isSymbolicLink(finalFolder())
                    && Files.isRegularFile(submission(), LinkOption.NOFOLLOW_LINKS)
                    && Files.size(submission()) > 0;
        } catch (IOException e) {
            return false;
        }
    }

    /// Says what is wrong with the submission, for the author of the script; empty if nothing.
    ///
    /// @param most bytes that it may have, by the length that the file says: one full of holes
    ///   takes as long to read
    public Optional<String> wrongSubmission(long most) throws IOException {
        if (!hasSubmission()) {
            return Optional.of("./final/submission.csv was not created or is empty");
        }
        long size = Files.size(submission());
        return size <= most
                ? Optional.empty()
                : Optional.of("./final/submission.csv has " + size
                        + " bytes, more than the " + most
                        + " that are taken (max_submission_mb); write only the rows and columns that the task asks for");
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

    /// Says why the submission cannot be read as a table; empty if it can (REQ-FN-022).
    public Optional<String> unreadableSubmission() throws IOException {
        try (CsvReader<CsvRecord> reader =
                CsvReader.builder()
                        .maxBufferSize(LONGEST_FIELD)
                        .ofCsvRecord(Files.newBufferedReader(submission()))) {
            reader.forEach(row -> {});
            return Optional.empty();
        } catch (CsvParseException e) {
            return Optional.of(e.getMessage()
                    + (e.getCause() == null ? "" : ": " + e.getCause().getMessage()));
        } catch (UncheckedIOException e) {
            return Optional.of("it cannot be read as UTF-8");
        }
    }

    /// Removes the folder with all that is in it; links are removed, not followed. A script can
    /// close folders, or nest them deeper than a path is long: then the system's own tools do it.
    public void delete() throws IOException {
        try {
            FolderTree.delete(folder);
        } catch (IOException e) {
            ShortCommand.answer(List.of("sh", "-c", "chmod -R u+rwx -- \"$0\"; rm -rf -- \"$0\"",
                    folder.toString()), LONGEST_DELETION);
            if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
                throw e;
            }
        }
    }
}
