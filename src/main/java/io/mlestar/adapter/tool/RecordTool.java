package io.mlestar.adapter.tool;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.JsonSchema;

/// A tool of the program's own. Its arguments are a record, from which the schema is derived that a model is shown.
///
/// @param <A> the arguments
public interface RecordTool<A extends Record> extends Tool {
    Class<A> arguments();

    /// Does it; see [Tool#call].
    String use(A arguments);

    @Override
    default JsonNode parameters() {
        return JsonSchema.of(arguments());
    }

    @Override
    default void check(JsonNode given) {
        read(given);
    }

    @Override
    default String call(JsonNode given) {
        return use(read(given));
    }

    private A read(JsonNode given) {
        if (!given.isObject()) {
            throw new ToolRefused("the arguments must be a JSON object");
        }
        try {
            return Json.readExactly(given, arguments());
        } catch (Invalid e) {
            throw new ToolRefused(e.getMessage());
        }
    }
}
