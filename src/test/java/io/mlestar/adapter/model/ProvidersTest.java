package io.mlestar.adapter.model;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.mlestar.Waiting;
import io.mlestar.adapter.model.provider.ProviderProfile;
import io.mlestar.adapter.model.provider.RequestPart;
import io.mlestar.adapter.tool.ExternalTools;
import io.mlestar.core.agent.Retriever;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.RetryApproval;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.Store;
import io.mlestar.show.log.Ear;
import module java.base;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Providers as they are: those of `providers.yaml`, which take less than their protocol has, and
/// the clouds that serve models by OpenAI's protocol, as docs/models.md says they are reached.
class ProvidersTest {
    private static final String ANSWER = "{\"models\": []}";

    private static final Path DOCUMENT = Path.of("docs/models.md");

    @TempDir
    private Path folder;

    static Stream<OddProvider> providers() throws IOException {
        JsonNode rows = new YAMLMapper().readTree(Path.of("src/test/resources/providers.yaml").toFile());
        return rows.properties().stream().map(row -> OddProvider.of(row.getKey(), row.getValue()));
    }

    private Models models(OddProvider provider, FakeProvider server, Store store) throws IOException {
        Path file = Files.writeString(folder.resolve("models.yaml"), "providers: {" + provider.name() + ": {protocol: "
                + (provider.isOllama() ? "ollama" : "openai, most_output_tokens: 16384") + ", url: \"" + server.url()
                + "\", key_env: KEY}}");
        return new Models(Map.of("MLE_STAR_MODELS", file.toString(), "KEY", FakeProvider.KEY), InstantSource.system(),
                pause -> {}, ModelCallListener.NONE, store);
    }

    /// Asks as a run does: an agent with a tool and a form of its answer.
    private Answer ask(Models models, String model, String step) {
        AgentCaller caller = AgentCallerTest.caller(models, () -> {
            throw new Invalid("there is no Python");
        }, ExternalTools.NONE);
        String settings = "{\"model\": \"" + model + "\", \"provider_search\": false}";
        return caller.ask(Optional.of(StepPath.parse(step)), new Retriever("Predict y.", 1, null),
                AgentCallerTest.context(folder, settings), Waiting.MOST, RetryApproval.FREE, () -> folder);
    }

    private Answer ask(OddProvider provider, FakeProvider server, Store store, String step) throws IOException {
        Fault call = Fault.toolFirst("WebFetch", "{\"url\": \"http://127.0.0.1/\"}");
        int calls = provider.row().path("calls_before_answer").asInt(1);
        server.plan(asked -> !asked.tools().isEmpty(), Collections.nCopies(calls, call).toArray(Fault[]::new));
        return ask(models(provider, server, store), provider.model(), step);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void anAgentGetsItsAnswerWithoutWhatTheServerRefusesAndTheRunAsksForItOnce(OddProvider provider)
            throws IOException {
        List<String> lines = new CopyOnWriteArrayList<>();
        Store store = new MemoryStore();
        try (FakeProvider server = provider.start(Answerer.always(ANSWER));
                Ear _ = new Ear("mle_star.llm", line -> lines.add(new SimpleFormatter().formatMessage(line)))) {
            Answer answer = ask(provider, server, store, "r1/phase1/retriever");
            assertThat(answer.text()).isEqualTo(ANSWER);
            assertThat(answer.shortfall()).isNull();
            List<String> told = lines.stream().filter(line -> line.contains("so the run goes on")).toList();
            assertThat(told.stream().map(line -> line.replaceFirst(" \\(.*", "")))
                    .containsExactlyElementsOf(sentences(provider, "the run"));
            assertThat(told).allSatisfy(line -> assertThat(line).contains(" answered "));

            int refused = provider.refused().size();
            lines.clear();
            assertThat(ask(provider, server, store, "r1/phase1/retriever-2").text())
                    .as("in a process that resumes the run").isEqualTo(ANSWER);
            assertThat(provider.refused()).hasSize(refused);
            assertThat(lines).noneMatch(line -> line.contains("goes on"));
        }
    }

    private static List<String> sentences(OddProvider provider, String what) {
        return provider.lacks().stream()
                .map(id -> Arrays.stream(RequestPart.values()).filter(part -> part.id().equals(id)).findFirst()
                        .orElseThrow())
                .map(part -> part.sentence(provider.model(), what)).toList();
    }

    @ParameterizedTest
    @MethodSource("providers")
    void aTrialFindsWhatIsRefusedBeforeARun(OddProvider provider) throws IOException {
        try (FakeProvider server = provider.start(Answerer.always(ANSWER))) {
            Models models = models(provider, server, new MemoryStore());
            assertThat(models.probe(provider.model(), Probe.QuestionForm.AS_AGENTS_ASK)).isInstanceOfSatisfying(
                    Probe.Answered.class,
                    answered -> assertThat(answered.lacks().stream().map(line -> line.replaceFirst(" \\(.*", "")))
                            .containsExactlyElementsOf(sentences(provider, "a run").stream()
                                    .filter(line -> !line.matches(".*(tool_choice|thoughts).*")).toList()));
            assertThat(models.probe(provider.model())).as("the tiny question of a run")
                    .isInstanceOf(Probe.Answered.class);
        }
    }

    /// Which part of a request a refusal means, on each protocol.
    ///
    /// @param where the part stands in a request, and with which value, if others are taken there
    /// @param parts those that the run goes on without, in this order; `-` if it does not go on
    @ParameterizedTest
    @CsvFileSource(resources = "/refusals.csv", delimiter = '|', quoteCharacter = '`', numLinesToSkip = 1)
    void anAgentGetsItsAnswerWithoutThePart(Provider provider, String where, String said, String parts)
            throws IOException {
        Store store = new MemoryStore();
        List<String> lacking = Stream.of(parts.split(" ")).filter(part -> !part.equals("-")).toList();
        try (FakeProvider server = provider.saying(ANSWER)) {
            server.refuse(body -> holds(body, where)
                    ? Optional.of(new Fault.Foreign(400, "application/json", server.error(400, said).toString()))
                    : Optional.empty());
            if (lacking.isEmpty()) {
                refusal(StepFailed.class, () -> ask(provider, server, store)).contains(said.substring(0, 30));
                assertThat(server.received()).hasSize(1);
                return;
            }
            assertThat(ask(provider, server, store)).isEqualTo(ANSWER);
            assertThat(server.received()).hasSize(1 + lacking.size());
            assertThat(holds(server.received().getLast().body(), where)).isFalse();
            assertThat(store.list("runs/r").stream().map(kept -> kept.replaceFirst("refused-(.*)-.*", "$1")))
                    .containsExactlyInAnyOrderElementsOf(lacking);

            assertThat(ask(provider, server, store)).isEqualTo(ANSWER);
            assertThat(server.received()).as("the same run asks for it once").hasSize(2 + lacking.size());
        }
    }

    /// Servers in front of Bedrock take no `none`.
    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', value = {
        "`{\"tool_choice\":{\"type\":\"none\"},\"tools\":[1]}`,tool_choice: Input tag 'none',`{\"tools\":[1]}`",
        "`{\"tool_choice\":\"none\",\"tools\":[1]}`,unknown field tool_choice,{}",
        "`{\"toolConfig\":{\"functionCallingConfig\":{\"mode\":\"NONE\"}},\"tools\":[1]}`,mode of function calling config,{}"})
    void theLastTurnGoesOnWhereToolsCannotBeForbidden(String body, String said, String sent) {
        assertThat(ProviderProfile.UNKNOWN.refusedPart(body, said)).contains(RequestPart.TOOL_CHOICE);
        assertThat(ProviderProfile.UNKNOWN.without(RequestPart.TOOL_CHOICE).fitted(body)).isEqualTo(sent);
    }

    private static boolean holds(JsonNode body, String where) {
        String[] place = where.split("=");
        JsonNode part = body.at(place[0]);
        return place.length > 1 ? part.asText().equals(place[1])
                : !part.isMissingNode() && !(part.isArray() && part.isEmpty());
    }

    private String ask(Provider provider, FakeProvider server, Store store) {
        Models models = new Models(provider.environment(server.url()), InstantSource.system(), pause -> {},
                ModelCallListener.NONE, store);
        return ask(models, provider.modelName(), "r/phase1/retriever").text();
    }

    /// A server that is only reached at its own paths, and may want the key in a header of its own.
    private static final class Cloud extends OpenAiServer {
        private final String keyHeader;
        private final List<String> paths;

        Cloud(Answerer answerer, String keyHeader, String... paths) throws IOException {
            super(answerer);
            this.keyHeader = keyHeader;
            this.paths = List.of(paths);
        }

        @Override
        boolean serves(String path) {
            return paths.isEmpty() || paths.contains(path);
        }

        @Override
        Optional<String> key(Received request) {
            if (keyHeader.equals("authorization")) {
                return super.key(request);
            }
            return request.header("authorization").isPresent() ? Optional.of("a token that is none")
                    : request.header(keyHeader);
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

    /// Azure's own examples of its v1 interface send an API key in the header `api-key` and only
    /// tokens of Entra ID as a bearer
    /// (learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle). The model is the name
    /// of a deployment, and there is no api-version.
    @Test
    void azureIsReachedAsTheDocumentSays() throws IOException {
        try (FakeProvider server = new Cloud(Answerer.always("fine"), "api-key", "/openai/v1/chat/completions",
                "/openai/v1/responses")) {
            Map<String, String> environment = environment("azure", line -> true, server.url());
            environment.put("AZURE_OPENAI_API_KEY", FakeProvider.KEY);
            Models models = new Models(environment);
            assertThat(models.get("azure:my-deployment").ask(Questions.question()).text()).isEqualTo("fine");
            assertThat(models.probe("azure:my-deployment")).isInstanceOf(Probe.Answered.class);
            assertThat(server.received()).allSatisfy(request -> {
                assertThat(request.header("authorization")).isEmpty();
                assertThat(request.body().path("model").asText()).isEqualTo("my-deployment");
            });

            environment.put("AZURE_OPENAI_API_KEY", "an-old-key");
            refusal(StepFailed.class,
                    () -> new Models(environment).get("azure:my-deployment").ask(Questions.question()))
                    .contains("check the API key, AZURE_OPENAI_API_KEY").doesNotContain("an-old-key");
        }
    }

    /// Bedrock takes its API keys as a bearer
    /// (docs.aws.amazon.com/bedrock/latest/userguide/inference-chat-completions-mantle.html).
    @ParameterizedTest
    @CsvSource({"bedrock-runtime, /openai/v1", "bedrock-mantle, /v1"})
    void bedrockIsReachedAsTheDocumentSays(String host, String path) throws IOException {
        try (FakeProvider server = new Cloud(Answerer.always("fine"), "authorization", path + "/chat/completions")) {
            Map<String, String> environment = environment("bedrock", line -> line.contains(host), server.url());
            environment.put("AWS_BEARER_TOKEN_BEDROCK", FakeProvider.KEY);
            assertThat(new Models(environment).get("bedrock:openai.gpt-oss-120b-1:0").ask(Questions.question())
                    .text()).isEqualTo("fine");
            assertThat(server.received().getFirst().body().path("model").asText()).isEqualTo("openai.gpt-oss-120b-1:0");
        }
    }

    /// The key must not come back in an error, whichever header it went in.
    @ParameterizedTest
    @ValueSource(strings = {"openai", "openai_responses", "anthropic", "gemini"})
    void aGatewayMayWantTheKeyOfAnyProtocolInAHeaderOfItsOwn(String protocol) throws IOException {
        Path file = Files.writeString(folder.resolve("models.yaml"),
                "providers: {house: {protocol: " + protocol + ", url: \"http://house\", key_header: X-House-Key}}");
        try (FakeProvider server = new Cloud(Answerer.always("never"), "x-house-key")) {
            Map<String, String> environment = Map.of("MLE_STAR_MODELS", file.toString(), "HOUSE_API_KEY",
                    FakeProvider.KEY, "HOUSE_BASE_URL", server.url());
            server.tolerate();
            server.plan(
                    new Fault.Foreign(400, "application/json", "{\"error\": \"you said " + FakeProvider.KEY + "\"}"));
            assertThatThrownBy(() -> new Models(environment).get("house:any").ask(Questions.question()))
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
            Models models = new Models(Provider.OPENAI.environment(server.url()));
            Fault broke = new Fault.Foreign(status, "application/json",
                    "{\"error\": {\"message\": \"You exceeded your current quota\", \"code\": \"" + code + "\"}}");
            server.plan(broke, broke);
            refusal(StepFailed.class, () -> models.get("openai:any").ask(Questions.question()))
                    .contains("the account of OPENAI_API_KEY has nothing left to spend");
            assertThat(models.probe("openai:any")).isInstanceOf(Probe.Wrong.class);
            assertThat(server.received()).hasSize(2);
        }
    }
}
