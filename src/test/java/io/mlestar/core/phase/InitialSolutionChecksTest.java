package io.mlestar.core.phase;

import static io.mlestar.core.phase.Texts.code;
import static io.mlestar.core.phase.Texts.leaks;
import static io.mlestar.core.task.Examples.scriptOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.agent.Data;
import io.mlestar.core.agent.Leakage;
import io.mlestar.core.agent.LeakageCorrection;
import io.mlestar.core.agent.Merger;
import io.mlestar.core.task.Results.Phase1Result;
import io.mlestar.core.task.SolutionPhase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What happens to s_0 after Algorithm 1: the data is checked once, then the leakage (Section 3.4).
class InitialSolutionChecksTest {
    private static final String MERGED = "fit_both()\n# score 0.9";

    private final Scenario scenario = MadeUpCandidates.of(0.8, 0.7).answers(Merger.class, code(MERGED));

    private Phase1Result play() {
        return scenario.play(new InitialSolution());
    }

    @Test
    @Requirement({"REQ-P1-030", "REQ-P1-031", "REQ-P1-042", "REQ-SF-026", "REQ-SF-030"})
    void solutionThatUsesEverythingIsAskedOnceForDataThenForLeakageAndNotRunAgain() {
        assertThat(play().initialSolution())
                .isEqualTo(scriptOf(MERGED, SolutionPhase.MERGED, 0.9, true, null).by("phase1/merge1").ranFor(3));
        assertThat(scenario.asked(Data.class)).containsExactly(new Data(MERGED, "Predict y."));
        assertThat(scenario.asked(Leakage.class).getLast()).isEqualTo(new Leakage(MERGED));
        assertThat(scenario.leaves()).endsWith("merge1/evaluation/script", "data", "leakage");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.95, 0.4})
    @Requirement({"REQ-P1-030", "REQ-P1-031", "REQ-P1-033", "REQ-P1-042", "REQ-SF-027"})
    void revisionReplacesTheSolutionEvenIfItScoresWorse(double score) {
        String revised = "fit_with_all_data()\n# score " + score;
        scenario.answers(Data.class, code(revised));

        Phase1Result result = play();

        assertThat(result.initialSolution())
                .isEqualTo(
                        scriptOf(revised, SolutionPhase.MERGED, score, true, null).by("phase1/evaluation").ranFor(3));
        assertThat(result.initialScore()).isEqualTo(score);
        assertThat(scenario.leaves()).endsWith("data", "evaluation/leakage", "evaluation/script");
        assertThat(scenario.asked(Leakage.class).getLast().code()).isEqualTo(revised);
    }

    @ParameterizedTest
    @ValueSource(strings = {"# crash broken", "# timeout", "print('no score')"})
    @Requirement({"REQ-P1-030", "REQ-P1-031", "REQ-P1-033", "REQ-P1-042", "REQ-SF-008"})
    void revisionThatCannotBeScoredIsDroppedAndTheSolutionCheckedForLeakage(String revision) {
        scenario.answers(Data.class, code(revision));

        assertThat(play().initialSolution())
                .isEqualTo(scriptOf(MERGED, SolutionPhase.MERGED, 0.9, true, null).by("phase1/merge1").ranFor(3));
        assertThat(scenario.leaves()).endsWith("leakage");
        assertThat(scenario.asked(Leakage.class).getLast()).isEqualTo(new Leakage(MERGED));
    }

    @ParameterizedTest
    @CsvSource({"0.85", "0.95"})
    @Requirement({"REQ-P1-031", "REQ-P1-033"})
    void leakFoundAtTheEndIsCorrectedAndTheNewScoreReported(double score) {
        scenario.answerAt("leakage", leaks(MERGED)).answers(LeakageCorrection.class,
                code("fit_clean()\n# score " + score));

        Phase1Result result = play();

        assertThat(result.initialSolution().content()).isEqualTo("fit_clean()\n# score " + score);
        assertThat(result.initialScore()).isEqualTo(score);
        assertThat(scenario.leaves()).endsWith("data", "leakage", "leakage-correction", "evaluation/leakage",
                "evaluation/script");
    }

    @Test
    @Requirement({"REQ-P1-031", "REQ-SF-008"})
    void correctionThatDoesNotRunIsDropped() {
        scenario.answerAt("leakage", leaks("fit_both()")).answers(LeakageCorrection.class, code("# crash broken"));

        Phase1Result result = play();

        assertThat(result.initialSolution().content()).isEqualTo(MERGED);
        assertThat(result.initialScore()).isEqualTo(0.9);
    }

    @Test
    @Requirement({"REQ-SF-039", "REQ-P1-031"})
    void unreadableDataAnswerOrAnAgentOutOfReachLeavesTheSolution() {
        scenario.answers(Data.class, "I am not sure what you want.");
        assertThat(play().initialSolution().content()).isEqualTo(MERGED);

        Scenario unreachable = MadeUpCandidates.of(0.8).fail("data");
        assertThat(unreachable.play(new InitialSolution()).initialScore()).isEqualTo(0.8);
        assertThat(unreachable.leaves()).endsWith("data", "leakage");
    }

    @ParameterizedTest
    @ValueSource(strings = {"evaluation", "evaluation/leakage", "evaluation/script"})
    @Requirement("REQ-OR-030")
    void withoutTimeForTheRevisionTheSolutionStays(String from) {
        scenario.answers(Data.class, code("fit_with_all_data()\n# score 0.99")).stopFrom(from);

        assertThat(play().initialScore()).isEqualTo(0.9);
    }
}
