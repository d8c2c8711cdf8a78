package io.mlestar.adapter.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TracebacksTest {
    private static final String SIMPLE = """
            Traceback (most recent call last):
              File "solution.py", line 3, in <module>
                train(None)
              File "solution.py", line 2, in train
                return data.shape
                       ^^^^^^^^^^
            AttributeError: 'NoneType' object has no attribute 'shape'""";

    @ParameterizedTest
    @Requirement("REQ-EX-012")
    @ValueSource(strings = {"", "UserWarning: old\n", "  File \"solution.py\", line 1\nSyntaxError: invalid syntax\n"})
    void withoutAHeaderThereIsNone(String stderr) {
        assertThat(Tracebacks.last(stderr)).isEmpty();
    }

    @Test
    @Requirement("REQ-EX-012")
    void reachesFromTheHeaderToTheException() {
        assertThat(Tracebacks.last(SIMPLE)).hasValue(SIMPLE);
        assertThat(Tracebacks.last(SIMPLE + "\n")).hasValue(SIMPLE);
    }

    @Test
    @Requirement("REQ-EX-012")
    void logLinesAroundItDoNotBelongToIt() {
        assertThat(Tracebacks.last("INFO loading\n" + SIMPLE + "\nINFO cleaning up\n  indented log\n")).hasValue(SIMPLE);
    }

    @Test
    @Requirement("REQ-EX-012")
    void ofSeveralTheLastCountsUpToItsException() {
        String first = "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    1 / 0\nZeroDivisionError: division by zero";
        assertThat(Tracebacks.last(first + "\nretrying\n" + SIMPLE + "\nINFO cleaning up\n")).hasValue(SIMPLE);
    }

    @ParameterizedTest
    @Requirement("REQ-EX-012")
    @ValueSource(strings = {"During handling of the above exception, another exception occurred:",
        "The above exception was the direct cause of the following exception:"})
    void ofAChainTheLastCounts(String link) {
        String cause = "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nKeyError: 'target'";
        assertThat(Tracebacks.last(cause + "\n\n" + link + "\n\n" + SIMPLE + "\n")).hasValue(SIMPLE);
    }

    @Test
    void anExceptionWithoutAMessageIsItsLine() {
        String bare = "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    raise KeyboardInterrupt\nKeyboardInterrupt";
        assertThat(Tracebacks.last(bare + "\n")).hasValue(bare);
    }

    @Test
    void aSyntaxErrorInAnImportedModuleKeepsItsMarks() {
        String imported = """
                Traceback (most recent call last):
                  File "solution.py", line 1, in <module>
                    import other
                  File "other.py", line 1
                    def f(:
                          ^
                SyntaxError: invalid syntax""";
        assertThat(Tracebacks.last(imported + "\nbye\n")).hasValue(imported);
    }

    @Test
    void repeatedFramesStay() {
        String deep = """
                Traceback (most recent call last):
                  File "a.py", line 3, in <module>
                    f()
                  File "a.py", line 2, in f
                    return f()
                  [Previous line repeated 996 more times]
                RecursionError: maximum recursion depth exceeded""";
        assertThat(Tracebacks.last(deep)).hasValue(deep);
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

    @Test
    void aTracebackThatWasCutOffIsKeptAsFarAsItGoes() {
        String cut = "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>";
        assertThat(Tracebacks.last(cut)).hasValue(cut);
        assertThat(Tracebacks.last(Tracebacks.HEADER)).hasValue(Tracebacks.HEADER);
    }

    @Test
    void carriageReturnsEndLinesToo() {
        assertThat(Tracebacks.last("50%\r100%\r\n" + SIMPLE.replace("\n", "\r\n") + "\r\n")).hasValue(SIMPLE);
    }

    @Test
    void aMadeUpOneHasAHeaderTheTailAndTheReason() {
        assertThat(Tracebacks.madeUp("", "TimeoutError: 5 s")).isEqualTo(Tracebacks.HEADER + "\nTimeoutError: 5 s");
        assertThat(Tracebacks.madeUp("warning\n\n", "TimeoutError: 5 s")).isEqualTo(Tracebacks.HEADER + "\nwarning\nTimeoutError: 5 s");
        assertThat(Tracebacks.madeUp("x".repeat(100_000) + "end\n", "TimeoutError: 5 s")).startsWith(Tracebacks.HEADER)
                .endsWith("xend\nTimeoutError: 5 s").hasSizeLessThan(4_000);
    }
}
