package io.mlestar.adapter.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
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

    /// What comes before and after a traceback that does not belong to it.
    private static Stream<Arguments> surroundings() {
        String cause =
                "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nKeyError: 'target'\n\n";
        return Stream.of(Arguments.of("", ""), Arguments.of("", "\n"),
                Arguments.of("INFO loading\n", "\nINFO cleaning up\n  indented log\n"),
                Arguments.of(cause + "During handling of the above exception, another exception occurred:\n\n", "\n"),
                Arguments.of(cause + "The above exception was the direct cause of the following exception:\n\n", "\n"));
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
    void ofSeveralTheLastCountsUpToItsException() {
        String first =
                "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    1 / 0\nZeroDivisionError: division by zero";
        assertThat(Tracebacks.last(first + "\nretrying\n" + SIMPLE + "\nINFO cleaning up\n")).hasValue(SIMPLE);
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
