package io.mlestar.adapter.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.adapter.script.Sandbox.Raw;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.Score;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EvaluatorTest {
    private static final String SCORE = "Final Validation Performance: 0.82\n";
    private static final String TRACEBACK =
            "Traceback (most recent call last):\n  File \"solution.py\", line 1, in <module>\n    1 / 0\nZeroDivisionError: division by zero";
    private static final String SYNTAX_ERROR =
            "  File \"solution.py\", line 1\n    def f(:\n          ^\nSyntaxError: invalid syntax\n";

    private static Raw raw(String stdout, String stderr, int exitCode) {
        return new Raw(stdout, stderr, exitCode, 1.5, false);
    }

    private static String bug(Raw raw) {
        return Evaluator.bug(Evaluator.result(raw), "", raw.timedOut(), 600).orElseThrow();
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
    @Requirement("REQ-EX-006")
    void aRefusedScriptIsAFailedRun() {
        EvaluationResult refused = Evaluator.refused(new Invalid("the script is empty"));
        assertThat(refused).isEqualTo(new EvaluationResult(Score.NONE, "", "", -1, 0, true,
                Tracebacks.HEADER + "\nValueError: the script is empty"));
        assertThat(Evaluator.bug(refused, "", false, 600)).hasValue(refused.errorTraceback());
    }

    @Test
    @Requirement("REQ-EX-024")
    void aSubmissionScriptWithoutASubmissionHasFailed() {
        EvaluationResult counted =
                Evaluator.counted(Evaluator.result(raw(SCORE, "", 0)), Kind.SUBMISSION,
                        Optional.of("./final/submission.csv was not created"));
        assertThat(counted.isError()).isTrue();
        assertThat(counted.errorTraceback()).startsWith(Tracebacks.HEADER).contains("./final/submission.csv");
        assertThat(Evaluator.bug(counted, "", false, 600)).hasValue(counted.errorTraceback());
    }

    @Test
    void aSubmissionScriptThatCrashedKeepsItsOwnError() {
        EvaluationResult crashed = Evaluator.result(raw("", TRACEBACK, 1));
        assertThat(Evaluator.counted(crashed, Kind.SUBMISSION, Optional.of("./final/submission.csv was not created")))
                .isEqualTo(crashed);
    }

    @ParameterizedTest
    @EnumSource(value = Kind.class, names = "SUBMISSION", mode = EnumSource.Mode.EXCLUDE)
    void otherScriptsNeedNoSubmission(Kind kind) {
        EvaluationResult good = Evaluator.result(raw(SCORE, "", 0));
        assertThat(Evaluator.counted(good, kind, Optional.of("none"))).isEqualTo(good);
    }
}
