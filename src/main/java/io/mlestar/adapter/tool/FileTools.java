package io.mlestar.adapter.tool;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The tools `Read`, `Write` and `Edit`: they show the task's data, and change files of the scratch
/// folder only.
record FileTools(PathGuard places) {
    /// The part of a file that is shown.
    @RegisterForReflection
    record Section(
            @JsonPropertyDescription("file or folder, e.g. ./input/train.csv") String path,
            @JsonPropertyDescription("first line shown, from 1; null is 1") Optional<Integer> offset,
            @JsonPropertyDescription("most lines shown; null is all") Optional<Integer> limit) {}

    /// A whole file.
    @RegisterForReflection
    record NewText(
            @JsonPropertyDescription("e.g. train.py") String path,
            @JsonPropertyDescription("the whole text") String content) {}

    /// A text and what replaces it.
    @RegisterForReflection
    record Replacement(
            @JsonPropertyDescription("e.g. train.py") String path,
            @JsonPropertyDescription("the text that is replaced") String old,
            @JsonProperty("new") @JsonPropertyDescription("what stands there afterwards") String replacement,
            @JsonPropertyDescription("replace every occurrence; null is false") Optional<Boolean> all) {}

    private static final int MOST_WRITTEN = 5_000_000;
    /// Skipping lines of a huge file stops here.
    private static final long MOST_SCANNED = 1L << 29;
    private static final int START = 8192;

    List<Tool> all() {
        return List.of(
                new RecordTool<>("Read",
                        "Shows a text file from line `offset` on, or lists a folder with sizes. The task's data are in ./input. "
                                + "Long files are cut; binary files are described only.",
                        Section.class, this::read),
                new RecordTool<>("Write",
                        "Writes a text file in the working folder, in place of one that is there. ./input is read-only.",
                        NewText.class, this::write),
                new RecordTool<>("Edit",
                        "Replaces text in a file of the working folder. `old` is literal and must stand there exactly once, "
                                + "unless `all` is true.",
                        Replacement.class, this::edit));
    }

    private String read(Section section) {
        try {
            Path path = places.existing(section.path());
            if (Files.isDirectory(path)) {
                return ListFilesTool.listing(path, 1);
            }
            if (!Files.isRegularFile(path)) {
                throw new ToolRefused("\"" + section.path() + "\" is no ordinary file");
            }
            return isBinary(path)
                    ? Files.size(path) + " bytes, binary, not shown"
                    : text(path, section.offset().orElse(1),
                            section.limit().orElse(Integer.MAX_VALUE));
        } catch (IOException e) {
            throw new ToolRefused("\"" + section.path() + "\" cannot be read: " + places.reason(e));
        }
    }

    private static boolean isBinary(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return isBinary(in.readNBytes(START));
        }
    }

    /// Text holds no NUL; Latin-1 passes as text.
    static boolean isBinary(byte[] content) {
        return new String(content, StandardCharsets.ISO_8859_1).indexOf('\0') >= 0;
    }

    private static String text(Path file, int offset, int limit) throws IOException {
        if (offset < 1 || limit < 1) {
            throw new ToolRefused("offset and limit must be at least 1");
        }
        StringBuilder shown = new StringBuilder();
        long line = 1;
        long scanned = 0;
        boolean more = false;
        try (Reader reader =
                new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8)) {
            char[] buffer = new char[1 << 15];
            for (int length = reader.read(buffer); length >= 0 && !more; length =
                    reader.read(buffer)) {
                scanned += length;
                for (int i = 0; i < length && !more; i++) {
                    more = line >= (long) offset + limit || shown.length() >= Truncation.MOST
                            || scanned > MOST_SCANNED;
                    if (!more && line >= offset) {
                        shown.append(buffer[i]);
                    }
                    line += !more && buffer[i] == '\n' ? 1 : 0;
                }
            }
        }
        if (scanned > MOST_SCANNED && shown.isEmpty()) {
            throw new ToolRefused(
                    "line " + offset + " lies too far inside the file; use Bash for it");
        }
        if (shown.isEmpty()) {
            return Files.size(file) == 0
                    ? "[the file is empty]"
                    : "[the file has fewer than " + offset + " lines]";
        }
        return more
                ? shown + "\n[cut: the file has " + Files.size(file) + " bytes; go on with offset "
                        + line + "]"
                : shown.toString();
    }

    private String write(NewText text) {
        byte[] content = text.content().getBytes(StandardCharsets.UTF_8);
        if (content.length > MOST_WRITTEN) {
            throw new ToolRefused(
                    "the text has " + content.length + " bytes; " + MOST_WRITTEN + " are allowed");
        }
        try {
            Files.write(places.writable(text.path()), content);
            return "wrote " + content.length + " bytes to " + text.path();
        } catch (IOException e) {
            throw new ToolRefused("\"" + text.path() + "\" cannot be written: " + places.reason(e));
        }
    }

    private String edit(Replacement edit) {
        String name = edit.path();
        String old = edit.old();
        if (old.isEmpty()) {
            throw new ToolRefused("`old` must not be empty");
        }
        try {
            Path file = places.writable(name);
            if (!Files.exists(file)) {
                throw new ToolRefused("there is no file \"" + name + "\"");
            }
            if (Files.size(file) > MOST_WRITTEN) {
                throw new ToolRefused(
                        "\"" + name + "\" is too large to edit: " + Files.size(file) + " bytes");
            }
            String text = Files.readString(file);
            int found = count(text, old);
            if (found == 0) {
                throw new ToolRefused("`old` does not stand in \"" + name + "\"");
            }
            if (found > 1 && !edit.all().orElse(false)) {
                throw new ToolRefused("`old` stands " + found + " times in \"" + name
                        + "\"; give more of the text around it, or set `all`");
            }
            if (text.length()
                    + (long) found * (edit.replacement().length() - old.length()) > MOST_WRITTEN) {
                throw new ToolRefused("\"" + name + "\" would become too large");
            }
            Files.writeString(file, text.replace(old, edit.replacement()));
            return "replaced " + found + " in " + name;
        } catch (CharacterCodingException e) {
            throw new ToolRefused("\"" + name + "\" is not UTF-8 text");
        } catch (IOException e) {
            throw new ToolRefused("\"" + name + "\" cannot be edited: " + places.reason(e));
        }
    }

    private static int count(String text, String part) {
        int count = 0;
        for (int at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length())) {
            count++;
        }
        return count;
    }
}
