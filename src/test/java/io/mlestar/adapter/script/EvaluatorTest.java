package io.mlestar.adapter.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.CpuTime;
import io.mlestar.Requirement;
import io.mlestar.adapter.script.Sandbox.Raw;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.Score;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The facts that are read of a script that ended: its score, its traceback, and what became of it.
class EvaluatorTest {
    private static final String SCORE = "Final Validation Performance: 0.82\n";
    private static final String TRACEBACK =
            "Traceback (most recent call last):\n  File \"solution.py\", line 1, in <module>\n    1 / 0\nZeroDivisionError: division by zero";
    private static final String SYNTAX_ERROR =
            "  File \"solution.py\", line 1\n    def f(:\n          ^\nSyntaxError: invalid syntax\n";

    private static final String SIMPLE = """
            Traceback (most recent call last):
              File "solution.py", line 3, in <module>
                train(None)
              File "solution.py", line 2, in train
                return data.shape
                       ^^^^^^^^^^
            AttributeError: 'NoneType' object has no attribute 'shape'""";

    private static Raw raw(String stdout, String stderr, int exitCode) {
        return new Raw(stdout, stderr, exitCode, 1.5, false);
    }

    private static String bug(Raw raw) {
        return Evaluator.bug(Evaluator.result(raw), "", raw.timedOut(), 600);
    }

    @Test
    @Requirement("REQ-EX-013")
    void anExitCodeATimeoutOrATracebackIsAnError() {
        assertThat(Evaluator.isError(raw(SCORE, "", 1))).isTrue();
        assertThat(Evaluator.isError(new Raw(SCORE, "", 0, 5, true))).isTrue();
        assertThat(Evaluator.isError(raw(SCORE, TRACEBACK, 0))).isTrue();
    }

    @Test
    @Requirement("REQ-EX-014")
    void aGoodRunHasItsScoreAndNoTraceback() {
        assertThat(Evaluator.result(raw(SCORE, "warning", 0)))
                .isEqualTo(new EvaluationResult(Score.printed(0.82), SCORE, "warning", 0, 1.5, false, null));
        assertThat(Evaluator.bug(Evaluator.result(raw(SCORE, "", 0)), "", false, 600)).isEmpty();
        assertThat(Evaluator.result(raw("done\n", "", 0)).score()).isEqualTo(Score.NONE);
    }

    @Test
    @Requirement("REQ-EX-014")
    void aFailedRunHasItsTracebackAndKeepsTheScoreItPrinted() {
        assertThat(Evaluator.result(raw(SCORE, "log\n" + TRACEBACK + "\n", 1)))
                .isEqualTo(new EvaluationResult(Score.printed(0.82), SCORE, "log\n" + TRACEBACK + "\n", 1, 1.5, true,
                        TRACEBACK));
        assertThat(bug(raw("", TRACEBACK + "\nlog\n", 1))).isEqualTo(TRACEBACK);
    }

    @Test
    void aTimeoutIsMadeIntoATracebackAndTheResultHasNone() {
        Raw raw = new Raw("", "epoch 1\n", -1, 600.2, true);
        assertThat(bug(raw)).startsWith(Tracebacks.HEADER).contains("epoch 1")
                .endsWith("TimeoutError: the script was stopped after 600 seconds");
        assertThat(Evaluator.result(raw).errorTraceback()).isNull();
        assertThat(bug(new Raw("", TRACEBACK + "\n", -1, 600.2, true)))
                .as("a traceback that was logged before counts less")
                .endsWith("TimeoutError: the script was stopped after 600 seconds");
    }

    @Test
    void aSignalAndAnExitCodeWithoutAWordAreNamed() {
        assertThat(bug(raw("", "", 137)))
                .isEqualTo(Tracebacks.HEADER + "\nRuntimeError: the script was killed by signal 9"
                        + ", mostly because the machine was out of memory: take less of it at once");
        assertThat(bug(raw("", "UserWarning: old\n", 139))).startsWith(Tracebacks.HEADER).contains("UserWarning: old")
                .endsWith("RuntimeError: the script was killed by signal 11");
        assertThat(bug(raw("", "\n", 3)))
                .isEqualTo(Tracebacks.HEADER + "\nRuntimeError: the script ended with exit code 3");
    }

    @Test
    void aSyntaxErrorGetsTheHeaderThatPythonLeavesOut() {
        assertThat(bug(raw("", SYNTAX_ERROR, 1))).startsWith(Tracebacks.HEADER + "\n  File \"solution.py\", line 1\n")
                .endsWith("SyntaxError: invalid syntax\n");
        assertThat(Evaluator.result(raw("", SYNTAX_ERROR, 1)).errorTraceback()).isNull();
    }

    @Test
    void aSubmissionScriptThatCrashedKeepsItsOwnError() {
        EvaluationResult crashed = Evaluator.result(raw("", TRACEBACK, 1));
        assertThat(Evaluator.counted(crashed, Kind.SUBMISSION, Optional.of("./final/submission.csv was not created")))
                .isEqualTo(crashed);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void onlySubmissionScriptsNeedASubmission(Kind kind) {
        EvaluationResult good = Evaluator.result(raw(SCORE, "", 0));
        EvaluationResult counted = Evaluator.counted(good, kind, Optional.of("none"));
        assertThat(counted.isError()).isEqualTo(kind == Kind.SUBMISSION);
    }

    @ParameterizedTest
    @Requirement({"REQ-EX-011", "REQ-DM-027"})
    @CsvFileSource(resources = "/cases/printed-scores.csv", numLinesToSkip = 1, quoteCharacter = '"')
    void readsTheNumberAfterTheWords(String printed, double score) {
        assertThat(Scores.parse("epoch 1\nFinal Validation Performance: " + printed + "\n")).hasValue(score);
    }

    @ParameterizedTest
    @Requirement("REQ-EX-011")
    @ValueSource(
            strings = {"nan", "inf", "-inf", "None", "e", "-", "0.8196.", "1.2.3", "1e999", "-1e999", "1-2", "",
                "[0.5]", "np.float64(nan)", "np.float64()", "0,85", "1,234.5", "1_000", "0x10", "-0xFF", "0b1"})
    void whatIsNoFiniteNumberIsNoScore(String printed) {
        assertThat(Scores.parse("Final Validation Performance: " + printed + "\n")).isEmpty();
    }

    @ParameterizedTest
    @Requirement("REQ-EX-011")
    @ValueSource(
            strings = {"", "Training complete.\n", "final validation performance: 0.5", "Validation Performance: 0.5",
                "Final Validation Performance 0.5", "0.5"})
    void withoutTheWordsThereIsNoScore(String stdout) {
        assertThat(Scores.parse(stdout)).isEmpty();
    }

    @Test
    @Requirement("REQ-EX-011")
    void theLastOfSeveralCountsAndWordsWithoutANumberHideNothing() {
        assertThat(
                Scores.parse("Final Validation Performance: 0.5\nbetter:\nFinal Validation Performance: 0.8\ndone\n"))
                .hasValue(0.8);
        assertThat(Scores.parse("Final Validation Performance: 0.5\nFinal Validation Performance: pending\n"))
                .hasValue(0.5);
        assertThat(
                Scores.parse("Final Validation Performance: 0.5\nFinal Validation Performance: information follows\n"))
                .hasValue(0.5);
    }

    @ParameterizedTest
    @Requirement("REQ-EX-011")
    @ValueSource(strings = {"nan", "NaN", "-nan", "inf", "-inf", "Infinity", "-Infinity", "1e999", "0x10", "0,5",
        "0.6."})
    void aLastNumberThatIsNoScoreHidesTheOneBefore(String last) {
        assertThat(Scores.parse("Final Validation Performance: 0.5\nFinal Validation Performance: " + last + "\n"))
                .isEmpty();
    }

    @Test
    void theNumberMayStandOnTheNextLine() {
        assertThat(Scores.parse("Final Validation Performance:\n  0.5\n")).hasValue(0.5);
        assertThat(Scores.parse("Final Validation Performance:\t0.5\r\n")).hasValue(0.5);
    }

    @Test
    @Requirement("REQ-EX-036")
    void aMegabyteIsReadInTenMilliseconds() throws Exception {
        String end = "Final Validation Performance: 0.8196\n";
        String epochs = "epoch 17: loss 0.4711, accuracy 0.8150\n".repeat(28_000);
        for (String output : List.of(epochs + end, end + epochs, epochs)) {
            assertThat(output.length()).isGreaterThan(1_000_000);
            assertThat(CpuTime.ofThread(() -> Scores.parse(output))).isLessThan(Duration.ofMillis(10));
        }
    }

    @ParameterizedTest
    @Requirement("REQ-EX-012")
    @ValueSource(strings = {"", "UserWarning: old\n", "  File \"solution.py\", line 1\nSyntaxError: invalid syntax\n"})
    void withoutAHeaderThereIsNone(String stderr) {
        assertThat(Tracebacks.last(stderr)).isEmpty();
    }

    /// Text before and after a traceback that does not belong to it.
    private static Stream<Arguments> surroundings() {
        String cause =
                "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nKeyError: 'target'\n\n";
        return Stream.of(Arguments.of("", ""), Arguments.of("", "\n"),
                Arguments.of("INFO loading\n", "\nINFO cleaning up\n  indented log\n"),
                Arguments.of(cause + "During handling of the above exception, another exception occurred:\n\n", "\n"),
                Arguments.of(cause + "The above exception was the direct cause of the following exception:\n\n", "\n"),
                Arguments.of(cause + "retrying\n", "\nINFO cleaning up\n"));
    }

    @ParameterizedTest
    @Requirement("REQ-EX-012")
    @MethodSource("surroundings")
    void reachesFromTheLastHeaderToTheException(String before, String after) {
        assertThat(Tracebacks.last(before + SIMPLE + after)).hasValue(SIMPLE);
        assertThat(Tracebacks.last("50%\r100%\r\n" + (before + SIMPLE + after).replace("\n", "\r\n"))).hasValue(SIMPLE);
    }

    @Test
    @Requirement("REQ-EX-012")
    void anExceptionGroupBeginsAtTheWordTraceback() {
        String group = """
                  + Exception Group Traceback (most recent call last):
                  |   File "a.py", line 1, in <module>
                  |     raise ExceptionGroup("folds", [ValueError("fold 2")])
                  | ExceptionGroup: folds (1 sub-exception)
                  +-+---------------- 1 ----------------
                    | ValueError: fold 2
                    +------------------------------------
                """;
        assertThat(Tracebacks.last(group).orElseThrow()).startsWith(Tracebacks.HEADER + "\n")
                .contains("ExceptionGroup: folds (1 sub-exception)").contains("ValueError: fold 2");
    }

    /// Without a message; of an imported module, with its marks; with repeated frames; cut off.
    @ParameterizedTest
    @ValueSource(strings = {"  File \"a.py\", line 1, in <module>\n    raise KeyboardInterrupt\nKeyboardInterrupt",
        "  File \"solution.py\", line 1\n    import other\n  File \"other.py\", line 1\n    def f(:\n          ^\nSyntaxError: invalid syntax",
        "  File \"a.py\", line 2, in f\n    return f()\n  [Previous line repeated 996 more times]\nRecursionError: maximum recursion depth exceeded",
        "  File \"a.py\", line 1, in <module>"})
    void everyFormIsKeptWhole(String frames) {
        String traceback = Tracebacks.HEADER + "\n" + frames;
        assertThat(Tracebacks.last(traceback + (frames.contains("Error") ? "\nbye\n" : ""))).hasValue(traceback);
        assertThat(Tracebacks.last(Tracebacks.HEADER)).hasValue(Tracebacks.HEADER);
    }

    @Test
    void aMadeUpOneHasAHeaderTheTailAndTheReason() {
        assertThat(Tracebacks.madeUp("", "TimeoutError: 5 s")).isEqualTo(Tracebacks.HEADER + "\nTimeoutError: 5 s");
        assertThat(Tracebacks.madeUp("warning\n\n", "TimeoutError: 5 s"))
                .isEqualTo(Tracebacks.HEADER + "\nwarning\nTimeoutError: 5 s");
        assertThat(Tracebacks.madeUp("x".repeat(100_000) + "end\n", "TimeoutError: 5 s")).startsWith(Tracebacks.HEADER)
                .endsWith("xend\nTimeoutError: 5 s").hasSizeLessThan(4_000);
    }
}
