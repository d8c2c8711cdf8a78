package io.mlestar.adapter.tool;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.JsonSchema;

/// A tool of this program. Its arguments are a record, from which the JSON Schema for the model is
/// derived.
///
/// @param <A> the arguments
public record RecordTool<A extends Record>(
        String name,
        String description,
        Class<A> arguments,
        ToolWork<A> work) implements Tool {
    /// The work of a tool; see [Tool#call].
    @FunctionalInterface
    public interface ToolWork<A> {
        String use(A arguments) throws InterruptedException;
    }

    @Override
    public JsonNode parameters() {
        return JsonSchema.of(arguments);
    }

    @Override
    public void check(JsonNode given) {
        read(given);
    }

    @Override
    public String call(JsonNode given) {
        try {
            return work.use(read(given));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ToolRefused(name + " was interrupted");
        }
    }

    private A read(JsonNode given) {
        if (!given.isObject()) {
            throw new ToolRefused("the arguments must be a JSON object");
        }
        try {
            return Json.readExactly(given, arguments);
        } catch (Invalid e) {
            throw new ToolRefused(e.getMessage());
        }
    }
}
