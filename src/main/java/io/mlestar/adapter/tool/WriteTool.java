package io.mlestar.adapter.tool;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;

/// Writes a whole file into the scratch folder.
record WriteTool(PathGuard places) implements RecordTool<WriteTool.NewText> {
    /// What is written where.
    @RegisterForReflection
    record NewText(@JsonPropertyDescription("e.g. train.py") String path, @JsonPropertyDescription("the whole text") String content) {}

    static final int MOST_BYTES = 5_000_000;

    @Override
    public String name() {
        return "Write";
    }

    @Override
    public String description() {
        return "Writes a text file in the working folder, in place of one that is there. ./input is read-only.";
    }

    @Override
    public Class<NewText> arguments() {
        return NewText.class;
    }

    @Override
    public String use(NewText arguments) {
        String name = arguments.path();
        byte[] content = arguments.content().getBytes(StandardCharsets.UTF_8);
        if (content.length > MOST_BYTES) {
            throw new ToolRefused("the text has " + content.length + " bytes; " + MOST_BYTES + " are allowed");
        }
        try {
            Files.write(places.writable(name), content);
            return "wrote " + content.length + " bytes to " + name;
        } catch (IOException e) {
            throw new ToolRefused("\"" + name + "\" cannot be written: " + e.getMessage());
        }
    }
}
