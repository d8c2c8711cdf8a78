package io.mlestar.core.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.mlestar.CpuTime;
import io.mlestar.Requirement;
import io.mlestar.adapter.script.Scores;
import io.mlestar.adapter.script.Tracebacks;
import io.mlestar.adapter.script.isolation.ScriptRules;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.OutputExcerpt;
import io.mlestar.core.phase.BlendScript;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.UnreadableAnswer;
import io.mlestar.core.task.Blocks;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The program's own work around a model's answer (the prompt, the reading, the new script) takes
/// little time, and each reader of a text that a model or a script wrote takes time in proportion
/// to its length. At these lengths one that goes back over the text takes minutes, one that does
/// not a second.
class OwnTimeTest {
    private static final Duration MOST = Duration.ofMillis(500);
    private static final String SCRIPT = "x = [value * 2 for value in range(100)]  # 50 KB of these\n".repeat(870);
    private static final String ANSWER = "Here it is.\n\n```python\n" + SCRIPT + "```\n";
    private static final int LENGTH = 1 << 18;
    private static final int LENGTH_OF_LINES = 1 << 16;
    /// Generous, since the machine may be busy.
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String CODE = "\n```python\nimport os\nx = 1\n```\n";

    static Stream<Agent<?>> agents() {
        return Stream.concat(Given.agents().stream(),
                Stream.of(new Coder(SCRIPT, "Plan.", null, null), new Merger(SCRIPT, SCRIPT, null, null),
                        new Ablation(SCRIPT, List.of("Summary."), null),
                        new Ensembler(List.of(SCRIPT, SCRIPT), null, "Average."),
                        new Debugger(SCRIPT, "Traceback", Kind.SOLUTION, null, null), new Leakage(SCRIPT),
                        new LeakageCorrection(SCRIPT, SCRIPT, "")));
    }

    @ParameterizedTest
    @MethodSource("agents")
    @Requirement({"REQ-P2I-039", "REQ-P2O-031", "REQ-SF-036"})
    void promptAnswerAndScriptTakeHalfASecondAtMost(Agent<?> agent) throws Exception {
        Answer answer = new Answer(ANSWER, new Answer.Usage("made:up", 1, 1, 0, 0.01, 0), null, "", "");
        assertThat(CpuTime.ofThread(() -> {
            assertThat(Given.prompt(agent)).isNotBlank();
            try {
                if (answer.readBy(agent) instanceof Reply.Code(String code)) {
                    assertThat(
                            SolutionScript.unscored(code, SolutionPhase.REFINED).replaceBlock("x = ", "y = ").content())
                            .startsWith("y = ");
                }
            } catch (UnreadableAnswer e) {
                // Agents that answer in JSON end here: finding that this is none is their reading.
            }
        })).isLessThan(MOST);
    }

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
    @CsvFileSource(resources = "/cases/hostile-texts.csv", delimiter = '|', quoteCharacter = '§',
            ignoreLeadingAndTrailingWhitespace = false, numLinesToSkip = 1)
    void whateverTheTextIsItIsReadInNoTime(String before, String unit, String behind) {
        String text = hostile(before, unit, behind) + CODE;
        assertTimeoutPreemptively(PATIENCE, () -> readAll(text));
    }

    @Test
    void aLongFenceAmongManyIsLookedThroughOnce() {
        assertTimeoutPreemptively(PATIENCE, () -> readAll("```\n" + "a b\n".repeat(LENGTH_OF_LINES / 4) + "```\n"
                + "```\nc\n```\n".repeat(LENGTH_OF_LINES / 10)));
    }

    @Test
    void editsAndBlocksOfLinesThatRepeatThemselvesAreFoundInOnePass() {
        String script = "x\n".repeat(LENGTH_OF_LINES / 2) + "z\n";
        String half = "x\n".repeat(LENGTH_OF_LINES / 4);
        String edit = "<<<<<<< SEARCH\n" + half + "y\n=======\n>>>>>>> REPLACE\n";
        assertTimeoutPreemptively(PATIENCE, () -> {
            assertThatThrownBy(() -> new Debugger(script, "b", null, null, null).read(edit))
                    .hasMessageContaining("matches nowhere");
            assertThat(Blocks.locate(half + "y", script)).isEmpty();
            assertThat(Blocks.locate(half + "z", script)).contains(half + "z");
        });
    }
}
