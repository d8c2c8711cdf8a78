package io.mlestar.core.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.base.Invalid;
import org.junit.jupiter.api.Test;

class EditsTest {
    private static final String SCRIPT = "import a\n\ndef f():\n    x = 1\n    return x\n\nx = 1\nprint(f())\n";

    private static String edit(String search, String replace) {
        return "<<<<<<< SEARCH\n" + search + "\n=======\n" + replace + (replace.isEmpty() ? "" : "\n")
                + ">>>>>>> REPLACE\n";
    }

    private static String applied(String answer) {
        return Edits.applied(answer, SCRIPT);
    }

    @Test
    void wholeLinesAreReplacedWhereTheyStandOnceAndTheRestStays() {
        assertThat(applied("I expect more.\n\n```\n" + edit("    x = 1", "    x = 2\n    x += 1") + "```"))
                .isEqualTo(SCRIPT.replace("    x = 1", "    x = 2\n    x += 1"));
        assertThat(applied(edit("x = 1", "x = 3"))).as("no part of a line")
                .isEqualTo(SCRIPT.replace("\nx = 1", "\nx = 3"));
        assertThat(applied(edit("print(f())  ", ""))).isEqualTo(SCRIPT.replace("print(f())\n", ""));
        assertThat(applied(edit("import a\r", "import b").replace("\n", "\r\n"))).startsWith("import b\n");
    }

    @Test
    void anEditSeesWhatThoseBeforeItHaveMade() {
        assertThat(applied(edit("import a", "import a\nimport b") + "then\n" + edit("import b", "import c")))
                .startsWith("import a\nimport c\n");
    }

    @Test
    void anEditThatDoesNotFitIsNamed() {
        assertThatThrownBy(() -> applied(edit("import a", "import b") + edit("y = 1", ""))).isInstanceOf(Invalid.class)
                .hasMessage("edit 2 matches nowhere in the script: `y = 1`");
        assertThatThrownBy(() -> Edits.applied(edit("a", "b"), "a\nb\na\n"))
                .hasMessage("edit 1 matches 2 places of the script: `a`");
        assertThatThrownBy(() -> applied(edit("  ", "b"))).hasMessage("edit 1 searches for nothing");
        assertThatThrownBy(() -> applied("<<<<<<< SEARCH\nx = 1\n=======\nx ="))
                .hasMessageContaining("edit 1 is cut off");
        assertThatThrownBy(() -> applied("<<<<<<< SEARCH\nx = 1\n" + edit("a", "b")))
                .hasMessageContaining("no end before the next one");
    }

    @Test
    void anAnswerWithoutMarksHasNoEdits() {
        assertThat(applied("```python\nx = 1 << 5\ny = '======='\n```")).isEqualTo(SCRIPT);
        assertThat(Edits.begin("a\nb")).isEqualTo(-1);
        assertThat(Edits.begin("a\n<<<<<<< SEARCH\nb")).isEqualTo(2);
    }
}
