package io.mlestar.adapter.tool;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Shows a file or a folder.
record ReadTool(PathGuard places) implements RecordTool<ReadTool.Section> {
    /// Which part of which file.
    @RegisterForReflection
    record Section(@JsonPropertyDescription("file or folder, e.g. ./input/train.csv") String path,
            @JsonPropertyDescription("first line shown, from 1; null is 1") Optional<Integer> offset,
            @JsonPropertyDescription("most lines shown; null is all") Optional<Integer> limit) {}

    /// Skipping lines of a huge file stops here.
    private static final long MOST_SCANNED = 1L << 29;

    @Override
    public String name() {
        return "Read";
    }

    @Override
    public String description() {
        return "Shows a text file from line `offset` on, or lists a folder with sizes. The task's data are in ./input. "
                + "Long files are cut; binary files are described only.";
    }

    @Override
    public Class<Section> arguments() {
        return Section.class;
    }

    @Override
    public String use(Section arguments) {
        String name = arguments.path();
        try {
            Path path = places.existing(name);
            if (Files.isDirectory(path)) {
                return Listing.of(path, 1);
            }
            if (!Files.isRegularFile(path)) {
                throw new ToolRefused("\"" + name + "\" is no ordinary file");
            }
            return FileKind.binary(path).map(kind -> size(path) + " bytes, " + kind + "; binary, not shown")
                    .orElseGet(() -> text(path, arguments.offset().orElse(1),
                            arguments.limit().orElse(Integer.MAX_VALUE)));
        } catch (IOException e) {
            throw new ToolRefused("\"" + name + "\" cannot be read: " + e.getMessage());
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file, int offset, int limit) {
        if (offset < 1 || limit < 1) {
            throw new ToolRefused("offset and limit must be at least 1");
        }
        StringBuilder shown = new StringBuilder();
        long line = 1;
        long scanned = 0;
        boolean more = false;
        try (Reader reader = new java.io.InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8.newDecoder()
                .onMalformedInput(CodingErrorAction.REPLACE).onUnmappableCharacter(CodingErrorAction.REPLACE))) {
            char[] buffer = new char[1 << 15];
            for (int length = reader.read(buffer); length >= 0 && !more; length = reader.read(buffer)) {
                scanned += length;
                for (int i = 0; i < length && !more; i++) {
                    more = line >= (long) offset + limit || shown.length() >= Truncation.MOST || scanned > MOST_SCANNED;
                    if (!more && line >= offset) {
                        shown.append(buffer[i]);
                    }
                    line += !more && buffer[i] == '\n' ? 1 : 0;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (scanned > MOST_SCANNED && shown.isEmpty()) {
            throw new ToolRefused("line " + offset + " lies too far inside the file; use Bash for it");
        }
        if (shown.isEmpty()) {
            return size(file) == 0 ? "[the file is empty]" : "[the file has fewer than " + offset + " lines]";
        }
        return more ? shown + "\n[cut: the file has " + size(file) + " bytes; go on with offset " + line + "]" : shown.toString();
    }
}
