package io.mlestar.core.phase;

import static io.mlestar.core.phase.Texts.code;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.agent.Coder;
import io.mlestar.core.agent.EnsPlanner;
import io.mlestar.core.agent.Ensembler;
import io.mlestar.core.agent.Planner;
import io.mlestar.core.task.Results.EnsembleAttempt;
import io.mlestar.core.task.Results.InnerLoopResult;
import io.mlestar.core.task.Results.Phase3Result;
import io.mlestar.core.task.Results.RefinementAttempt;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript.Trial;
import io.mlestar.core.task.SolutionScript;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Attempts and rounds that are carried out side by side: as many calls and scripts as one after the other, and the same best of the same scores.
class SideBySideTest {
    private static final String BLOCK = "    fit('linear')\n    # score 0.8";
    private static final SolutionScript SOLUTION =
            SolutionScript.unscored("def main():\n" + BLOCK + "\n\nmain()", SolutionPhase.MERGED).scored(0.8);
    private static final List<SolutionScript> INPUTS = Stream.of("one()", "two()")
            .map(content -> SolutionScript.unscored(content, SolutionPhase.REFINED).scored(0.8)).toList();
    private static final List<String> CONTENTS = List.of("one()", "two()");
    private static final List<Trial> ALONE = INPUTS.stream().map(SolutionScript::trial).toList();

    private static Scenario attempts(int atOnce, Object... scores) {
        return new Scenario(Map.of("inner_loop_steps", scores.length, "attempts_at_once", atOnce))
                .answers(Planner.class, "Plan 1.", "Plan 2.", "Plan 3.", "Plan 4.")
                .answer(Coder.class, coder -> code("    fit('" + coder.plan() + "')\n    # score "
                        + scores[coder.plan().charAt("Plan ".length()) - '0']));
    }

    private static InnerLoopResult refined(Scenario scenario) {
        return new RefineBlock("phase2-path0/block0", SOLUTION, BLOCK, "Plan 0.").run(scenario.steps());
    }

    private static Scenario rounds(int atOnce, int rounds) {
        return new Scenario(Map.of("ensemble_rounds", rounds, "rounds_at_once", atOnce))
                .answers(EnsPlanner.class, "Plan 0.", "Plan 1.", "Plan 2.", "Plan 3.", "Plan 4.")
                .answer(Ensembler.class, asked -> code("mix('" + asked.plan() + "')\n# score 0.8" + asked.plan().charAt("Plan ".length())));
    }

    @Test
    void aPlannerSeesThePlansOfItsBatchAsNotScoredYet() {
        Scenario scenario = attempts(2, 0.82, 0.85, 0.7, 0.7);

        refined(scenario);

        assertThat(scenario.asked(Planner.class)).containsExactly(
                new Planner(BLOCK, SOLUTION.trial(), List.of(), List.of(), List.of(), List.of("Plan 0."), SOLUTION.content(), List.of()),
                new Planner(BLOCK, SOLUTION.trial(), List.of("Plan 0.", "Plan 1."), List.of(0.82, 0.85), List.of(), List.of(), SOLUTION.content(), List.of()),
                new Planner(BLOCK, SOLUTION.trial(), List.of("Plan 0.", "Plan 1."), List.of(0.82, 0.85), List.of(), List.of("Plan 2."), SOLUTION.content(),
                        List.of()));
        assertThat(scenario.leaves()).startsWith("attempt0/coder").contains("planner", "planner-2", "planner-3");
        assertThat(scenario.together()).containsExactly(List.of("attempt0", "attempt1"), List.of("attempt2", "attempt3"));
    }

    @Test
    void anEnsPlannerSeesThePlansOfItsBatchAsNotScoredYet() {
        Scenario scenario = rounds(3, 5);

        scenario.play(new Ensemble(INPUTS));

        assertThat(scenario.asked(EnsPlanner.class)).containsExactly(
                new EnsPlanner(CONTENTS, ALONE, List.of(), List.of(), List.of(), List.of()),
                new EnsPlanner(CONTENTS, ALONE, List.of(), List.of(), List.of(), List.of("Plan 0.")),
                new EnsPlanner(CONTENTS, ALONE, List.of(), List.of(), List.of(), List.of("Plan 0.", "Plan 1.")),
                new EnsPlanner(CONTENTS, ALONE, List.of("Plan 0.", "Plan 1.", "Plan 2."), List.of(0.80, 0.81, 0.82), List.of(), List.of()),
                new EnsPlanner(CONTENTS, ALONE, List.of("Plan 0.", "Plan 1.", "Plan 2."), List.of(0.80, 0.81, 0.82), List.of(), List.of("Plan 3.")));
        assertThat(scenario.together())
                .containsExactly(List.of("round0", "round1", "round2"), List.of("round3", "round4"));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 100})
    void theSameScoresGiveTheSameResultAtTheSameNumberOfCallsAndScripts(int atOnce) {
        Object[] scores = {0.82, 0.85, 0.84, 0.85};
        Scenario sequence = attempts(1, scores);
        Scenario batches = attempts(atOnce, scores);

        assertThat(refined(batches)).isEqualTo(refined(sequence));

        assertThat(batches.leaves()).hasSameSizeAs(sequence.leaves());
        assertThat(batches.ran()).containsExactlyElementsOf(sequence.ran());
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 100})
    void theSameEnsemblesGiveTheSameResult(int atOnce) {
        Scenario sequence = rounds(1, 5);
        Scenario batches = rounds(atOnce, 5);

        assertThat(batches.<Phase3Result>play(new Ensemble(INPUTS))).isEqualTo(sequence.<Phase3Result>play(new Ensemble(INPUTS)));

        assertThat(batches.leaves()).hasSameSizeAs(sequence.leaves());
        assertThat(batches.ran()).containsExactlyElementsOf(sequence.ran());
    }

    @Test
    void aPlannerThatFailsCostsItsAttemptOnly() {
        Scenario scenario = attempts(4, 0.7, 0.85, 0.9, 0.7).answerAt("planner-2", " \n");

        InnerLoopResult result = refined(scenario);

        assertThat(result.attempts()).extracting(RefinementAttempt::plan).containsExactly("Plan 0.", "Plan 1.", "[planner failed]", "Plan 2.");
        assertThat(result.bestScore()).isEqualTo(0.9);
        assertThat(scenario.asked(Planner.class).getLast().plansUnderWay()).containsExactly("Plan 0.", "Plan 1.");
    }

    @Test
    void whatWasPlannedBeforeTheRunHadToFinishIsTriedAndWhatEndedCounts() {
        Scenario plannerStopped = attempts(3, 0.7, 0.85, 0.9, 0.7).stop("planner-2");
        assertThat(refined(plannerStopped).attempts()).extracting(RefinementAttempt::score).containsExactly(0.7, 0.85);
        assertThat(plannerStopped.asked(Planner.class)).as("none after the one that was refused").hasSize(1);

        Scenario attemptStopped = attempts(2, 0.7, 0.85, 0.9, 0.7).stop("attempt0");
        InnerLoopResult result = refined(attemptStopped);
        assertThat(result.attempts()).extracting(RefinementAttempt::score).containsExactly(0.85);
        assertThat(result.bestScore()).isEqualTo(0.85);

        Scenario roundStopped = rounds(2, 5).stop("round1");
        assertThat(roundStopped.<Phase3Result>play(new Ensemble(INPUTS)).attempts()).extracting(EnsembleAttempt::score).containsExactly(0.8);
        Scenario nothing = rounds(2, 5).stop("ens_planner");
        assertThat(nothing.<Phase3Result>play(new Ensemble(INPUTS)).bestEnsemble()).isEqualTo(INPUTS.getLast());
    }

    @Test
    void failedAttemptsOfABatchKeepTheirPlaces() {
        Scenario scenario = attempts(3, 0.7, 0.85, 0.9).fail("attempt0", "attempt1");

        assertThat(refined(scenario).attempts()).containsExactly(
                new RefinementAttempt("Plan 0.", null, "", false, null), new RefinementAttempt("[attempt failed]", null, "", false, null),
                new RefinementAttempt("Plan 2.", 0.9, "    fit('Plan 2.')\n    # score 0.9", true, null));
    }
}
