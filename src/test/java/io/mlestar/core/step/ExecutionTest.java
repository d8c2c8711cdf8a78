package io.mlestar.core.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.step.Execution.Submission;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.Score;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExecutionTest {
    private static final Submission SUBMISSION = new Submission("key", 10, 2);

    private static Execution execution(Double score, int exitCode, boolean timedOut) {
        boolean error = exitCode != 0;
        EvaluationResult evaluation = new EvaluationResult(Score.printed(score), "", "", exitCode, 1.5, error, null);
        return Execution.of(evaluation, timedOut, error ? null : SUBMISSION,
                error ? "Traceback\nValueError: no\n" : null);
    }

    @Test
    void aScorePrintedBeforeAFailureDoesNotCount() {
        assertThat(execution(0.9, 0, false)).isInstanceOfSatisfying(Execution.Scored.class, scored -> {
            assertThat(scored.evaluation().score().value()).isEqualTo(0.9);
            assertThat(scored.submission()).isEqualTo(SUBMISSION);
        });
        assertThat(execution(0.9, 1, false)).isInstanceOfSatisfying(Execution.Crashed.class,
                crashed -> assertThat(crashed.error()).isEqualTo("ValueError: no"));
        assertThat(execution(null, 0, false)).isInstanceOf(Execution.Silent.class);
    }

    @Test
    void aTimeoutAndASignalAreNoCrashes() {
        assertThat(execution(0.9, 143, true)).isInstanceOf(Execution.TimedOut.class);
        assertThat(execution(0.9, 137, false)).isInstanceOf(Execution.Killed.class);
        assertThat(execution(0.9, 128, false)).isInstanceOf(Execution.Crashed.class);
    }

    /// @param printed the last line, and the exit code
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"',
            textBlock = """
                    done                                          | 0   |                                    | ran, but printed no score (the last line must be `Final Validation Performance: <number>`) | false
                    Final Validation Performance:                 | 0   |                                    | ran, but printed no score (the last line must be `Final Validation Performance: <number>`) | false
                    Final Validation Performance: 0,85            | 0   |                                    | ran, but its score `0,85` is not a number | false
                    Final Validation Performance: None yet        | 0   |                                    | ran, but its score `None` is not a number | false
                    Final Validation Performance: nan             | 0   |                                    | ran, but its score `nan` is not a finite number | false
                    Final Validation Performance: -1e999          | 0   |                                    | ran, but its score `-1e999` is not a finite number | false
                    done                                          | 0   | SubmissionError: ./final/submission.csv is not as sample.csv: it lacks y | ran, but its submission is not in the right form: ./final/submission.csv is not as sample.csv: it lacks y | false
                    done                                          | 0   | SubmissionError: ./final/submission.csv was not created or is empty | ran, but wrote no submission: ./final/submission.csv was not created or is empty | false
                    done                                          | 0   | ValueError: in a thread            | ran, but wrote a traceback: ValueError: in a thread | true
                    done                                          | 1   | ValueError: no                     | crashed: ValueError: no | true
                    done                                          | 137 | RuntimeError: killed by signal 9   | crashed: RuntimeError: killed by signal 9 | true
                    done                                          | -1  | TimeoutError: stopped              | timed out after 1,234.5 s | true
                    """)
    void howAScriptEndedIsSaidInWordsAndOnlyACrashATimeoutOrATracebackIsAnError(String printed, int exitCode,
            String bug, String ending, boolean isError) {
        EvaluationResult evaluation =
                new EvaluationResult(Score.NONE, "epoch 1\n" + printed + "\n", "", exitCode, 1_234.5, bug != null, bug);
        Execution execution = Execution.of(evaluation, exitCode < 0, null, bug);
        assertThat(execution.ending(Kind.SOLUTION)).isEqualTo(ending);
        assertThat(execution.isError()).isEqualTo(isError);
        assertThat(execution.reason(Kind.SOLUTION)).isEqualTo(ending.replaceFirst("^crashed: ", ""));
    }

    @Test
    void onlyASolutionHasToPrintItsScore() {
        assertThat(execution(null, 0, false).ending(Kind.ABLATION)).isEqualTo("ran");
        assertThat(execution(null, 0, false).ending(Kind.SUBMISSION)).isEqualTo("ran");
        assertThat(execution(0.5, 0, false).ending(Kind.SOLUTION)).isEqualTo("ran");
    }

    @Test
    void theInnermostFramesOfTheScriptStandInPlaceOfTheDump() {
        String library =
                "\n\nThread 0x1:\n  File \"/lib.py\", line 1 in deep\n  File \"./variants.py\", line 2 in run\n";
        String dump = "Fatal Python error: Aborted" + library + library
                + "  File \"./study.py\", line 2 in fit\n".repeat(50);

        String shortened = StackDump.shortened("warning\n" + dump, "first\n" + "x".repeat(500));

        assertThat(shortened).startsWith("warning\n  File \"./study.py\", line 2, in fit\n    xxx")
                .hasSizeLessThan(1_500);
        assertThat(StackDump.place(shortened)).startsWith(", in line 2: xxx");
    }
}
