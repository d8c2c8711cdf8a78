package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Waiting;
import io.mlestar.show.log.Ear;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Ollama holds some thousand tokens unless it is told more, and loses the beginning of what is
/// longer.
class OllamaContextTest {
    private static ModelRequest question(int characters) {
        return new ModelRequest(Optional.empty(), "init", "You are a grandmaster.", "x = 1\n".repeat(characters / 6),
                List.of(), 1, Optional.empty(),
                Optional.empty(), Waiting.MOST, ModelRequest.Traits.NONE);
    }

    private static JsonNode options(OllamaServer server) {
        assertThat(server.violations()).isEmpty();
        return server.received().getLast().body().path("options");
    }

    private static Model model(OllamaServer server) {
        return new Models(Map.of("OLLAMA_BASE_URL", server.url())).get("ollama:made-up");
    }

    @ParameterizedTest
    @CsvSource({"60, 16384", "30000, 32768", "120000, 65536"})
    void itIsToldHowMuchThePromptAndItsAnswerNeed(int characters, int tokens) throws IOException {
        try (OllamaServer server = new OllamaServer(Answerer.always("fine"))) {
            assertThat(model(server).ask(question(characters)).text()).isEqualTo("fine");
            assertThat(options(server).path("num_ctx").asInt()).isEqualTo(tokens);
        }
    }

    @Test
    void whatTheModelCannotHoldIsSaid() throws IOException {
        List<String> said = new ArrayList<>();
        try (OllamaServer server = new OllamaServer(Answerer.always("fine"), 8_192);
                Ear ear = new Ear("mle_star.llm", line -> said.add(new SimpleFormatter().formatMessage(line)))) {
            model(server).ask(question(60_000));
            assertThat(options(server).path("num_ctx").asInt()).isEqualTo(8_192);
        }
        assertThat(String.join("\n", said)).contains("model ollama:made-up holds 8192 tokens", "its beginning is lost",
                "a longer context");
    }
}
