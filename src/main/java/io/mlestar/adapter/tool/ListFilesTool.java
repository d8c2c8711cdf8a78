package io.mlestar.adapter.tool;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;

/// Shows what the task's data are made of (REQ-OR-010).
///
/// @param data gives the task's folder; asked when it is wanted, since it may have to be fetched
public record ListFilesTool(Supplier<Path> data) implements RecordTool<ListFilesTool.Nothing> {
    /// Nothing is to be said.
    @RegisterForReflection
    record Nothing() {}

    /// What models are told of it.
    public static final String DESCRIPTION = "Lists all files of the task's data, with sizes. The names are relative to ./input.";
    private static final int DEPTH = 20;

    @Override
    public String name() {
        return "ListFiles";
    }

    @Override
    public String description() {
        return DESCRIPTION;
    }

    @Override
    public Class<Nothing> arguments() {
        return Nothing.class;
    }

    @Override
    public String use(Nothing arguments) {
        try {
            return Listing.of(data.get().toRealPath(), DEPTH);
        } catch (IOException e) {
            throw new ToolRefused("the data are not on this machine, or cannot be read");
        }
    }
}
