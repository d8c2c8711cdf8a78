package io.mlestar.core.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.mlestar.adapter.script.Scores;
import io.mlestar.adapter.script.Tracebacks;
import io.mlestar.adapter.script.isolation.ScriptRules;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.OutputExcerpt;
import io.mlestar.core.phase.BlendScript;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.UnreadableAnswer;
import io.mlestar.core.task.Blocks;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Each reader of a text that a model or a script wrote takes time in proportion to its length. At
/// these lengths one that goes back over the text takes many minutes, one that does not a second.
class LinearReadersTest {
    private static final int LENGTH = 1 << 19;
    private static final int LENGTH_OF_LINES = 1 << 17;
    /// Generous, since the machine may be busy.
    private static final Duration MOST = Duration.ofMinutes(1);
    private static final String CODE = "\n```python\nimport os\nx = 1\n```\n";

    /// @param unit of which the text consists; `\n`, `\t`, `\r` and `\s` stand for line ends, tabs
    ///   and spaces
    private static String hostile(String before, String unit, String behind) {
        String repeated = unescaped(unit);
        int length = repeated.contains("\n") ? LENGTH_OF_LINES : LENGTH;
        return unescaped(before) + repeated.repeat(length / repeated.length()) + unescaped(behind);
    }

    private static String unescaped(String text) {
        return text == null ? "" : text.translateEscapes();
    }

    private static void readAll(String text) {
        Answer.Usage free = new Answer.Usage("", 0, 0, 0, null, 0);
        for (Agent<?> agent : Given.agents()) {
            try {
                assertThat(new Answer(text, free, null, "", "").readBy(agent)).isNotNull();
            } catch (UnreadableAnswer e) {
                assertThat(e.getMessage().length()).isLessThan(2_000);
            }
        }
        Given.RETRIEVER.dropped(text);
        Excerpt.line(text, 80);
        OutputExcerpt.of(text, 2_000);
        OutputExcerpt.parts(text, 2_000);
        Excerpt.sentences(text, 80);
        Elision.of(text, text);
        Scores.parse(text);
        Tracebacks.last(text);
        Tracebacks.last(Tracebacks.HEADER + text);
        ScriptRules.errorMasking(text);
        BlendScript.leftOut(text);
        Sections.unmarked(text);
        Sections.marked(text, "x = 1");
        Blocks.locate(text, text + "\nx");
        Blocks.fitted("    x = 1", text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '§', ignoreLeadingAndTrailingWhitespace = false, value = {
        "|\\n|", "a|#|b", "|*|kind: study", "Kind|:|x", "Kind|\\n|", "|a,\\n|", "|a,|", "|from x\\n|", "from |a.|\\n",
        "|if a:|x", "```|\\s|`", "|`|x", "|~|`",
        "a|\\s|```x",
        "|```\\na\\n```\\n|", "|[|", "|[1,|", "[|1,|", "|[/*|", "|['|", "|{'a':|", "|<think></think>|", "<think>|\\s|",
        "|<<<<<<< SEARCH\\nx\\n=======\\ny\\n>>>>>>> REPLACE\\n|", "<<<<<<<|\\s|x", "|except |x",
        "Final Validation Performance:|\\s|x"})
    void whateverTheTextIsItIsReadInNoTime(String before, String unit, String behind) {
        String text = hostile(before, unit, behind) + CODE;
        assertTimeoutPreemptively(MOST, () -> readAll(text));
    }

    @Test
    void aLongFenceAmongManyIsLookedThroughOnce() {
        assertTimeoutPreemptively(MOST, () -> readAll("```\n" + "a b\n".repeat(LENGTH_OF_LINES / 4) + "```\n"
                + "```\nc\n```\n".repeat(LENGTH_OF_LINES / 10)));
    }

    @Test
    void editsAndBlocksOfLinesThatRepeatThemselvesAreFoundInOnePass() {
        String script = "x\n".repeat(LENGTH_OF_LINES / 2) + "z\n";
        String half = "x\n".repeat(LENGTH_OF_LINES / 4);
        String edit = "<<<<<<< SEARCH\n" + half + "y\n=======\n>>>>>>> REPLACE\n";
        assertTimeoutPreemptively(MOST, () -> {
            assertThatThrownBy(() -> new Debugger(script, "b", null, null, null).read(edit))
                    .hasMessageContaining("matches nowhere");
            assertThat(Blocks.locate(half + "y", script)).isEmpty();
            assertThat(Blocks.locate(half + "z", script)).contains(half + "z");
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 101})
    void thereIsAMostOfEditsWhichTheAgentIsTold(int edits) {
        String answer = "<<<<<<< SEARCH\nx = 1\n=======\nx = 1\n>>>>>>> REPLACE\n".repeat(edits);
        Debugger debugger = new Debugger("x = 1\n", "b", null, null, null);
        if (edits <= 100) {
            assertThat(debugger.read(answer).code()).isEqualTo("x = 1\n");
        } else {
            assertThatThrownBy(() -> debugger.read(answer)).isInstanceOf(UnreadableAnswer.class)
                    .hasMessageStartingWith("there are more than 100 edits: write the whole script");
        }
    }

    @Test
    void soThereIsOfProse() {
        String prose = "word ".repeat(10_000);
        assertThat(Given.PLANNER.read(prose).plan()).hasSize(49_999);
        assertThatThrownBy(() -> Given.PLANNER.read(prose + "more"))
                .hasMessageStartingWith("the text has more than 50000 characters");
        assertThatThrownBy(() -> Given.SCRIPT_CODER.read(prose + "more" + CODE))
                .hasMessageStartingWith("there are more than 50000 characters before the script");
        assertThat(Given.SCRIPT_CODER.read(prose.substring(40) + "\nKind: solution\n" + CODE).tried())
                .hasSizeLessThan(2_010);
    }
}
