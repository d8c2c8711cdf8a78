package io.mlestar.core.step;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnreadableAnswerTest {
    @Test
    void showsTheBeginningOfTheAnswer() {
        assertThat(UnreadableAnswer.of("no code", "\n Sorry. ", 200)).hasMessage("no code; the answer began: Sorry.");
        assertThat(UnreadableAnswer.of("no code", "x".repeat(300), 200))
                .hasMessage("no code; the answer began: " + "x".repeat(200) + "…");
        assertThat(UnreadableAnswer.of("no code", "x".repeat(200), 200))
                .hasMessage("no code; the answer began: " + "x".repeat(200));
    }

    @Test
    void halvesNoCharacter() {
        assertThat(UnreadableAnswer.of("no code", "ab\uD83D\uDE42cd", 3)).hasMessage("no code; the answer began: ab…");
    }

    @Test
    void saysThatTheAnswerWasEmpty() {
        assertThat(UnreadableAnswer.of("no text", " \r\n", 200)).hasMessage("no text; the answer was empty");
    }
}
