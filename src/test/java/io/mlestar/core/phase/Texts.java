package io.mlestar.core.phase;

import io.mlestar.core.base.Json;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import module java.base;

/// Answers of agents, and scripts for [MadeUpPython].
final class Texts {
    static final String CLEAN = Json.line(
            Map.of("answers", List.of(Map.of("leakage_status", "No Data Leakage", "reason", "", "code_block", ""))));
    static final String REASON = "It learns from all rows.";
    static final String ALL_USED = "All the provided information is used.";
    static final String NO_CODE = "Sorry, I cannot help with that.";
    static final String NOT_JSON = "{ this is no JSON";

    private Texts() {}

    static String code(String code) {
        return "Here it is:\n\n```python\n" + code + "\n```\n";
    }

    static String models(String... names) {
        return Json.line(Map.of("models", Stream.of(names)
                .map(name -> Map.of("model_name", name, "example_code", "import " + name)).toList()));
    }

    static String leaks(String... blocks) {
        return Json.line(Map.of("answers", Stream.of(blocks)
                .map(block -> Map.of("leakage_status", "Yes Data Leakage", "reason", REASON, "code_block", block))
                .toList()));
    }

    /// The extractor's answer with one plan for each block.
    static String plans(String... blocks) {
        return Json.line(Map.of("plans", Stream.of(blocks)
                .map(block -> Map.of("code_block", block, "plan", "Improve " + block.strip())).toList()));
    }

    /// A script that prints `score`, or crashes if there is none.
    static String script(String code, Double score) {
        return code + (score == null ? "\n# crash broken" : "\n# score " + score);
    }

    static SolutionScript solution(String code, double score) {
        return SolutionScript.unscored(script(code, score), SolutionPhase.REFINED).scored(Score.printed(score));
    }
}
