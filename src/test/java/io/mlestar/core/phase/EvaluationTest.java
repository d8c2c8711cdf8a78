package io.mlestar.core.phase;

import static io.mlestar.core.phase.Texts.code;
import static io.mlestar.core.phase.Texts.leaks;
import static io.mlestar.core.task.Examples.scriptOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.Requirement;
import io.mlestar.core.agent.Debugger;
import io.mlestar.core.agent.Leakage;
import io.mlestar.core.agent.LeakageCorrection;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepStopped;
import io.mlestar.core.task.Results.Leak;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EvaluationTest {
    private static final String PRINT = "print(f\"Final Validation Performance: {final_validation_score}\")";
    private static final String FIXED = PRINT + "\n# score 0.7";
    private static final SolutionScript LEAKY =
            SolutionScript.unscored("load()\nscale(everything)\nfill(everything)\nfit()\n", SolutionPhase.INIT)
                    .from("lightgbm");

    private final Scenario scenario = new Scenario(Map.of("script_timeout_seconds", 500, "time_limit_seconds", 3600));

    private Evaluation.Result evaluated(String content) {
        return scenario.play(
                new Evaluation(SolutionScript.unscored(content, SolutionPhase.INIT).from("xgboost"), Kind.SOLUTION));
    }

    @Test
    @Requirement({"REQ-SF-022", "REQ-EX-021", "REQ-EX-032", "REQ-DM-026"})
    void scriptIsCheckedForLeakageThenRunOnce() {
        Evaluation.Result evaluated = evaluated("# score 0.7");

        assertThat(scenario.leaves()).containsExactly("leakage", "script");
        assertThat(evaluated.failure()).isNull();
        assertThat(evaluated.durationSeconds()).isEqualTo(2.5);
        assertThat(evaluated.script())
                .isEqualTo(scriptOf("# score 0.7", SolutionPhase.INIT, 0.7, true, "xgboost").ranFor(2.5));
    }

    @Test
    @Requirement({"REQ-EX-021", "REQ-SF-003", "REQ-SF-006", "REQ-SF-007"})
    void debuggerGetsTheLatestScriptAndItsOwnTraceback() {
        String second = PRINT + "\n# crash two";
        scenario.answers(Debugger.class, code(second), code(FIXED));

        assertThat(evaluated("# crash one").script().score().value()).isEqualTo(0.7);
        assertThat(scenario.asked(Debugger.class)).containsExactly(
                new Debugger("# crash one", "Traceback (most recent call last):\nValueError: one", Kind.SOLUTION,
                        SolutionPhase.INIT,
                        "crashed: ValueError: one"),
                new Debugger(second, "Traceback (most recent call last):\nValueError: two", Kind.SOLUTION,
                        SolutionPhase.INIT, "crashed: ValueError: two"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    @Requirement({"REQ-EX-021", "REQ-SF-006", "REQ-SF-008"})
    void whenAllAttemptsAreUsedUpTheLastScriptIsGivenBackAsFailed(int attempts) {
        Scenario limited = new Scenario(Map.of("max_debug_attempts", attempts))
                .answer(Debugger.class, asked -> code(asked.code() + "\n" + PRINT + "\n# crash again"));

        Evaluation.Result evaluated = limited
                .play(new Evaluation(SolutionScript.unscored("# crash one", SolutionPhase.MERGED), Kind.SOLUTION));

        assertThat(limited.asked(Debugger.class)).hasSize(attempts);
        assertThat(limited.ran()).hasSize(attempts + 1);
        assertThat(evaluated.failure()).isEqualTo("ValueError: again");
        assertThat(evaluated.script())
                .isEqualTo(scriptOf(limited.ran().getLast(), SolutionPhase.MERGED, null, false, null));
    }

    @Test
    @Requirement("REQ-SF-022")
    void debuggedScriptIsCheckedForLeakageBeforeItRuns() {
        scenario.answers(Leakage.class, Texts.CLEAN, leaks("scale(all)"))
                .answers(Debugger.class, code("scale(all)\n" + FIXED))
                .answers(LeakageCorrection.class, code("scale(train)"));

        assertThat(evaluated("# crash one").script().content()).isEqualTo("scale(train)\n" + FIXED);
        assertThat(scenario.leaves())
                .containsExactly("leakage", "script", "debugger", "leakage-2", "leakage-correction", "script-2");
    }

    @Test
    @Requirement({"REQ-EX-021", "REQ-P2I-027"})
    void scriptThatPrintsNoScoreIsNotDebugged() {
        Evaluation.Result evaluated = evaluated("print('done')");

        assertThat(scenario.leaves()).containsExactly("leakage", "script");
        assertThat(evaluated.script().score().value()).isNull();
        assertThat(evaluated.script().isExecutable()).isTrue();
        assertThat(evaluated.failure()).isEqualTo(
                "ran, but printed no score (the last line must be `Final Validation Performance: <number>`)");
    }

    @ParameterizedTest
    @ValueSource(strings = {Texts.NO_CODE, "", "```python\nPRINT\n# timeout\n```"})
    @Requirement("REQ-SF-040")
    void scriptThatTimedOutIsNotRunAgainUnchanged(String answer) {
        scenario.answer(Debugger.class, asked -> answer.replace("PRINT", PRINT));

        assertThat(evaluated(PRINT + "\n# timeout").failure()).isEqualTo("timed out after 2.5 s");
        assertThat(scenario.leaves()).containsExactly("leakage", "script", "debugger", "debugger-2", "debugger-3");
    }

    @Test
    void whatAScriptPrintedBeforeItsTimeWasUpTellsWhereItWent() {
        scenario.answer(Debugger.class, asked -> "");
        evaluated("# prints fold 0: 300 s\n# timeout");
        assertThat(scenario.asked(Debugger.class).getFirst().bug())
                .endsWith("\n\nBefore, it had printed:\n\nfold 0: 300 s");
    }

    @Test
    @Requirement({"REQ-EX-021", "REQ-SF-040"})
    void debuggerOutOfReachIsNotAskedTheSameAgain() {
        scenario.fail("debugger");

        Evaluation.Result evaluated = evaluated("# crash one");

        assertThat(evaluated.failure()).isEqualTo("ValueError: one");
        assertThat(scenario.leaves()).containsExactly("leakage", "script", "debugger");
        assertThat(evaluated.repairs()).isEqualTo(1);
    }

    @Test
    @Requirement("REQ-SF-022")
    void repairThatTheLeakageCheckUndoesIsNotRunAgain() {
        String broken = PRINT + "\nscale(train)\n# crash one";
        scenario.answer(Leakage.class, asked -> asked.code().contains("scale(all)") ? leaks("scale(all)") : null)
                .answer(LeakageCorrection.class, asked -> code("scale(train)"))
                .answer(Debugger.class, asked -> code(asked.code().replace("train", "all")));

        assertThat(evaluated(broken).script().content()).isEqualTo(broken);
        assertThat(scenario.ran()).containsExactly(broken);
        assertThat(scenario.asked(Debugger.class)).hasSize(3);
    }

    @Test
    @Requirement("REQ-SF-010")
    void repairedSolutionWithoutScoreLineGetsOneBeforeTheMainBlockAndNeverTwo() {
        String main = "\nif __name__ == '__main__':\n    main()\n";
        scenario.answers(Debugger.class, code("final_validation_score = 1\n# score 0.7"));

        assertThat(evaluated("# crash one").script().content())
                .isEqualTo("final_validation_score = 1\n# score 0.7\n" + PRINT + "\n");
        assertThat(DebugLoop.withScoreLine("x = 1" + main)).isEqualTo("x = 1\n" + PRINT + main);
        assertThat(DebugLoop.withScoreLine(PRINT + main)).isEqualTo(PRINT + main);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "a repair that crashes     | # crash worse                  | 0.7 | # score 0.7",
        "a repair that is worse    | # score 0.6                    | 0.7 | # score 0.7",
        "a repair without a score  | # prints nothing               | 0.7 | # score 0.7",
        "a repair as doubtful      | # score 0.6 ; # grumbles again | 0.7 | # score 0.7",
        "a repair as good          | # score 0.7 ; # repaired       | 0.7 | # repaired",
        "a better one, as doubtful | # score 0.8 ; # grumbles again | 0.8 | # grumbles again"})
    @Requirement("REQ-EX-013")
    void aScoreWithATracebackAtExitCodeZeroStandsUnlessItsRepairIsAsGood(String what, String repair, double score,
            String stands) {
        scenario.answer(Debugger.class, asked -> code(PRINT + "\n" + repair.replace(" ; ", "\n")));

        Evaluation.Result evaluated = evaluated("# score 0.7\n# submits 3\n# grumbles thread");

        assertThat(scenario.asked(Debugger.class)).as("the debugger is asked all the same").isNotEmpty();
        assertThat(evaluated.script().score().value()).as(what).isEqualTo(score);
        assertThat(evaluated.script().content()).contains(stands);
        assertThat(evaluated.failure()).isNull();
        assertThat(evaluated.submission() == null).isEqualTo(!evaluated.script().content().contains("# submits"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"debugger", "leakage-2", "script-2"})
    @Requirement({"REQ-EX-013", "REQ-OR-030"})
    void aScoreWithATracebackStandsIfTheRunHasToFinish(String step) {
        scenario.answers(Debugger.class, code(FIXED)).stopFrom(step);

        assertThat(evaluated("# score 0.6\n# grumbles thread").script().score().value()).isEqualTo(0.6);
    }

    @Test
    @Requirement("REQ-EX-013")
    void aSubmissionWithATracebackStandsIfItsRepairLeavesNone() {
        scenario.answers(Debugger.class, code("# crash one"), code("# crash two"), code("# grumbles three"));

        Evaluation.Result evaluated = scenario.play(new Evaluation(
                SolutionScript.unscored("# submits 7\n# grumbles thread", SolutionPhase.FINAL), Kind.SUBMISSION));

        assertThat(evaluated.submission().rowCount()).isEqualTo(7);
        assertThat(evaluated.failure()).isNull();
        assertThat(evaluated.repairs()).isEqualTo(3);
        assertThat(evaluated.repaired()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"SOLUTION, 500", "SUBMISSION, 3600"})
    @Requirement({"REQ-FN-020", "REQ-EX-046"})
    void solutionsHaveTheirOwnTimeoutAndTheSubmissionTheWholeLimit(Kind kind, int seconds) {
        scenario.play(new Evaluation(SolutionScript.unscored("# score 1\n# submits 1", SolutionPhase.FINAL), kind));

        assertThat(scenario.asked(RunScript.class))
                .containsExactly(new RunScript("# score 1\n# submits 1", kind, seconds));
    }

    @ParameterizedTest
    @ValueSource(strings = {"leakage", "script", "debugger", "script-2"})
    @Requirement("REQ-OR-030")
    void needToFinishEndsTheEvaluation(String step) {
        scenario.answers(Debugger.class, code(FIXED)).stopFrom(step);

        assertThat(scenario
                .outcome(new Evaluation(SolutionScript.unscored("# crash one", SolutionPhase.INIT), Kind.SOLUTION)))
                .isEqualTo(new Outcome.Stopped<Evaluation.Result>("made to stop"));
    }

    private SolutionScript checked() {
        return LeakageCheck.of(LEAKY, scenario.steps()).script();
    }

    @Test
    @Requirement({"REQ-SF-018", "REQ-SF-020", "REQ-SF-035", "REQ-SF-037"})
    void eachLeakIsCorrectedInOrderInACopyAndTheNextOneSeesTheScriptAsItIsThen() {
        scenario.answers(Leakage.class, leaks("scale(everything)  ", "fill(everything)"))
                .answers(LeakageCorrection.class, code("scale(train)"), code("fill(train)"));

        assertThat(checked()).as("it keeps its origin")
                .isEqualTo(LEAKY.rewritten("load()\nscale(train)\nfill(train)\nfit()\n"));
        assertThat(scenario.leaves()).containsExactly("leakage", "leakage-correction", "leakage-correction-2");
        assertThat(scenario.asked(LeakageCorrection.class)).containsExactly(
                new LeakageCorrection(LEAKY.content(), "scale(everything)", Texts.REASON),
                new LeakageCorrection("load()\nscale(train)\nfill(everything)\nfit()\n", "fill(everything)",
                        Texts.REASON));
        assertThat(LEAKY.content()).contains("scale(everything)");
    }

    @Test
    @Requirement("REQ-SF-021")
    void whatBecameOfEachLeakIsKept() {
        scenario.answers(Leakage.class, leaks("scale(all)", "scale(everything)", "fill(everything)", "fit()"))
                .answers(LeakageCorrection.class, code("scale(train)"), code("fill(everything)"), Texts.NO_CODE);

        assertThat(LeakageCheck.of(LEAKY, scenario.steps()).leaks()).containsExactly(
                new Leak("scale(all)", Texts.REASON, "the block is not in the script"),
                new Leak("scale(everything)", Texts.REASON, null),
                new Leak("fill(everything)", Texts.REASON,
                        "the correction changes nothing, or is not of the block alone"),
                new Leak("fit()", Texts.REASON, "no correction was given"));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "No leakage, I think.",
        "{\"answers\": []}",
        """
                {"answers": [{"leakage_status": "Maybe", "code_block": "fit()"}]}""",
        """
                {"answers": [{"leakage_status": "No Data Leakage", "code_block": "fit()"}]}"""})
    @Requirement({"REQ-SF-018", "REQ-SF-038"})
    void noOrAnUnreadableDetectionMeansNoLeakage(String answer) {
        scenario.answers(Leakage.class, answer);

        assertThat(checked()).isSameAs(LEAKY);
        assertThat(scenario.asked(LeakageCorrection.class)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        Texts.NO_CODE,
        "```python\nscale(everything)\n```",
        "```python\nload()\nscale(train)\nfill(train)\nfit()\n```"})
    @Requirement({"REQ-SF-019", "REQ-SF-045"})
    void correctionThatIsEmptyUnchangedOrTheWholeScriptIsRefused(String correction) {
        scenario.answers(Leakage.class, leaks("scale(everything)")).answers(LeakageCorrection.class, correction);

        assertThat(checked()).isSameAs(LEAKY);
    }

    @Test
    @Requirement({"REQ-SF-019", "REQ-SF-045"})
    void wholeScriptIsRefusedForItsFirstLinesTooButAcceptedForTheWhole() {
        String whole = code("load()\nscale(train)\nfill(train)\nfit()");
        scenario.answers(Leakage.class, leaks("load()\nscale(everything)"), leaks(LEAKY.content()))
                .answers(LeakageCorrection.class, whole, whole);

        assertThat(checked()).isSameAs(LEAKY);
        assertThat(checked().content()).isEqualTo("load()\nscale(train)\nfill(train)\nfit()\n");
    }

    @Test
    @Requirement("REQ-OR-030")
    void needToFinishIsNotTakenForALeaklessScript() {
        scenario.stopFrom("leakage");

        assertThatThrownBy(this::checked).isInstanceOf(StepStopped.class);
    }
}
