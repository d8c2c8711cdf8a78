package io.mlestar.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AnswerTest {
    private static String said(String text) {
        return new Answer(text, new Answer.Usage("m", 1, 1, 0, null, 0), "", "").said();
    }

    static Stream<Arguments> thoughts() {
        return Stream.of(
                Arguments.of("a draft in the thoughts", "<think>\n```python\ndraft = 1\n```\n</think>\n```python\nx = 1\n```", "\n```python\nx = 1\n```"),
                Arguments.of("the other mark, behind blanks", "\n <thinking>hm</thinking>Yes.", "Yes."),
                Arguments.of("no opening mark", "Let me see.\nWell.\n</think>\n\nYes.", "\n\nYes."),
                Arguments.of("thoughts that never end", "<think>on and on", ""),
                Arguments.of("none", "Yes.", "Yes."),
                Arguments.of("a mark that a program prints", "```python\ns = \"\"\"\n</think>\n\"\"\"\n```", "```python\ns = \"\"\"\n</think>\n\"\"\"\n```"),
                Arguments.of("a mark in the middle", "Strip <think>this</think> from the text.", "Strip <think>this</think> from the text."),
                Arguments.of("a byte order mark", "\uFEFF{\"a\": 1}", "{\"a\": 1}"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("thoughts")
    void whatAModelSaysToItselfIsNotItsAnswer(String name, String text, String said) {
        assertThat(said(text)).isEqualTo(said);
    }

    @Test
    void longThoughtsAreNoTrouble() {
        assertThat(said("word ".repeat(400_000) + "\n</think>Yes.")).isEqualTo("Yes.");
    }
}
