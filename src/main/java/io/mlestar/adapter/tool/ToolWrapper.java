package io.mlestar.adapter.tool;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.Function;

/// A tool that looks as another one and is called in its own way.
record ToolWrapper(Tool tool, Function<JsonNode, String> way) implements Tool {
    @Override
    public String name() {
        return tool.name();
    }

    @Override
    public String description() {
        return tool.description();
    }

    @Override
    public JsonNode parameters() {
        return tool.parameters();
    }

    @Override
    public String call(JsonNode arguments) {
        return way.apply(arguments);
    }
}
