package io.mlestar.core.phase;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.CpuTime;
import io.mlestar.Requirement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlocksTest {
    private static final String BLOCK = "scaler = StandardScaler()\nX_train = scaler.fit_transform(X_train)";
    private static final String SCRIPT = "import sklearn\n" + BLOCK + "\nprint(1)\n";

    @Test
    @Requirement("REQ-P2O-017")
    void blockThatIsPartOfTheScriptIsFoundAsItStands() {
        assertThat(Blocks.locate(BLOCK, SCRIPT)).contains(BLOCK);
    }

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

    @Test
    @Requirement("REQ-P2O-018")
    void textIsGivenAsItStandsInTheScript() {
        String script = "a = 1\nif a:   \n    b = 2 \nc = 3";

        assertThat(Blocks.locate("if a:\n    b = 2", script)).contains("if a:   \n    b = 2 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  \n", "x = 5", "scaler = StandardScaler()\nprint(1)", "  scaler = StandardScaler() "})
    void whatIsNotThereIsNotFound(String block) {
        assertThat(Blocks.locate(block, SCRIPT)).isEmpty();
    }

    @Test
    @Requirement("REQ-P2O-032")
    void fiftyKilobytesAreSearchedInFiftyMilliseconds() throws Exception {
        String script = ("x = fit(x)\n".repeat(40) + "x = fit(x)  \ny = fit(y)\n").repeat(112) + BLOCK + "  \n";
        assertThat(script.length()).isGreaterThan(50_000);
        String near = "x = fit(x)\n".repeat(39) + "y = fit(y)";
        assertThat(CpuTime.ofThread(() -> assertThat(Blocks.locate(BLOCK, script)).isPresent())).isLessThan(Duration.ofMillis(50));
        assertThat(CpuTime.ofThread(() -> assertThat(Blocks.locate(near + "!", script)).isEmpty())).isLessThan(Duration.ofMillis(50));
    }
}
