package io.mlestar.core.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.CpuTime;
import io.mlestar.Requirement;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BlocksTest {
    private static final List<String> LINES =
            List.of("", "  ", "a = 1", "    a = 1", "aa = 1", "    b = f(a)  ", "\tb = 2", "        c", "if a:");
    private static final String BLOCK = "scaler = StandardScaler()\nX_train = scaler.fit_transform(X_train)";
    private static final String SCRIPT = "import sklearn\n" + BLOCK + "\nprint(1)\n";

    @ParameterizedTest
    @ValueSource(strings = {
        "scaler = StandardScaler()\n X_train = scaler.fit_transform(X_train)",
        "scaler = StandardScaler()\nX_train  = scaler.fit_transform(X_train)",
        "Scaler = StandardScaler()",
        "",
        " \n "})
    @Requirement("REQ-P2O-017")
    void anyOtherDifferenceOrABlankBlockIsNotThere(String block) {
        assertThat(Blocks.locate(block, SCRIPT)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "scaler = StandardScaler()  \nX_train = scaler.fit_transform(X_train)",
        "scaler = StandardScaler()\t\nX_train = scaler.fit_transform(X_train)\n\n",
        "scaler = StandardScaler()\r\nX_train = scaler.fit_transform(X_train)"})
    @Requirement("REQ-P2O-018")
    void whiteSpaceAtTheEndsOfLinesDoesNotMatter(String block) {
        assertThat(Blocks.locate(block, SCRIPT)).contains(BLOCK);
    }

    /// The script, the block and its replacement as models gave them, and the script as it has to
    /// be.
    static Stream<Arguments> splices() {
        String indented = "def f():\n    a = 1\n    b = 2\nc = 3\n";
        return Stream.of(
                Arguments.of("a = 1\nb = 2\nc = 3\n", "b = 2\n", "b = 5", "a = 1\nb = 5\nc = 3\n"),
                Arguments.of("a = 1\nb = 2\nc = 3\n", "\n \nb = 2", "b = 5", "a = 1\nb = 5\nc = 3\n"),
                Arguments.of("a = 1\nb = 2\nc = 3\n", "b = 2", "b = 5\n\n", "a = 1\nb = 5\nc = 3\n"),
                Arguments.of("a = 1\n\nb = 2\n\nc = 3\n", "\nb = 2\n\n", "\nb = 5\n", "a = 1\n\nb = 5\n\nc = 3\n"),
                Arguments.of("a = 1\nb = 2\nc = 3", "b = 2\r\nc = 3\r\n", "b = 5\r\nc = 6\r\n", "a = 1\nb = 5\nc = 6"),
                Arguments.of("a = 1\r\nb = 2\r\nc = 3\r\n", "b = 2\n", "b = 5\n", "a = 1\r\nb = 5\r\nc = 3\r\n"),
                Arguments.of("max = 1\nx = 1\n", "x = 1", "x = 2", "max = 1\nx = 2\n"),
                Arguments.of("if a:\n    x = 1\nx = 1\n", "x = 1", "x = 2", "if a:\n    x = 1\nx = 2\n"),
                Arguments.of("x = 1\nx = 1\n", "x = 1\n", "x = 2\n", "x = 2\nx = 1\n"),
                Arguments.of("y = fit(x) + 1\n", "fit(x)\n", "fit(z)\n", "y = fit(z) + 1\n"),
                Arguments.of("y = fit(x) + 1\n", "y = ", "z = ", "z = fit(x) + 1\n"),
                Arguments.of(indented, "a = 1\n    b = 2", "a = 5\n    b = 6",
                        "def f():\n    a = 5\n    b = 6\nc = 3\n"),
                Arguments.of(indented, "a = 1\n    b = 2\n", "    a = 5\n    b = 6\n",
                        "def f():\n    a = 5\n    b = 6\nc = 3\n"),
                Arguments.of(indented, "    a = 1\n    b = 2", "a = 5\nif a:\n\n    b = 6",
                        "def f():\n    a = 5\n    if a:\n\n        b = 6\nc = 3\n"),
                Arguments.of(indented, "b = 2", "if a:\n    b = 6",
                        "def f():\n    a = 1\n    if a:\n        b = 6\nc = 3\n"),
                Arguments.of(indented, "b = 2", "if a:\n        b = 6",
                        "def f():\n    a = 1\n    if a:\n        b = 6\nc = 3\n"),
                Arguments.of(indented, "    b = 2\nc = 3", "    b = 6\nc = 7",
                        "def f():\n    a = 1\n    b = 6\nc = 7\n"),
                Arguments.of("if a:\n    if b:\n        x = 1\n    y = 2\n", "        x = 1\n    y = 2",
                        "x = 3\n    y = 4",
                        "if a:\n    if b:\n        x = 3\n    y = 4\n"));
    }

    @ParameterizedTest
    @MethodSource("splices")
    @Requirement({"REQ-P2O-017", "REQ-P2O-018"})
    void aReplacementLeavesTheLinesBesideItAlone(String script, String block, String replacement, String expected) {
        String located = Blocks.locate(block, script).orElseThrow();
        assertThat(script).contains(located);
        assertThat(Examples.script(script).replaceBlock(located, Blocks.fitted(located, replacement)).content())
                .isEqualTo(expected);
    }

    @Test
    void blockThatReplacesItselfChangesNothing() {
        Random random = new Random(7);
        for (int round = 0; round < 2000; round++) {
            String end = random.nextInt(4) == 0 ? "\r\n" : "\n";
            List<String> lines = random.ints(1 + random.nextInt(8), 0, LINES.size()).mapToObj(LINES::get).toList();
            String script = String.join(end, lines) + (random.nextBoolean() ? end : "");
            int from = random.nextInt(lines.size());
            String whole = String.join(end, lines.subList(from, from + 1 + random.nextInt(lines.size() - from)));
            String part = script.substring(random.nextInt(script.length() + 1)).lines().limit(2)
                    .collect(Collectors.joining(end));
            String block =
                    List.of("", end, "\n\n", "  \n").get(random.nextInt(4)) + (random.nextBoolean() ? whole : part)
                            + List.of("", end, "\n\n").get(random.nextInt(3));
            Blocks.locate(block, script)
                    .ifPresentOrElse(located -> assertThat(
                            Examples.script(script).replaceBlock(located, Blocks.fitted(located, located)).content())
                            .as(block).isEqualTo(script), () -> assertThat(block).isBlank());
        }
    }

    @Test
    @Requirement("REQ-P2O-032")
    void fiftyKilobytesAreSearchedInFiftyMilliseconds() throws Exception {
        String script = ("x = fit(x)\n".repeat(40) + "x = fit(x)  \ny = fit(y)\n").repeat(112) + BLOCK + "  \n";
        assertThat(script.length()).isGreaterThan(50_000);
        String near = "x = fit(x)\n".repeat(39) + "y = fit(y)";
        assertThat(CpuTime.ofThread(() -> assertThat(Blocks.locate(BLOCK, script)).isPresent()))
                .isLessThan(Duration.ofMillis(50));
        assertThat(CpuTime.ofThread(() -> assertThat(Blocks.locate(near + "!", script)).isEmpty()))
                .isLessThan(Duration.ofMillis(50));
    }
}
