package io.mlestar.core.engine;

import io.mlestar.core.agent.Retriever;
import io.mlestar.core.agent.ScriptCoder;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.RunScript;
import module java.base;

/// Answers and outputs with which a run goes its whole way. The same step always gets the same.
public final class CannedAnswers {
    private static final String FENCE = "```";
    /// The output of our own probe on a machine that has all.
    private static final String MACHINE =
            """
                    {"python": "3.12.1", "system": "Linux x86_64", "processors": 8, "scripts_at_once": 8, \
                    "memory_bytes": 33554432000, "network": false, "gpus": [], "libraries": {"numpy": "2.1.0"}, "missing": []}
                    """;
    /// The output of our own program that has looked at data.
    private static final String DATA = "{\"lines\": [\"Files: 1 file, 8 bytes\", \"- \\\"train.csv\\\" 8 bytes\"]}\n";
    /// The output of any other script beside its score.
    public static final String OUTPUT = "output";

    private CannedAnswers() {}

    /// An answer that its agent can read: each program differs from all others, nothing leaks, no
    /// data was forgotten.
    ///
    /// @param path of the step, without the run
    /// @param models that the retriever finds, at most as many as it is asked for
    public static String answer(Agent<?> agent, String path, int models) {
        return switch (agent.name()) {
            case "retriever" -> Json.line(Map.of("models",
                    models(Math.min(models, agent instanceof Retriever asked ? asked.models() : models))));
            case "leakage" -> """
                    {"answers":[{"leakage_status":"No Data Leakage","code_block":""}]}""";
            case "extractor" ->
                Json.line(Map.of("plans", List.of(Map.of("code_block", "BLOCK = '", "plan", "Improve it."))));
            case "coder" -> FENCE + "python\n# " + path + "\nBLOCK = '\n" + FENCE;
            case "coder-script" -> attempt((ScriptCoder) agent, path);
            case "data" -> "All the provided information is used.";
            case "test-subsampling_extract" -> "No subsampling found.";
            case "summarize", "planner", "ens_planner" -> "Because of " + path + ".";
            default -> FENCE + "python\nBLOCK = '" + path + "'\nprint('Final Validation Performance: 1')\n" + FENCE;
        };
    }

    /// Every third is a study, every third an edit of the best script, and the others are whole
    /// scripts.
    private static String attempt(ScriptCoder asked, String path) {
        int kind = asked.best() == null ? 0 : asked.own().size() % 3;
        if (kind == 2) {
            String first = asked.best().content().lines().findFirst().orElseThrow();
            return "An edit helps.\nKind: solution\n<<<<<<< SEARCH\n" + first + "\n=======\n# " + path + "\n" + first
                    + "\n>>>>>>> REPLACE\n";
        }
        return (kind == 0 && asked.studiesLeft() > 0 ? "I want to know.\nKind: study\n"
                : "This helps.\nKind: solution\n") + FENCE + "python\nBLOCK = '" + path
                + "'\nprint('Final Validation Performance: 1')\n" + FENCE;
    }

    private static List<Map<String, String>> models(int number) {
        return IntStream.range(0, number).mapToObj(i -> name(i))
                .map(name -> Map.of("model_name", name, "example_code", "import " + name)).toList();
    }

    private static String name(int number) {
        return number < 26 ? Character.toString('a' + number) : "m" + number;
    }

    /// The output of a script that runs to its end.
    public static String printed(RunScript.Kind kind) {
        return switch (kind) {
            case MACHINE -> MACHINE;
            case DATA_CARD -> DATA;
            case SOLUTION, ABLATION, STUDY, SUBMISSION -> OUTPUT;
            case HOLDOUT, SPLIT, METRIC -> "{}";
        };
    }
}
