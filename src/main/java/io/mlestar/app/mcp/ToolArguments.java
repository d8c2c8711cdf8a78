package io.mlestar.app.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.Spelling;
import io.quarkiverse.mcp.server.GlobalInputSchemaGenerator;
import io.quarkiverse.mcp.server.ToolCallException;
import io.quarkiverse.mcp.server.ToolInputGuardrail;
import io.quarkiverse.mcp.server.ToolManager.ToolArgument;
import io.quarkiverse.mcp.server.ToolManager.ToolInfo;
import jakarta.inject.Singleton;
import java.util.List;

/// Describes the arguments of the tools, and checks those of a call: the library ignores unknown
/// ones, and converts a number to a text.
@Singleton
public class ToolArguments implements GlobalInputSchemaGenerator, ToolInputGuardrail {
    private record Schema(ObjectNode value) implements InputSchema {
        @Override
        public String asJson() {
            return Json.line(value);
        }
    }

    @Override
    public InputSchema generate(ToolInfo tool) {
        ObjectNode schema = Json.object().put("type", "object").put("additionalProperties", false);
        ObjectNode properties = schema.putObject("properties");
        schema.putArray("required");
        for (ToolArgument argument : tool.arguments()) {
            properties.putObject(argument.name())
                    .put("description", argument.description())
                    .put("type", isText(argument) ? "string" : "integer");
            if (argument.required()) {
                schema.withArray("required").add(argument.name());
            }
        }
        return new Schema(schema);
    }

    @Override
    public void apply(ToolInputContext call) {
        List<ToolArgument> arguments = call.getTool().arguments();
        JsonNode given = Json.parse(call.getArguments().encode());
        for (ToolArgument argument : arguments) {
            JsonNode value = given.path(argument.name());
            if (value.isMissingNode() || value.isNull()) {
                check(!argument.required(), argument.name() + " is required");
            } else if (isText(argument)) {
                check(value.isTextual(), argument.name() + " must be a text");
            } else {
                check(value.canConvertToInt() && value.isIntegralNumber(),
                        argument.name() + " must be a whole number");
            }
        }
        List<String> known = arguments.stream().map(ToolArgument::name).sorted().toList();
        given.fieldNames()
                .forEachRemaining(name -> check(known.contains(name),
                        "unknown field " + name + "; known are " + String.join(", ", known)
                                + Spelling.question(name, known)));
    }

    private static boolean isText(ToolArgument argument) {
        return argument.type().equals(String.class);
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new ToolCallException(otherwise);
        }
    }
}
