package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.step.StepFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The clouds that serve models by OpenAI's protocol, as docs/models.md says they are reached.
class CloudsTest {
    private static final Path DOCUMENT = Path.of("docs/models.md");

    @TempDir
    private Path folder;

    /// Azure's own examples of its v1 interface send an API key in the header `api-key` and only
    /// tokens of Entra ID as a bearer
    /// (learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle). The model is the name
    /// of a deployment, and there is no api-version.
    private static final class Azure extends OpenAiServer {
        Azure(Answerer answerer) throws IOException {
            super(answerer);
        }

        @Override
        boolean serves(String path) {
            return path.equals("/openai/v1/chat/completions") || path.equals("/openai/v1/responses");
        }

        @Override
        Optional<String> key(Received request) {
            return request.header("authorization").isPresent() ? Optional.of("a token that is none")
                    : request.header("api-key");
        }
    }

    /// Bedrock takes its API keys as a bearer
    /// (docs.aws.amazon.com/bedrock/latest/userguide/inference-chat-completions-mantle.html).
    private static final class Bedrock extends OpenAiServer {
        private final String path;

        Bedrock(Answerer answerer, String path) throws IOException {
            super(answerer);
            this.path = path;
        }

        @Override
        boolean serves(String asked) {
            return asked.equals(path + "/chat/completions");
        }
    }

    /// The entries of the document, with the server's address in place of the cloud's.
    private Map<String, String> environment(String entry, Predicate<String> of, String url) throws IOException {
        String found = Files.readString(DOCUMENT).lines().map(String::strip)
                .filter(line -> line.startsWith(entry + ": {") && of.test(line)).findFirst()
                .orElseThrow();
        Path file = folder.resolve("models.yaml");
        Files.writeString(file, "providers:\n  " + found.replaceFirst("https://[^/]+", url) + "\n");
        return new HashMap<>(Map.of("MLE_STAR_MODELS", file.toString()));
    }

    @Test
    void azureIsReachedAsTheDocumentSays() throws IOException {
        try (FakeProvider server = new Azure(Answerer.always("fine"))) {
            Map<String, String> environment = environment("azure", line -> true, server.url());
            environment.put("AZURE_OPENAI_API_KEY", FakeProvider.KEY);
            Models models = new Models(environment);
            assertThat(models.get("azure:my-deployment").ask(LanguageModelTest.question()).text()).isEqualTo("fine");
            assertThat(models.probe("azure:my-deployment")).isInstanceOf(Probe.Answered.class);
            assertThat(server.violations()).isEmpty();
            assertThat(server.received()).allSatisfy(request -> {
                assertThat(request.header("authorization")).isEmpty();
                assertThat(request.body().path("model").asText()).isEqualTo("my-deployment");
            });

            environment.put("AZURE_OPENAI_API_KEY", "an-old-key");
            assertThatThrownBy(
                    () -> new Models(environment).get("azure:my-deployment").ask(LanguageModelTest.question()))
                    .isInstanceOf(StepFailed.class)
                    .hasMessageContaining("check the API key, AZURE_OPENAI_API_KEY")
                    .hasMessageNotContaining("an-old-key");
        }
    }

    @ParameterizedTest
    @CsvSource({"bedrock-runtime, /openai/v1", "bedrock-mantle, /v1"})
    void bedrockIsReachedAsTheDocumentSays(String host, String path) throws IOException {
        try (FakeProvider server = new Bedrock(Answerer.always("fine"), path)) {
            Map<String, String> environment = environment("bedrock", line -> line.contains(host), server.url());
            environment.put("AWS_BEARER_TOKEN_BEDROCK", FakeProvider.KEY);
            assertThat(new Models(environment).get("bedrock:openai.gpt-oss-120b-1:0").ask(LanguageModelTest.question())
                    .text()).isEqualTo("fine");
            assertThat(server.violations()).isEmpty();
            assertThat(server.received().getFirst().body().path("model").asText()).isEqualTo("openai.gpt-oss-120b-1:0");
        }
    }

    /// The key must not come back in an error, whichever header it went in.
    @ParameterizedTest
    @ValueSource(strings = {"openai", "openai_responses", "anthropic", "gemini"})
    void aGatewayMayWantTheKeyOfAnyProtocolInAHeaderOfItsOwn(String protocol) throws IOException {
        Path file = Files.writeString(folder.resolve("models.yaml"),
                "providers: {house: {protocol: " + protocol + ", url: \"http://house\", key_header: X-House-Key}}");
        try (FakeProvider server = new OpenAiServer(Answerer.always("never")) {
            @Override
            boolean serves(String path) {
                return true;
            }

            @Override
            Optional<String> key(Received request) {
                return request.header("x-house-key");
            }
        }) {
            Map<String, String> environment = Map.of("MLE_STAR_MODELS", file.toString(), "HOUSE_API_KEY",
                    FakeProvider.KEY, "HOUSE_BASE_URL", server.url());
            server.plan(
                    new Fault.Foreign(400, "application/json", "{\"error\": \"you said " + FakeProvider.KEY + "\"}"));
            assertThatThrownBy(() -> new Models(environment).get("house:any").ask(LanguageModelTest.question()))
                    .isInstanceOfAny(StepFailed.class, PartRefused.class).hasMessageNotContaining(FakeProvider.KEY);
            assertThat(server.received()).allSatisfy(request -> assertThat(request.headers())
                    .doesNotContainKeys("authorization", "x-api-key", "x-goog-api-key")
                    .containsEntry("x-house-key", FakeProvider.KEY));
        }
    }

    /// To wait helps nobody who has no money left; all steps of a run would.
    @ParameterizedTest
    @CsvSource({"402, insufficient_balance", "429, insufficient_quota"})
    void anAccountWithoutMoneyIsNotAskedAgain(int status, String code) throws IOException {
        try (FakeProvider server = new OpenAiServer(Answerer.always("never"))) {
            Models models =
                    new Models(LanguageModelTest.Provider.OPENAI.environment(server.url()), InstantSource.system(),
                            pause -> {}, ModelCallListener.NONE);
            Fault broke = new Fault.Foreign(status, "application/json",
                    "{\"error\": {\"message\": \"You exceeded your current quota\", \"code\": \"" + code + "\"}}");
            server.plan(broke, broke);
            assertThatThrownBy(() -> models.get("openai:any").ask(LanguageModelTest.question()))
                    .isInstanceOf(StepFailed.class)
                    .hasMessageContaining("the account of OPENAI_API_KEY has nothing left to spend");
            assertThat(models.probe("openai:any")).isInstanceOf(Probe.Wrong.class);
            assertThat(server.received()).hasSize(2);
        }
    }
}
