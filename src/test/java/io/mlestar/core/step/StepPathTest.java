package io.mlestar.core.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.base.Invalid;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StepPathTest {
    @ParameterizedTest
    @CsvSource({"titanic-7, '', ''", "titanic-7/phase1, phase1, ''",
        "a.b_C/phase2-path0/block1/coder-2, coder-2, phase2-path0/block1"})
    void aPathSaysItsNameAndItsParent(String text, String name, String parent) {
        StepPath path = StepPath.parse(text);

        assertThat(path).hasToString(text);
        assertThat(path.name()).isEqualTo(name);
        assertThat(path.parent().map(StepPath::inside).orElse("")).isEqualTo(parent);
        path.parent().ifPresent(above -> assertThat(above.child(name)).isEqualTo(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/a", "-r", ".r", "r..s", "r//a", "r/a/", "r/../s", "r/A", "r/a b", "r/-a",
        "r/a\n", "r\n",
        "é", "r/é", "a/b/c/d/e/f/g/h/i/j/k/l/m/n", "r\\s", "r:s", "r/a.b"})
    void whatCouldLeaveTheRunsFolderIsNoPath(String text) {
        assertThatThrownBy(() -> StepPath.parse(text)).isInstanceOf(Invalid.class);
    }

    @Test
    void whatIsAPathIsWhatTheseExpressionsSay() {
        Random random = new Random(1);
        String[] pieces = {"a", "z", "0", "9", "A", "-", "_", ".", "/", "/", "b/c", "{", "`", "@", ":", "d".repeat(61),
            "a/a/a/a/a"};
        for (int i = 0; i < 20_000; i++) {
            String text = random.ints(random.nextInt(8), 0, pieces.length).mapToObj(piece -> pieces[piece])
                    .collect(Collectors.joining());
            boolean run = text.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,62}") && !text.contains("..");
            boolean inside = text.matches("(?:[a-z0-9][a-z0-9_-]{0,62}(?:/(?!$)|$)){0,12}");

            assertThat(isPath(text, "")).as(text).isEqualTo(run);
            assertThat(isPath("r", text)).as(text).isEqualTo(inside);
        }
    }

    private static boolean isPath(String run, String inside) {
        try {
            return new StepPath(run, inside).inside().equals(inside);
        } catch (Invalid e) {
            return false;
        }
    }

    @Test
    void longNamesAreRefused() {
        assertThat(StepPath.root("r".repeat(63)).child("s".repeat(63)).name()).hasSize(63);
        assertThatThrownBy(() -> StepPath.root("r".repeat(64))).isInstanceOf(Invalid.class)
                .hasMessageStartingWith("run_id must be");
        assertThatThrownBy(() -> StepPath.root("r").child("s".repeat(64))).isInstanceOf(Invalid.class);
        assertThatThrownBy(() -> new StepPath(null, "")).isInstanceOf(Invalid.class);
        assertThatThrownBy(() -> new StepPath("r", null)).isInstanceOf(Invalid.class);
    }

    @Test
    void theTopOfAStepIsThePhaseOfThePipelineThatHoldsIt() {
        StepPath path = StepPath.parse("r/phase2-path1/block0/coder");

        assertThat(path.top()).isEqualTo(StepPath.parse("r/phase2-path1"));
        assertThat(path.top().top()).isEqualTo(path.top());
        assertThat(path.top().isTop()).isTrue();
        assertThat(path.isTop()).isFalse();
        assertThat(StepPath.root("r").top()).isEqualTo(StepPath.root("r"));
        assertThat(StepPath.root("r").isTop()).isFalse();
    }
}
