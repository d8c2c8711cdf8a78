package io.mlestar.core.phase;

import static io.mlestar.core.phase.Texts.code;
import static io.mlestar.core.task.Examples.scriptOf;
import static io.mlestar.core.task.Examples.trial;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.agent.Coder;
import io.mlestar.core.agent.Debugger;
import io.mlestar.core.agent.Planner;
import io.mlestar.core.task.Results.RefinementAttempt;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript.Trial;
import io.mlestar.core.task.SolutionScript;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Algorithm 2, lines 9 to 25: the inner loop.
class RefineBlockTest {
    private static final String BLOCK = "    fit('linear')\n    # score 0.8";
    private static final SolutionScript SOLUTION =
            SolutionScript.unscored("def main():\n" + BLOCK + "\n\nmain()", SolutionPhase.MERGED)
                    .scored(Score.printed(0.8)).ranFor(273);
    private static final Trial TRIAL = trial(0.8, 273.0);

    private final Scenario scenario = new Scenario(Map.of("inner_loop_steps", 4))
            .answers(Planner.class, "Plan 1.", "Plan 2.", "Plan 3.").answer(Debugger.class, asked -> Texts.NO_CODE);

    private static Coder coder(String plan) {
        return new Coder(BLOCK, plan, TRIAL, SOLUTION.content());
    }

    private static Planner planner(List<String> plans, List<Double> scores, List<String> repairs) {
        return new Planner(BLOCK, TRIAL, plans, scores, repairs, SOLUTION.content());
    }

    private RefineBlock.Result play() {
        return new RefineBlock("phase2-path0/block0", SOLUTION, BLOCK, "Plan 0.").run(scenario.steps());
    }

    private static String block(Object score) {
        return "    fit('other')\n    # score " + score;
    }

    private static String replaced(String block) {
        return "def main():\n" + block + "\n\nmain()";
    }

    private Scenario coderScores(Object... scores) {
        return scenario.answers(Coder.class,
                Arrays.stream(scores).map(score -> code(block(score))).toArray(String[]::new));
    }

    @Test
    @Requirement({"REQ-P2I-016", "REQ-P2I-017", "REQ-P2I-018", "REQ-P2I-019", "REQ-P2I-021", "REQ-P2I-022",
        "REQ-P2I-023", "REQ-P2I-030", "REQ-P2I-040", "REQ-P2I-046", "REQ-P2I-049", "REQ-P2I-050", "REQ-SF-022"})
    void asksInTheOrderOfAlgorithm2AndAlwaysStartsFromTheOriginalBlockAndScript() {
        coderScores(0.85, 0.9, 0.95, 0.99);

        play();

        assertThat(scenario.leaves()).containsExactly(
                "attempt0/coder", "attempt0/evaluation/leakage", "attempt0/evaluation/script",
                "attempt1/planner", "attempt1/coder", "attempt1/evaluation/leakage", "attempt1/evaluation/script",
                "attempt2/planner", "attempt2/coder", "attempt2/evaluation/leakage", "attempt2/evaluation/script",
                "attempt3/planner", "attempt3/coder", "attempt3/evaluation/leakage", "attempt3/evaluation/script");
        assertThat(scenario.together()).isEmpty();
        assertThat(scenario.asked(Coder.class)).containsExactly(
                coder("Plan 0."), coder("Plan 1."), coder("Plan 2."), coder("Plan 3."));
        assertThat(scenario.ran()).containsExactly(
                replaced(block(0.85)), replaced(block(0.9)), replaced(block(0.95)), replaced(block(0.99)));
        assertThat(SOLUTION.content()).isEqualTo(replaced(BLOCK));
    }

    @Test
    @Requirement({"REQ-P2I-011", "REQ-P2I-020", "REQ-P2I-035"})
    void plannerGetsTheWholeHistoryFailuresAndRepairsIncluded() {
        scenario.answers(Coder.class, code(block(0.82)), code("    # timeout"), Texts.NO_CODE, code(block(0.7)))
                .answers(Debugger.class, code(replaced(block(0.75))));

        play();

        List<String> repairs = Arrays.asList(null, "1 repair: timed out after 2.5 s");
        assertThat(scenario.asked(Planner.class)).containsExactly(planner(List.of("Plan 0."), List.of(0.82), List.of()),
                planner(List.of("Plan 0.", "Plan 1."), List.of(0.82, 0.75), repairs),
                planner(List.of("Plan 0.", "Plan 1.", "Plan 2."), Arrays.asList(0.82, 0.75, null),
                        Arrays.asList(null, "1 repair: timed out after 2.5 s", null)));
    }

    static Stream<Arguments> scores() {
        return Stream.of(
                Arguments.of(false, List.of(0.82, 0.85, 0.7, 0.7), 0.85, List.of(true, true, false, false)),
                Arguments.of(false, List.of(0.85, 0.82, 0.7, 0.7), 0.85, List.of(true, false, false, false)),
                Arguments.of(false, List.of(0.7, 0.79, 0.8, 0.81), 0.81, List.of(false, false, true, true)),
                Arguments.of(true, List.of(0.85, 0.75, 0.78, 0.5), 0.5, List.of(false, true, false, true)));
    }

    @ParameterizedTest
    @MethodSource("scores")
    @Requirement({"REQ-P2I-024", "REQ-P2I-025", "REQ-P2I-037", "REQ-P2I-047"})
    void bestIsTrackedByTheDirectionOfTheMetricAndNeverGetsWorse(
            boolean lower, List<Double> scores, double expected, List<Boolean> improvements) {
        Scenario directed = lower ? scenario.minimize() : scenario;
        coderScores(scores.toArray());

        RefineBlock.Result result = play();

        assertThat(result.bestSolution().score().value()).isEqualTo(expected);
        assertThat(result.bestSolution().content()).isEqualTo(replaced(block(expected)));
        assertThat(result.improved()).isTrue();
        assertThat(result.attempts()).extracting(RefinementAttempt::wasImprovement).isEqualTo(improvements);
        assertThat(directed.asked(Attempt.class)).extracting(attempt -> attempt.best().score().value())
                .isSortedAccordingTo((a, b) -> lower ? Double.compare(b, a) : Double.compare(a, b));
    }

    @Test
    @Requirement({"REQ-P2I-025", "REQ-P2I-026", "REQ-P2I-036"})
    void equalScoreIsTakenOverButIsNoImprovement() {
        scenario.answers(Coder.class, code("    fit('a')\n    # score 0.8"), code(block(0.7)),
                code("    fit('b')\n    # score 0.8"), code(block(0.7)));

        RefineBlock.Result result = play();

        assertThat(result.bestSolution())
                .isEqualTo(scriptOf(replaced("    fit('b')\n    # score 0.8"), SolutionPhase.REFINED, 0.8, true, null)
                        .ranFor(2.5).by("phase2-path0/block0/attempt2"));
        assertThat(result.attempts()).extracting(RefinementAttempt::wasImprovement).containsExactly(true, false, true,
                false);
        assertThat(result.improved()).isFalse();
    }

    @Test
    @Requirement({"REQ-P2I-028", "REQ-P2I-029", "REQ-P2I-032", "REQ-P2I-034", "REQ-P2I-048", "REQ-DM-042"})
    void everyAttemptLeavesARecordInOrder() {
        scenario.answers(Coder.class, code(block(0.7)), Texts.NO_CODE, code(block(0.9)))
                .answerAt("attempt2/planner", "  \n");

        assertThat(play().attempts()).containsExactly(
                new RefinementAttempt("Plan 0.", 0.7, block(0.7), false, null),
                RefinementAttempt.failed("Plan 1.", ""),
                RefinementAttempt.failed("[planner failed]", ""),
                new RefinementAttempt("Plan 2.", 0.9, block(0.9), true, null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"    # score 0.99\n    # crash late", "    # timeout", "    print('no score')"})
    @Requirement({"REQ-P2I-027", "REQ-P2I-031"})
    void attemptWithoutAScoreThatCountsIsNeverTheBest(String block) {
        scenario.answers(Coder.class, code(block), code(block(0.7)), code(block(0.7)), code(block(0.7)));

        RefineBlock.Result result = play();

        assertThat(result.attempts().getFirst()).isEqualTo(RefinementAttempt.failed("Plan 0.", block));
        assertThat(result.bestSolution()).isEqualTo(SOLUTION);
    }

    @Test
    @Requirement({"REQ-P2I-033", "REQ-P2I-041"})
    void blockThatIsNotInTheScriptFailsEveryAttemptButNotTheLoop() {
        coderScores(0.9, 0.9, 0.9, 0.9);

        RefineBlock.Result result =
                new RefineBlock("phase2-path0/block0", SOLUTION, "gone()", "Plan 0.").run(scenario.steps());

        assertThat(result.attempts()).extracting(RefinementAttempt::codeBlock).containsOnly(block(0.9)).hasSize(4);
        assertThat(result.attempts()).extracting(RefinementAttempt::score).containsOnlyNulls();
        assertThat(scenario.ran()).isEmpty();
        assertThat(result.bestSolution()).isEqualTo(SOLUTION);
    }

    @Test
    @Requirement({"REQ-P2I-038", "REQ-P2I-041", "REQ-P2I-048"})
    void ifAllFailTheInputStands() {
        scenario.fail("attempt2").answer(Coder.class, asked -> Texts.NO_CODE);

        RefineBlock.Result result = play();

        assertThat(result.attempts()).extracting(RefinementAttempt::plan).containsExactly("Plan 0.", "Plan 1.",
                "[attempt failed]", "Plan 2.");
        assertThat(result).extracting("bestSolution", "improved").containsExactly(SOLUTION, false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"attempt2", "attempt2/planner", "attempt2/coder", "attempt2/evaluation",
        "attempt2/evaluation/script"})
    @Requirement("REQ-OR-030")
    void stopGivesBackTheBestOfTheAttemptsThatWereFinished(String from) {
        coderScores(0.9, 0.7, 0.99);
        scenario.stopFrom(from);

        RefineBlock.Result result = play();

        assertThat(result.attempts()).hasSize(2);
        assertThat(result.bestSolution().score().value()).isEqualTo(0.9);
    }
}
