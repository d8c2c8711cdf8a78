package io.mlestar.core.agent;

import static io.mlestar.core.task.Examples.trial;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.task.SolutionScript.Trial;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What agents see of the scripts that they are asked about, and of how these fared.
class ScriptsInPromptsTest {
    @Test
    void agentsGivenAScriptKnowHowLongItRanAndWhatItScored() {
        Trial trial = trial(0.75598, 272.6);
        String ran = " ran for 273 s and scored 0.75598.";
        List<String> scripts = List.of("a", "b");

        assertThat(Given.prompt(new Merger("b", "r", trial, trial(0.7, 9.96))))
                .contains("The base solution" + ran + " The reference solution ran for 10 s and scored 0.7.\n");
        assertThat(Stream.of(new Ablation("x", List.of(), trial), new Extractor("x", "s", List.of(), false, trial))
                .map(Given::prompt))
                .allMatch(prompt -> prompt.contains(" The script above" + ran + " "));
        assertThat(Stream
                .of(new Planner("x", trial, List.of("p"), List.of(0.5), null, null), new Coder("x", "p", trial, null))
                .map(Given::prompt))
                .allMatch(prompt -> prompt.contains(" The solution with this block as it stands" + ran + " "));
        assertThat(Stream
                .of(new EnsPlanner(scripts, List.of(trial, trial), List.of(), List.of(), null),
                        new Ensembler(scripts, List.of(trial, trial), "mean"))
                .map(Given::prompt))
                .allMatch(prompt -> prompt
                        .contains("# 2nd Python Solution\nValidation score: 0.75598, after 273 s\n```python\nb\n```"));
        assertThat(Stream.of(Given.MERGER, Given.ABLATION, Given.EXTRACTOR, Given.CODER).map(Given::prompt))
                .noneMatch(prompt -> prompt.contains("scored"));
    }

    @Test
    void plannerAndCoderSeeTheWholeScriptWithTheBlockMarked() {
        String script = "a = 1\nif a:\n    b = 2\n    c = 3\nd = 4\n";
        String block = "    b = 2\n    c = 3";
        String marked = """
                # Python solution (train.py), in which lines 3 to 4 are marked as the code block

                ```python
                a = 1
                if a:
                # >>> the code block begins
                    b = 2
                    c = 3
                # <<< the code block ends
                d = 4
                ```
                """;

        assertThat(Given.prompt(new Coder(block, "p", null, script))).startsWith(marked);
        assertThat(Given.prompt(new Planner(block, null, List.of("p"), List.of(0.5), null, script))).startsWith(marked);
        assertThat(List.of(block + "\n", "\n" + block, block.strip(), block.replace("\n", "\r\n")))
                .as("as models copy it")
                .allSatisfy(
                        copied -> assertThat(Given.prompt(new Coder(copied, "p", null, script))).startsWith(marked));
        assertThat(Given.prompt(new Coder("2\n    c = 3", "p", null, script))).as("a block that begins within a line")
                .startsWith("# Code block\n\n```python\n2\n    c = 3\n```\n");
        assertThat(Given.prompt(new Coder("e = 5", "p", null, script)))
                .startsWith("# Code block\n\n```python\ne = 5\n```\n");
    }

    @Test
    void marksThatACoderCopiesAreLeftOut() {
        assertThat(Given.CODER.read("```python\n  # >>> the code block begins\n  b = 3\n# <<< the code block ends\n```")
                .codeBlock()).isEqualTo("  b = 3\n");
    }

    @Test
    void scoresOfTheHarnessStandWithTheirError() {
        assertThat(Given.prompt(new Ablation("x", List.of(), trial(0.75598, 272.6, 0.003141))))
                .contains("ran for 273 s and scored 0.75598 (± 0.0031 by itself).");
        assertThat(Given.prompt(new Ablation("x", List.of(), trial(1234.5, null, 123.4))))
                .contains("scored 1234.5 (± 120 by itself).");
        assertThat(Given.prompt(new Ablation("x", List.of(), trial(0.5, null, 0.0)))).contains("scored 0.5.");
        assertThat(
                Given.prompt(new Ensembler(List.of("a", "b"), Arrays.asList(trial(0.7, 2.0, 0.01), null), "mean")))
                .contains("Validation score: 0.7 (± 0.01 by itself), after 2 s\n");
    }

    @Test
    void plannersKnowWhichScoresARepairedScriptReached() {
        List<String> plans = List.of("p", "q");
        List<String> repairs = Arrays.asList("1 repair: TimeoutError: 400 s", null);
        assertThat(Stream.of(new Planner("x", null, plans, List.of(0.7526, 0.76), repairs, null),
                new EnsPlanner(List.of("a", "b"), null, plans, List.of(0.7526, 0.76), repairs)).map(Given::prompt))
                .allMatch(prompt -> prompt.contains(
                        "## Plan: p\n## Score: 0.7526 (after 1 repair: TimeoutError: 400 s)\n\n## Plan: q\n## Score: 0.76\n"));
    }

    @ParameterizedTest
    @CsvSource({"1, 1st", "2, 2nd", "3, 3rd", "4, 4th", "10, 10th", "11, 11th", "12, 12th", "13, 13th", "21, 21st",
        "22, 22nd",
        "101, 101st",
        "111, 111th", "112, 112th"})
    @Requirement({"REQ-P3-002", "REQ-P3-011"})
    void ordinalsAreCorrectEnglish(int n, String ordinal) {
        assertThat(Sections.ordinal(n)).isEqualTo(ordinal);
    }

    @Test
    @Requirement("REQ-P2O-021")
    void studyThatFailedLeavesNoEmptyEntry() {
        assertThat(Sections.numbered("Studies", List.of("", "Found it.", " ")))
                .isEqualTo("# Studies\n\n## 1.\nFound it.\n\n");
        assertThat(Sections.numbered("Studies", List.of("", "\n"))).isEmpty();
    }
}
