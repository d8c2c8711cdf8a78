package io.mlestar.adapter.tool;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.JsonSchema;
import java.util.function.Function;

/// A tool of this program. Its arguments are a record, from which the JSON Schema for the model is derived.
///
/// @param <A> the arguments
public interface RecordTool<A extends Record> extends Tool {
    /// A tool made of its parts.
    static <A extends Record> RecordTool<A> of(String name, String description, Class<A> arguments, Function<A, String> work) {
        record Composed<A extends Record>(String name, String description, Class<A> arguments, Function<A, String> work) implements RecordTool<A> {
            @Override
            public String use(A given) {
                return work.apply(given);
            }
        }
        return new Composed<>(name, description, arguments, work);
    }

    Class<A> arguments();

    /// Does the work; see [Tool#call].
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
