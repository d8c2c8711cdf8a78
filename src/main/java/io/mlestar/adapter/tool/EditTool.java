package io.mlestar.adapter.tool;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Replaces literal text in a file of the scratch folder.
record EditTool(PathGuard places) implements RecordTool<EditTool.Replacement> {
    /// What stands in place of what.
    @RegisterForReflection
    record Replacement(@JsonPropertyDescription("e.g. train.py") String path, @JsonPropertyDescription("the text that is replaced") String old,
            @JsonProperty("new") @JsonPropertyDescription("what stands there afterwards") String replacement,
            @JsonPropertyDescription("replace every occurrence; null is false") Optional<Boolean> all) {}

    @Override
    public String name() {
        return "Edit";
    }

    @Override
    public String description() {
        return "Replaces text in a file of the working folder. `old` is literal and must stand there exactly once, unless `all` is true.";
    }

    @Override
    public Class<Replacement> arguments() {
        return Replacement.class;
    }

    @Override
    public String use(Replacement arguments) {
        String name = arguments.path();
        String old = arguments.old();
        boolean all = arguments.all().orElse(false);
        if (old.isEmpty()) {
            throw new ToolRefused("`old` must not be empty");
        }
        try {
            Path file = places.writable(name);
            if (!Files.exists(file)) {
                throw new ToolRefused("there is no file \"" + name + "\"");
            }
            if (Files.size(file) > WriteTool.MOST_BYTES) {
                throw new ToolRefused("\"" + name + "\" is too large to edit: " + Files.size(file) + " bytes");
            }
            String text = Files.readString(file);
            int found = count(text, old);
            if (found == 0) {
                throw new ToolRefused("`old` does not stand in \"" + name + "\"");
            }
            if (found > 1 && !all) {
                throw new ToolRefused("`old` stands " + found + " times in \"" + name + "\"; give more of the text around it, or set `all`");
            }
            String replacement = arguments.replacement();
            if (text.length() + (long) found * (replacement.length() - old.length()) > WriteTool.MOST_BYTES) {
                throw new ToolRefused("\"" + name + "\" would become too large");
            }
            Files.writeString(file, text.replace(old, replacement));
            return "replaced " + found + " in " + name;
        } catch (CharacterCodingException e) {
            throw new ToolRefused("\"" + name + "\" is not UTF-8 text");
        } catch (IOException e) {
            throw new ToolRefused("\"" + name + "\" cannot be edited: " + e.getMessage());
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
