package io.mlestar.core.task;

import static io.mlestar.core.task.Examples.scriptOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.Requirement;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SolutionScriptTest {
    private static final SolutionScript SCRIPT =
            scriptOf("a = 1\nb = 2\n", SolutionPhase.MERGED, 0.8, true, "LightGBM");

    @Test
    @Requirement("REQ-DM-009")
    void contentAndPhaseAreRequired() {
        assertThatThrownBy(
                () -> Json.read(Json.parse("{\"phase\": \"init\", \"is_executable\": true}"), SolutionScript.class))
                .isInstanceOf(Invalid.class).hasMessageContaining("content");
        assertThatThrownBy(
                () -> Json.read(Json.parse("{\"content\": \"x\", \"is_executable\": true}"), SolutionScript.class))
                .isInstanceOf(Invalid.class).hasMessage("phase is required");
    }

    @Test
    @Requirement({"REQ-DM-009", "REQ-DM-039", "REQ-SF-035", "REQ-EX-016"})
    void whatAnEvaluationFindsOutIsPutOnACopy() {
        assertThat(SCRIPT.scored(Score.printed(0.9)))
                .isEqualTo(scriptOf(SCRIPT.content(), SolutionPhase.MERGED, 0.9, true, "LightGBM"));
        assertThat(SCRIPT.failed())
                .isEqualTo(scriptOf(SCRIPT.content(), SolutionPhase.MERGED, null, false, "LightGBM"));
        assertThat(SCRIPT.failed().scored(Score.NONE).isExecutable()).isTrue();
        assertThat(SCRIPT.as(SolutionPhase.FINAL).phase()).isEqualTo(SolutionPhase.FINAL);
        assertThat(SCRIPT.from("CatBoost").sourceModel()).isEqualTo("CatBoost");
        assertThat(SCRIPT.score().value()).isEqualTo(0.8);
    }

    static Stream<Arguments> replacements() {
        return Stream.of(
                Arguments.of("x\nx\nx", "x", "y", "y\nx\nx"),
                Arguments.of("aaa", "aa", "b", "ba"),
                Arguments.of("re.sub(r'(\\d+)$', '', s)", "(\\d+)$", "$1\\\\{0}", "re.sub(r'$1\\\\{0}', '', s)"),
                Arguments.of("f\"{a}{b}\"", "{a}", "{b}$0", "f\"{b}$0{b}\""),
                Arguments.of("A\ndf = df.sample(30000)\nB", "df = df.sample(30000)\nB", "B", "A\nB"),
                Arguments.of("größe = '😀😀'", "😀", "Δ", "größe = 'Δ😀'"),
                Arguments.of("    x = 1\n", "    x = 1", "    if x:\n\n        x = 2", "    if x:\n\n        x = 2\n"),
                Arguments.of("a\r\nb", "\r\n", "\n", "a\nb"),
                Arguments.of("a b", "a b", "", ""));
    }

    @ParameterizedTest
    @MethodSource("replacements")
    @Requirement("REQ-DM-010")
    void onlyTheFirstOccurrenceIsReplacedAndLiterally(String content, String block, String replacement,
            String expected) {
        assertThat(Examples.script(content).replaceBlock(block, replacement).content()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"b = 2 ", "B = 2", ".*", "", "a = 1\r\nb = 2", "a = 1\nb = 2\n\n"})
    @Requirement("REQ-DM-010")
    void aBlockThatDoesNotOccurIsAnError(String block) {
        assertThatThrownBy(() -> SCRIPT.replaceBlock(block, "c"))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("block");
    }

    @Test
    @Requirement("REQ-DM-009")
    void survivesARoundTripWhateverItHolds() {
        SolutionScript script =
                scriptOf("s = \"\\\\ 'q' \t é 😀 \0\"\r\n", SolutionPhase.ENSEMBLE, -1e-300, false, "ä");

        assertThat(Examples.roundTrip(script, SolutionScript.class)).isEqualTo(script);
        assertThat(Json.tree(Examples.script("x")).toString())
                .isEqualTo(
                        "{\"content\":\"x\",\"phase\":\"init\",\"score\":null,\"validation\":null,\"is_executable\":true,\"source_model\":null,"
                                + "\"step\":null,\"duration_seconds\":null,\"printed\":null}");
    }
}
