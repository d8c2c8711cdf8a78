package io.mlestar.adapter.tool;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.mlestar.adapter.script.Scores;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.OptionalDouble;

/// Reads the score in a script's output as the program itself will read it (REQ-OR-010).
public final class ParseScoreTool {
    public static final String DESCRIPTION =
            "Says which score will be read from the output of a script.";

    /// The output of a script.
    @RegisterForReflection
    record Output(@JsonPropertyDescription("what the script printed") String output) {}

    private ParseScoreTool() {}

    public static Tool tool() {
        return new RecordTool<>("ParseScore", DESCRIPTION, Output.class, ParseScoreTool::read);
    }

    private static String read(Output arguments) {
        OptionalDouble score = Scores.parse(arguments.output());
        if (score.isEmpty()) {
            throw new ToolRefused(
                    "the output holds no score; it must end with a line \"Final Validation Performance: <number>\"");
        }
        return Double.toString(score.getAsDouble());
    }
}
