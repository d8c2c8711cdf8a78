package io.mlestar.tool;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.sandbox.Scores;
import java.util.OptionalDouble;

/// Reads the score in a script's output as the program itself will read it (REQ-OR-010).
public record ParseScoreTool() implements Tool {
    @Override
    public String name() {
        return "ParseScore";
    }

    @Override
    public String description() {
        return "Says which score will be read from the output of a script.";
    }

    @Override
    public JsonNode parameters() {
        return new Parameters().text("output", "what the script printed").schema();
    }

    @Override
    public String call(JsonNode arguments) {
        OptionalDouble score = Scores.parse(arguments.path("output").asText());
        if (score.isEmpty()) {
            throw new ToolRefused("the output holds no score; it must end with a line \"Final Validation Performance: <number>\"");
        }
        return Double.toString(score.getAsDouble());
    }
}
