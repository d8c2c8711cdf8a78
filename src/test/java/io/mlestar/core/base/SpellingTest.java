package io.mlestar.core.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpellingTest {
    private static final List<String> KNOWN = List.of("planner", "ens_planner", "coder", "status", "runs", "run");

    @ParameterizedTest
    @CsvSource({"planer, planner", "ensplaner, ens_planner", "stauts, status", "rnu, run", "code, coder",
        "Coder, coder"})
    void aWordThatIsNearlyRightIsRecognized(String word, String meant) {
        assertThat(Spelling.nearest(word, KNOWN)).contains(meant);
        assertThat(Spelling.question(word, KNOWN)).isEqualTo("; did you mean " + meant + "?");
    }

    @Test
    void aWordThatIsLikeNoneIsNot() {
        assertThat(Spelling.question("painter-of-pictures", KNOWN)).isEmpty();
        assertThat(Spelling.question("", KNOWN)).isEmpty();
        assertThat(Spelling.question("x".repeat(100_000), KNOWN)).isEmpty();
    }
}
