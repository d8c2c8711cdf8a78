package io.mlestar.core.step;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnreadableAnswerTest {
    @Test
    void halvesNoCharacter() {
        assertThat(UnreadableAnswer.of("no code", "ab\uD83D\uDE42cd", 3)).hasMessage("no code; the answer began: ab…");
    }
}
