package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.task.Price;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a call would cost, before it is made.
class EstimateTest {
    private static final Models MODELS = new Models(Map.of("ANTHROPIC_API_KEY", "k", "OPENAI_API_KEY", "k"));
    private static final Offset<Double> EXACT = Offset.offset(1e-12);

    private static ModelRequest question(int prompt, Optional<Price> price) {
        return question(prompt, Optional.empty(), price);
    }

    private static ModelRequest question(int prompt, Optional<JsonNode> format, Optional<Price> price) {
        return new ModelRequest(Optional.empty(), "coder", "s".repeat(4_000), "p".repeat(prompt), List.of(), 1, format,
                price, Duration.ZERO,
                ModelRequest.Traits.NONE);
    }

    @ParameterizedTest(name = "a prompt of {0} characters: {1} tokens in, {2} out")
    @CsvSource({"0, 1000, 500", "400, 1100, 500", "12000, 4000, 3000", "400000, 101000, 8000"})
    void theAnswerIsTakenToBeAsLongAsThePromptWithinLimits(int characters, long in, long out) {
        double usd = question(characters, Optional.empty()).estimate(new Price(3, 15, 0.3, 3.75));
        assertThat(usd).isEqualTo((in * 3 + out * 15) / 1e6, EXACT);
    }

    @Test
    void thePriceIsTheConfiguredOneElseTheListPriceElseUnknown() {
        ModelRequest unpriced = question(12_000, Optional.empty());
        assertThat(MODELS.get("sonnet").estimate(unpriced)).hasValueCloseTo((4_000 * 2 + 3_000 * 10) / 1e6, EXACT);
        assertThat(MODELS.get("sonnet").estimate(question(12_000, Optional.of(new Price(1, 1)))))
                .hasValueCloseTo(0.007, EXACT);
        assertThat(MODELS.get("openai:nobody-knows").estimate(unpriced)).isEqualTo(OptionalDouble.empty());
        assertThat(MODELS.get("ollama:any").estimate(unpriced)).hasValue(0);
    }

    @Test
    void aLongPromptCostsMoreWhereItsModelSaysSo() {
        assertThat(MODELS.get("haiku").estimate(question(380_000, Optional.empty())))
                .hasValueCloseTo((96_000 * 0.1 + 8_000 * 0.5) / 1e6, EXACT);
        assertThat(MODELS.get("haiku").estimate(question(400_000, Optional.empty())))
                .hasValueCloseTo((101_000 * 0.5 + 8_000 * 2.5) / 1e6, EXACT);
    }
}
