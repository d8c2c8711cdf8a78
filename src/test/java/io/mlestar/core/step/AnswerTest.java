package io.mlestar.core.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AnswerTest {
    private static String said(String text) {
        return new Answer(text, new Answer.Usage("m", 1, 1, 0, null, 0), null, "", "").said();
    }

    static Stream<Arguments> thoughts() {
        return Stream.of(
                Arguments.of("a draft in the thoughts",
                        "<think>\n```python\ndraft = 1\n```\n</think>\n```python\nx = 1\n```",
                        "\n```python\nx = 1\n```"),
                Arguments.of("the other mark, behind blanks", "\n <thinking>hm</thinking>Yes.", "Yes."),
                Arguments.of("no opening mark", "Let me see.\nWell.\n</think>\n\nYes.", "\n\nYes."),
                Arguments.of("no opening mark, and a draft",
                        "A draft:\n```python\ndraft = 1\n```\nNo, better:\n</think>\n```python\nx = 1\n```",
                        "\n```python\nx = 1\n```"),
                Arguments.of("no opening mark, and nothing but thoughts",
                        "A draft:\n```python\ndraft = 1\n```\nNo.\n  </think>  \n", "  \n"),
                Arguments.of("a mark within the thoughts",
                        "<think>\nI end with </think> here.\n</think>\n```\ndraft = 1\n```\n</think>\nYes.", "\nYes."),
                Arguments.of("a draft that prints the mark",
                        "<think>\n```python\ns = \"\"\"\n</think>\n\"\"\"\n```\n</think>\n```python\nx = 1\n```",
                        "\n```python\nx = 1\n```"),
                Arguments.of("a draft whose fence stays open", "<think>\n```python\ndraft = 1\n</think>\nYes.",
                        "\nYes."),
                Arguments.of("a program right behind the mark",
                        "hm\n</think>```python\ns = \"\"\"\n</think>\n\"\"\"\n```",
                        "```python\ns = \"\"\"\n</think>\n\"\"\"\n```"),
                Arguments.of("thoughts twice", "<think>one</think>\n\n<think>two</think>Yes.", "Yes."),
                Arguments.of("thoughts twice, the second without end", "<think>one</think>\n<think>two", ""),
                Arguments.of("two pairs on lines of their own",
                        "<think>\none\n</think>\n<think>\n```\ndraft\n```\n</think>\nYes.", "\nYes."),
                Arguments.of("capitals", "<THINK>\nhm\n</Think>\nYes.", "\nYes."),
                Arguments.of("reasoning", "hm\n</reasoning>\nYes.", "\nYes."),
                Arguments.of("a thought", "<thought>hm</thought>Yes.", "Yes."),
                Arguments.of("brackets", "[THINK]hm[/THINK]Yes.", "Yes."),
                Arguments.of("a prefix", "hm\n</seed:think>\nYes.", "\nYes."),
                Arguments.of("another mark", "<reflection>\nYes.\n</reflection>", "<reflection>\nYes.\n</reflection>"),
                Arguments.of("a mark that a program in tildes prints", "~~~~\ns = \"\"\"\n~~~\n</think>\n\"\"\"\n~~~~",
                        "~~~~\ns = \"\"\"\n~~~\n</think>\n\"\"\"\n~~~~"),
                Arguments.of("thoughts that never end", "<think>on and on", ""),
                Arguments.of("none", "Yes.", "Yes."),
                Arguments.of("a mark that a program prints", "```python\ns = \"\"\"\n</think>\n\"\"\"\n```",
                        "```python\ns = \"\"\"\n</think>\n\"\"\"\n```"),
                Arguments.of("a mark in the middle", "Strip <think>this</think> from the text.",
                        "Strip <think>this</think> from the text."),
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

    @Test
    void halvesNoCharacter() {
        assertThat(UnreadableAnswer.of("no code", "ab\uD83D\uDE42cd", 3)).hasMessage("no code; the answer began: ab…");
    }
}
