package io.mlestar.core.phase;

import static io.mlestar.core.phase.Texts.code;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.agent.SubsamplingExtract;
import io.mlestar.core.agent.SubsamplingRemove;
import io.mlestar.core.agent.TestSubmission;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Part 08: what becomes of a block that subsamples.
class SubsamplingRemovalTest {
    private static final String BLOCK = "df_train = df_train.sample(n=30000, random_state=42)\nmodel.fit(df_train)";
    private static final SolutionScript SOLUTION =
            new SolutionScript("df_train = load()\n" + BLOCK + "\nprint(1)", SolutionPhase.ENSEMBLE, 0.9, true, null);

    private final Scenario scenario = new Scenario(Map.of()).answers(SubsamplingExtract.class, code(BLOCK))
            .answer(TestSubmission.class, asked -> code(asked.finalSolution() + "\n# submits 7"));

    private Finalization.Result rewritten(String block) {
        return scenario.answers(SubsamplingRemove.class, code(block)).play(new Finalization(SOLUTION));
    }

    @Test
    @Requirement("REQ-FN-006")
    void theSubmissionIsTrainedOnAllSamplesAndNothingElseIsChanged() {
        assertThat(rewritten("model.fit(df_train)").subsamplingRemoved()).isTrue();
        assertThat(scenario.ran()).containsExactly("df_train = load()\nmodel.fit(df_train)\nprint(1)\n# submits 7");
    }

    @Test
    @Requirement("REQ-FN-006")
    void aBlockThatComesBackUnchangedIsNotCalledRemoved() {
        Finalization.Result last = rewritten(BLOCK);
        assertThat(last.subsamplingRemoved()).isFalse();
        assertThat(last.submission()).isNotNull();
    }
}
