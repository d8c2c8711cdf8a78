package io.mlestar.core.phase;

import static io.mlestar.core.phase.Texts.code;
import static io.mlestar.core.phase.Texts.script;

import io.mlestar.core.agent.Debugger;
import io.mlestar.core.agent.Init;
import io.mlestar.core.agent.Retriever;
import java.util.Map;
import java.util.stream.IntStream;

/// Phase 1 with models `m0`, `m1`, … that give candidates with known scores.
final class MadeUpCandidates {
    private MadeUpCandidates() {}

    /// @param scores one for each model; null crashes for good
    static Scenario of(Double... scores) {
        String[] models = IntStream.range(0, scores.length).mapToObj(i -> "m" + i).toArray(String[]::new);
        return new Scenario(Map.of("num_retrieved_models", scores.length, "max_debug_attempts", 1))
                .answers(Retriever.class, Texts.models(models))
                .answer(Init.class,
                        asked -> code(script("fit('" + asked.modelName() + "')", scores[number(asked.modelName())])))
                .answer(Debugger.class, asked -> Texts.NO_CODE);
    }

    private static int number(String model) {
        return Integer.parseInt(model.substring(1));
    }

    /// The merger's answer.
    static String merged(Double score) {
        return code(script("fit_both()", score));
    }
}
