package io.mlestar.adapter.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.base.Json;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `permission_mode: ask`.
@Timeout(300)
class TerminalApproverTest {
    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

    private Optional<String> asked(Reader typed, Duration left) {
        return new TerminalApprover(Optional.of(new TerminalApprover.Dialogue(new BufferedReader(typed),
                new PrintStream(shown, true, StandardCharsets.UTF_8))), "run-1/phase1/init", () -> left)
                .refusal("Bash", Json.object().put("command", "ls \u001b[2J"));
    }

    @ParameterizedTest
    @CsvSource({"y, true", "Yes, true", "n, false", "'', false", "yolo, false"})
    @Requirement("REQ-OR-009")
    void onlyAYesAllowsAToolAndTheQuestionSaysWhatItIsAboutWithoutControls(String typed, boolean allowed) {
        assertThat(asked(new StringReader(typed + "\n"), ToolSets.AMPLE).isEmpty()).isEqualTo(allowed);
        assertThat(shown.toString(StandardCharsets.UTF_8)).contains("run-1/phase1/init wants to use Bash",
                "ls \\u001B[2J", "Allow it? [y/N]");
    }

    @Test
    void anAnswerThatDoesNotComeIsNotWaitedForBeyondTheCall() {
        Reader silent = new Reader() {
            @Override
            public boolean ready() {
                return false;
            }

            @Override
            public int read(char[] to, int at, int length) {
                throw new AssertionError("nobody has typed anything");
            }

            @Override
            public void close() {}
        };
        assertThat(asked(silent, Duration.ZERO)).contains("Bash was not approved in time");
    }

    @Test
    @Requirement("REQ-OR-009")
    void withoutATerminalItRefusesInOneLine() {
        assertThat(new TerminalApprover(Optional.empty(), "run-1/phase1/init", () -> ToolSets.AMPLE).refusal("Bash",
                Json.object()))
                .contains("Bash needs approval (permission_mode ask), and there is no terminal to ask at");
    }
}
