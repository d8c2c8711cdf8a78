package io.mlestar.core.phase;

import static io.mlestar.core.phase.Texts.code;
import static io.mlestar.core.phase.Texts.script;
import static io.mlestar.core.phase.Texts.solution;
import static io.mlestar.core.task.Examples.scriptOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.agent.Debugger;
import io.mlestar.core.agent.EnsPlanner;
import io.mlestar.core.agent.Ensembler;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.Results.EnsembleAttempt;
import io.mlestar.core.task.Results.Phase3Result;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript.Trial;
import io.mlestar.core.task.SolutionScript;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Algorithm 3.
class EnsembleTest {
    private static final List<SolutionScript> INPUTS =
            List.of(solution("one()", 0.8), solution("two()", 0.84), solution("three()", 0.82));
    private static final List<String> CONTENTS = INPUTS.stream().map(SolutionScript::content).toList();
    private static final List<Trial> ALONE = INPUTS.stream().map(SolutionScript::trial).toList();

    private final Scenario scenario = new Scenario(Map.of("ensemble_rounds", 5))
            .answers(EnsPlanner.class, "Plan 0.", "Plan 1.", "Plan 2.", "Plan 3.", "Plan 4.")
            .answer(Debugger.class, asked -> Texts.NO_CODE);

    /// The ensembles of the rounds: `mean0()` and so on with these scores; null crashes for good.
    private Phase3Result play(Double... scores) {
        scenario.answers(Ensembler.class, IntStream.range(0, scores.length)
                .mapToObj(r -> code(script("mean" + r + "()", scores[r]))).toArray(String[]::new));
        return scenario.play(new Ensemble(INPUTS));
    }

    private static SolutionScript ensemble(int round, double score) {
        return scriptOf(script("mean" + round + "()", score), SolutionPhase.ENSEMBLE, score, true, null)
                .by("phase3/round" + round).ranFor(3);
    }

    @Test
    @Requirement({"REQ-P3-017", "REQ-P3-021", "REQ-P3-022", "REQ-P3-027", "REQ-P3-037", "REQ-P3-042", "REQ-P3-043",
        "REQ-P3-045", "REQ-SF-022"})
    void asksInTheOrderOfAlgorithm3() {
        play(0.7, 0.7, 0.7, 0.7, 0.7);

        Stream<String> rounds = IntStream.range(0, 5).mapToObj(r -> "round" + r + "/");
        assertThat(scenario.leaves()).containsExactlyElementsOf(
                rounds.flatMap(round -> Stream.of("ens_planner", "ensembler", "evaluation/leakage", "evaluation/script")
                        .map(round::concat)).toList());
        assertThat(scenario.together()).isEmpty();
    }

    @Test
    @Requirement({"REQ-P3-003", "REQ-P3-004", "REQ-P3-005", "REQ-P3-012", "REQ-P3-013", "REQ-P3-016", "REQ-P3-019",
        "REQ-P3-020", "REQ-P3-022", "REQ-P3-023", "REQ-P3-024", "REQ-P3-032", "REQ-P3-033", "REQ-P3-034", "REQ-P3-042",
        "REQ-P3-044"})
    void everyRoundKnowsThoseBeforeItAndLeavesARecordInOrder() {
        Phase3Result result = play(0.85, 0.88, null, 0.87, 0.86);

        assertThat(scenario.asked(EnsPlanner.class)).hasSize(5).startsWith(
                new EnsPlanner(CONTENTS, ALONE, List.of(), List.of(), null),
                new EnsPlanner(CONTENTS, ALONE, List.of("Plan 0."), List.of(0.85), null),
                new EnsPlanner(CONTENTS, ALONE, List.of("Plan 0.", "Plan 1."), List.of(0.85, 0.88), null),
                new EnsPlanner(CONTENTS, ALONE, List.of("Plan 0.", "Plan 1.", "Plan 2."),
                        Arrays.asList(0.85, 0.88, null), null));
        assertThat(scenario.asked(Ensembler.class)).hasSize(5)
                .startsWith(new Ensembler(CONTENTS, ALONE, "Plan 0."), new Ensembler(CONTENTS, ALONE, "Plan 1."));
        assertThat(result.inputSolutions()).isEqualTo(INPUTS);
        assertThat(result.ensemblePlans()).containsExactly("Plan 0.", "Plan 1.", "Plan 2.", "Plan 3.", "Plan 4.");
        assertThat(result.ensembleScores()).containsExactly(0.85, 0.88, null, 0.87, 0.86);
        assertThat(result.bestEnsemble()).isEqualTo(ensemble(1, 0.88));
        assertThat(result.bestEnsembleScore()).isEqualTo(0.88);
        assertThat(result.attempts()).containsExactly(new EnsembleAttempt("Plan 0.", ensemble(0, 0.85), null, null),
                new EnsembleAttempt("Plan 1.", ensemble(1, 0.88), null, null),
                new EnsembleAttempt("Plan 2.",
                        SolutionScript.unscored(script("mean2()", null), SolutionPhase.ENSEMBLE).by("phase3/round2")
                                .failed(),
                        "ValueError: broken", null),
                new EnsembleAttempt("Plan 3.", ensemble(3, 0.87), null, null),
                new EnsembleAttempt("Plan 4.", ensemble(4, 0.86), null, null));
    }

    @Test
    @Requirement({"REQ-P3-024", "REQ-P3-025", "REQ-P3-029", "REQ-P3-035"})
    void lastOfTheBestRoundsWins() {
        Phase3Result result = play(0.85, 0.88, null, 0.87, 0.88);

        assertThat(result.bestEnsemble()).isEqualTo(ensemble(4, 0.88));
        assertThat(result.bestEnsembleScore()).isEqualTo(0.88);
    }

    @Test
    @Requirement({"REQ-P3-030", "REQ-P3-032"})
    void ensemblerWithoutCodeLeavesAnEmptyScript() {
        scenario.answers(Ensembler.class, code("mean()\n# score 0.7")).answerAt("round0/ensembler", Texts.NO_CODE)
                .fail("round2", "round3", "round4");

        Phase3Result result = scenario.play(new Ensemble(INPUTS));

        assertThat(result.attempts().getFirst()).isEqualTo(
                new EnsembleAttempt("Plan 0.", scriptOf("", SolutionPhase.ENSEMBLE, null, false, null),
                        "the ensembler failed", null));
        assertThat(result.bestEnsembleScore()).isEqualTo(0.7);
        assertThat(scenario.leaves()).doesNotContain("round0/evaluation/script");
    }

    @Test
    @Requirement({"REQ-P3-022", "REQ-P3-031"})
    void placeholderOfAFailedPlannerEntersTheHistory() {
        scenario.answerAt("round0/ens_planner", " \n").fail("round1/ens_planner", "round3");

        Phase3Result result = play(0.7, 0.7, 0.7);

        assertThat(result.ensemblePlans()).containsExactly("[ens_planner failed]", "[ens_planner failed]", "Plan 0.",
                "[round failed]", "Plan 1.");
        assertThat(result.attempts().getFirst().solution().content()).isEmpty();
        assertThat(scenario.asked(EnsPlanner.class).get(2)).isEqualTo(new EnsPlanner(CONTENTS, ALONE,
                List.of("[ens_planner failed]", "[ens_planner failed]"), Arrays.asList(null, null), null));
    }

    @Test
    @Requirement({"REQ-P3-028", "REQ-SF-007"})
    void aRepairedRoundIsKnownToTheNextPlannerAndIsNotSubsampled() {
        scenario.answers(Debugger.class, code(script("smaller()", 0.7)));

        Phase3Result result = play(null, 0.9, 0.9, 0.9, 0.9);

        assertThat(result.ensembleScores()).startsWith(0.7, 0.9);
        assertThat(result.attempts().getFirst().repaired()).isEqualTo("1 repair: ValueError: broken");
        assertThat(scenario.asked(EnsPlanner.class).get(1).repairs()).containsExactly("1 repair: ValueError: broken");
        assertThat(scenario.asked(Debugger.class).getFirst().phase()).isEqualTo(SolutionPhase.ENSEMBLE);
    }

    @ParameterizedTest
    @CsvSource({"false, 0.84", "true, 0.8"})
    @Requirement({"REQ-P3-026", "REQ-P3-035", "REQ-P3-038"})
    void ifAllRoundsFailTheBestInputStands(boolean lower, double expected) {
        if (lower) {
            scenario.minimize();
        }

        Phase3Result result = play(null, null, null, null, null);

        assertThat(result.bestEnsembleScore()).isEqualTo(expected);
        assertThat(INPUTS).contains(result.bestEnsemble());
        assertThat(result.attempts()).hasSize(5);
    }

    @Test
    @Requirement("REQ-P3-018")
    void singleSolutionIsGivenBackWithoutAnyQuestion() {
        SolutionScript only = solution("one()", 0.8);

        assertThat(scenario.play(new Ensemble(List.of(only))))
                .isEqualTo(new Phase3Result(List.of(only), List.of(), List.of(), only, 0.8, List.of(), List.of()));
        assertThat(scenario.leaves()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"round2", "round2/ens_planner", "round2/ensembler", "round2/evaluation/script"})
    @Requirement("REQ-OR-030")
    void stopGivesBackTheBestOfTheRoundsThatWereFinished(String from) {
        scenario.stopFrom(from);

        Phase3Result result = play(0.5, 0.4, 0.99);

        assertThat(result.bestEnsemble()).isEqualTo(ensemble(0, 0.5));
        assertThat(result.attempts()).hasSize(2);
    }

    /// The first fold, and two turns of two.
    @ParameterizedTest
    @CsvSource({"600, 189", "60, 60"})
    void aCombinationKnowsTheTimeOfItsRuns(int ofScripts, int seconds) {
        RunContext strong = new Scenario(
                Map.of("search", "strong", "time_limit_seconds", 5_400, "script_timeout_seconds", ofScripts))
                .hideFolds(5).at(2).context();

        assertThat(Combination.of(INPUTS, List.of(), null, null, strong).orElseThrow().plan())
                .endsWith("A run of it has about " + seconds + " s.");
    }
}
