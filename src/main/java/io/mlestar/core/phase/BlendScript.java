package io.mlestar.core.phase;

import io.mlestar.core.agent.Prompts;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Blend;
import io.mlestar.core.step.TableFormat;
import io.mlestar.core.task.SolutionScript;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// One Python program that runs the members of a blend as they were written, each in a folder of its own, and blends what they submit, as
/// the harness blended it. It trains those members for which there is time ([io.mlestar.core.step.RunScript#SECONDS]).
final class BlendScript {
    /// What the program prints before the step of a member that failed, and why.
    static final String LEFT_OUT = "Left out of the blend: ";
    private static final String PROGRAM = Prompts.resourceText("/blend.py");

    private BlendScript() {}

    /// @param members in the order of the weights
    /// @param score of the blend, as the harness computed it
    static String of(Blend blend, List<SolutionScript> members, double score) {
        TableFormat format = blend.format();
        return String.format(Locale.ROOT, """
                ""\"A blend of solutions, which were selected by their predictions. Each runs as it was written.""\"
                HOW, SCORE, LEFT_OUT = %s, %s, %s
                DELIMITER, DECIMAL, KEYS = %s, %s, %d  # Of submissions: how many leading columns name a row; 0: its place does.
                MEMBERS = [  # How much each counts, the seconds that it took, its step, and its program.
                %s]

                """, Json.text(blend.how().name().toLowerCase(Locale.ROOT)), score, Json.text(LEFT_OUT),
                Json.text(String.valueOf(format.delimiter())), Json.text(String.valueOf(format.decimal())), format.keys(),
                IntStream.range(0, members.size()).filter(i -> blend.weights().get(i) > 0).mapToObj(i -> "    (" + blend.weights().get(i) + ", "
                        + Objects.requireNonNullElse(members.get(i).durationSeconds(), 0.0) + ", " + Json.text(String.valueOf(members.get(i).step())) + ", "
                        + literal(members.get(i).content()) + "),\n").collect(Collectors.joining()))
                + PROGRAM;
    }

    /// Readable where that is safe; else as JSON, whose texts are Python's, too.
    private static String literal(String program) {
        String text = program.stripTrailing() + "\n";
        return text.contains("\'\'\'") || text.contains("\r") ? Json.text(text) : "r\'\'\'" + text + "\'\'\'";
    }
}
