package io.mlestar.adapter.model;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.FreePort;
import io.mlestar.LoopbackProxy;
import io.mlestar.Requirement;
import io.mlestar.Waiting;
import io.mlestar.adapter.model.mcp.McpServers;
import io.mlestar.core.agent.PromptCode;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Answer.Shortfall;
import io.mlestar.core.step.ModelUnavailable;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Price;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Models by their names: those of providers, those that the operator names, and recordings. A
/// wrong address, key or name is told before a run leans on it, in one line. Some models and MCP
/// servers are reached through a proxy only: their names mean nothing on this machine.
@Timeout(300)
class ModelsTest {
    private static final String ANSWER = """
            {"id": "c", "object": "chat.completion", "created": 1, "model": "m",
             "choices": [{"index": 0, "message": {"role": "assistant", "content": "ok"}, "finish_reason": "stop"}]}""";

    private static final String PROMPT = "Score 0.7.\n```python\nx = 1\n```\nImprove it.";

    @TempDir
    private Path folder;

    private static Probe probe(Provider provider, String url) {
        return new Models(provider.environment(url)).probe(provider.modelName());
    }

    private static String wrong(Provider provider, String url) {
        Probe probe = probe(provider, url);
        assertThat(probe).isInstanceOf(Probe.Wrong.class);
        String said = ((Probe.Wrong) probe).said();
        assertThat(said).startsWith("model " + provider.modelName() + " cannot be used: ").doesNotContain("\n",
                "Exception");
        return said;
    }

    @ParameterizedTest
    @EnumSource
    void aModelThatWorksIsAskedOnceAndForLittle(Provider provider) throws IOException {
        try (FakeProvider server = provider.saying("ok")) {
            assertThat(probe(provider, server.url())).isInstanceOf(Probe.Answered.class);
            assertThat(server.received()).singleElement().satisfies(request -> {
                assertThat(request.body().toString()).contains("256");
                assertThat(request.header("x-mlestar-agent")).contains("probe");
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatWillNotPassIsWrongAndToldWithWhatToDo(Provider provider) throws IOException {
        try (FakeProvider server = provider.saying("never")) {
            server.plan(Fault.status(401));
            assertThat(wrong(provider, server.url())).contains(server.url(), "answered 401", "check the API key")
                    .doesNotContain(FakeProvider.KEY);
            server.plan(Fault.status(403));
            assertThat(wrong(provider, server.url())).contains("answered 403");
            server.plan(Fault.status(404));
            assertThat(wrong(provider, server.url())).contains("answered 404",
                    "is the name of the model right, and " + provider + "_BASE_URL?");
            for (int status : new int[] {200, 404, 405, 501}) {
                server.plan(new Fault.Foreign(status, "text/html", "<!DOCTYPE html><html>Welcome</html>"));
                assertThat(wrong(provider, server.url()))
                        .contains("with HTML, not JSON: is " + provider + "_BASE_URL right?");
            }
            server.plan(new Fault.Foreign(200, "text/plain", "It works!"));
            assertThat(wrong(provider, server.url()))
                    .contains("something that is not JSON: is " + provider + "_BASE_URL right?");
            assertThat(server.received()).as("one try each").hasSize(8);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClosedPortAndAnUnknownHostAreWrong(Provider provider) throws IOException {
        String url = "http://127.0.0.1:" + FreePort.any();
        assertThat(wrong(provider, url)).contains("connection refused at " + url,
                "is " + provider + "_BASE_URL right?");
        assertThat(wrong(provider, "http://no-such-host.invalid")).contains("no host no-such-host.invalid");
    }

    @ParameterizedTest
    @EnumSource
    void aProviderThatIsOnlyBusyIsNotWrong(Provider provider) throws IOException {
        try (FakeProvider server = provider.saying("never")) {
            for (int status : new int[] {429, 500, 503, 529}) {
                server.plan(Fault.status(status));
                assertThat(probe(provider, server.url())).isInstanceOf(Probe.Busy.class).asString()
                        .contains(provider.modelName(), server.url(), "answered " + status);
            }
            assertThat(server.received()).hasSize(4);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost:8080", "127.0.0.1:8080/v1", "/v1", "ftp://host/", "http://", "http:///v1",
        "http://a b/"})
    @Requirement("REQ-OR-002")
    void anAddressWithoutSchemeOrHostIsRefusedByItsName(String address) {
        for (Provider provider : Provider.values()) {
            Map<String, String> environment = new HashMap<>(provider.environment("http://127.0.0.1"));
            environment.put(provider + "_BASE_URL", address);
            refusal(() -> new Models(environment).get(provider.modelName()))
                    .startsWith(provider + "_BASE_URL is \"" + address
                            + "\", which is not a valid URL; expected e.g. http");
        }
    }

    @Test
    @Requirement("REQ-OR-046")
    void aKeyThatIsMissingOrCannotBeOneIsNamedAndNotShown() {
        refusal(() -> new Models(Map.of()).get("anthropic:made-up"))
                .isEqualTo("ANTHROPIC_API_KEY is not set; model anthropic:made-up needs it");
        refusal(() -> new Models(Map.of("OPENAI_API_KEY", "schl\u00fcssel")).get("openai:made-up"))
                .contains("OPENAI_API_KEY contains a character").doesNotContain("schl");
    }

    private static Models models(String url, Map<String, String> proxy) {
        Map<String, String> environment = new HashMap<>(Provider.OPENAI.environment(url));
        environment.putAll(proxy);
        return new Models(environment, InstantSource.system(), pause -> {}, ModelCallListener.NONE);
    }

    @Test
    void aModelIsAskedThroughItWithItsUserAndPassword() throws IOException {
        try (LoopbackProxy proxy = new LoopbackProxy(ANSWER)) {
            Models models = models("http://models.example", Map.of("HTTP_PROXY", proxy.url("u:p%40ss@")));
            assertThat(models.get("openai:m").ask(Questions.question()).text()).isEqualTo("ok");
            assertThat(proxy.passed()).singleElement().satisfies(passed -> {
                assertThat(passed.line()).isEqualTo("POST http://models.example/v1/chat/completions HTTP/1.1");
                assertThat(passed.headers()).containsEntry("proxy-authorization", "Basic dTpwQHNz");
            });
        }
    }

    @Test
    void aTunnelIsAskedForWhereTheModelIsSecureAndAFailureNamesTheProxy() throws IOException {
        try (LoopbackProxy proxy = new LoopbackProxy("{}")) {
            Models models = models("https://models.example", Map.of("https_proxy", proxy.url("")));
            refusal(ModelUnavailable.class, () -> models.get("openai:m").ask(Questions.question()))
                    .contains("through the proxy " + proxy.url("") + " (https_proxy)")
                    .endsWith("is https_proxy right?");
            assertThat(proxy.passed().getFirst().line()).isEqualTo("CONNECT models.example:443 HTTP/1.1");
            assertThat(models.probe("openai:m").toString()).contains("through the proxy " + proxy.url(""));
        }
    }

    @Test
    void aModelOfThisMachineIsAskedDirectly() throws IOException {
        try (LoopbackProxy proxy = new LoopbackProxy("{}");
                FakeProvider server = Provider.OPENAI.saying("here")) {
            Models models = models(server.url(), Map.of("HTTP_PROXY", proxy.url(""), "HTTPS_PROXY", proxy.url("")));
            assertThat(models.get("openai:m").ask(Questions.question()).text()).isEqualTo("here");
            assertThat(proxy.passed()).isEmpty();
        }
    }

    @Test
    void anMcpServerIsAskedThroughIt() throws IOException {
        try (LoopbackProxy proxy = new LoopbackProxy("{}")) {
            PipelineConfig config = PipelineConfig.resolve(
                    Json.parse("{\"mcp_servers\": {\"far\": {\"url\": \"http://mcp.example/mcp\"}}}"), Map.of());
            McpServers servers =
                    new McpServers(Map.of("HTTP_PROXY", proxy.url("u:p@")), Waiting.MOST, Waiting.MOST, false);
            servers.open(config, AgentType.RETRIEVER, () -> Waiting.MOST).close();
            assertThat(proxy.passed()).first().satisfies(passed -> {
                assertThat(passed.line()).isEqualTo("POST http://mcp.example/mcp HTTP/1.1");
                assertThat(passed.headers()).containsEntry("proxy-authorization", "Basic dTpw");
            });
        }
    }

    private Map<String, String> own(String yaml) throws IOException {
        return Map.of("MLE_STAR_MODELS", Files.writeString(folder.resolve("models.yaml"), yaml).toString());
    }

    @Test
    void whatSpeaksAKnownProtocolIsReachedByTheNameThatTheOperatorGivesIt() throws Exception {
        try (FakeProvider server = new OpenAiServer(Answerer.always("fine"))) {
            Map<String, String> environment = new HashMap<>(
                    own("""
                            providers: {house-gateway: {protocol: openai, url: "%s/v1", key_env: HOUSE_KEY, most_output_tokens: 77}}
                            aliases: {quick: "house-gateway:small"}
                            prices: {"house-gateway:small": {input: 1, output: 2}}
                            """
                            .formatted(server.url())));
            environment.put("HOUSE_KEY", FakeProvider.KEY);
            Models models = new Models(environment);

            assertThat(models.get("quick").ask(Questions.question()).text()).isEqualTo("fine");
            assertThat(server.received().getFirst().body().path("model").asText()).isEqualTo("small");
            assertThat(server.received().getFirst().body().path("max_completion_tokens").asInt()).isEqualTo(77);
            assertThat(models.isPriced("quick", Map.of())).isTrue();
        }
    }

    @Test
    void theOperatorsFileLiesOverWhatIsBuiltIn() throws Exception {
        ModelCatalogue catalogue =
                ModelCatalogue.of(own("prices: {\"anthropic:claude-opus-5\": {input: 7, output: 8}}"));
        assertThat(catalogue.price("anthropic:claude-opus-5", 1)).contains(new Price(7, 8));
        assertThat(catalogue.price("anthropic:claude-sonnet-5", 1)).contains(new Price(2, 10, 0.2, 2.5));
        assertThat(catalogue.fullName("opus")).startsWith("anthropic:");
        assertThat(ModelCatalogue.of(own("prices:\n")).price("anthropic:claude-sonnet-5", 1)).isPresent();
        assertThat(ModelCatalogue.of(own("")).providers()).containsKeys("anthropic", "openai", "gemini", "ollama");
    }

    @Test
    void anAnswersLimitIsThatOfItsProviderWithRoomForThoughtsAndNotAboveTheModels() throws Exception {
        ModelCatalogue catalogue = ModelCatalogue
                .of(own("""
                        providers: {house: {protocol: openai, url: "http://house", most_output_tokens: 1000}}
                        limits: {"house:thinks": {reasoning: 500}, "house:small": {context: 4000, output: 300}, "openai:gpt-4o": {output: 8000}}
                        """));
        assertThat(catalogue.mostOutputTokens("house:any")).isEqualTo(1000);
        assertThat(catalogue.mostOutputTokens("house:thinks")).isEqualTo(1500);
        assertThat(catalogue.mostOutputTokens("house:small")).isEqualTo(300);
        assertThat(catalogue.limits("house:small").context()).isEqualTo(4000);
        assertThat(catalogue.mostOutputTokens("openai:gpt-4o")).isEqualTo(8000);
        assertThat(catalogue.mostOutputTokens("openai:gpt-5"))
                .isGreaterThan(catalogue.mostOutputTokens("openai:unknown"));
        assertThat(catalogue.mostOutputTokens("ollama:any")).isNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "providers: {Own: {protocol: openai, url: u}} | provider Own must have a name in lower case",
        "providers: {own: {protocol: openai}}         | provider own must have a name in lower case, a protocol",
        "providers: {own: {protocol: smoke, url: u}}  | protocol",
        "providers: {own: {protocol: openai, url: u, most_output_tokens: 0}} | most_output_tokens must be 1 or more",
        "providers: {own: {protocol: anthropic, url: u, search: {tool: t, most: 0, usd: 1}}} | search must have a tool",
        "providers: {own: {protocol: openai, url: u, key_header: host}} | key_header must be a header that may be set",
        "providers: {own: {protocol: openai, url: u, key_header: api key}} | key_header must be a header",
        "keys: {own: secret}                          | keys",
        "prices: {a: {input: -1, output: 1}}          | prices must be from 0",
        "[1, 2]                                       | must hold a map",
        "prices: 7                                    | prices must be",
        "[1, 2                                        | MLE_STAR_MODELS"})
    void whatIsWrongInTheOperatorsFileIsNamed(String yaml, String message) throws Exception {
        Map<String, String> environment = own(yaml);
        refusal(() -> new Models(environment)).startsWith("MLE_STAR_MODELS").contains(message);
    }

    /// The facts that one has to know of each provider: the address, the variable of the key, and
    /// the form of a model's name.
    @Test
    void everyProviderWithAStandInIsInTheDocumentsTable() throws Exception {
        String document = Files.readString(Path.of("docs/models.md"));
        Map<String, List<String>> rows = new HashMap<>();
        document.lines().map(line -> List.of(line.split(" *\\| *"))).filter(row -> row.size() == 5)
                .filter(row -> row.get(2).matches("`https?://[^`]+`") && row.get(4).matches("`[a-z]+:[^`]+`"))
                .forEach(row -> rows.put(row.get(4).substring(1, row.get(4).indexOf(':')), row));
        ModelCatalogue catalogue = ModelCatalogue.of(Map.of());
        assertThat(catalogue.providers().keySet()).allSatisfy(name -> assertThat(document).contains("`" + name + ":"));
        assertThat(rows.keySet()).containsExactlyInAnyOrderElementsOf(
                ProvidersTest.providers().map(row -> row.name().replaceFirst("-.*", "")).collect(Collectors.toSet()));
        rows.forEach((name, row) -> {
            if (catalogue.providers().containsKey(name)) {
                ModelCatalogue.ModelEntry entry = catalogue.entry(name + ":any");
                assertThat(row.get(2)).isEqualTo("`" + entry.endpoint().url() + "`");
                assertThat(row.get(3)).containsAnyOf("`" + entry.keyVariable() + "`",
                        Boolean.TRUE.equals(entry.endpoint().free()) ? "none" : "a key");
            } else {
                String entry = document.lines().filter(line -> line.startsWith("  " + name + ": {")).findFirst().get();
                String key = row.get(3).replace("`", "");
                assertThat(entry).contains("url: \"" + row.get(2).replace("`", "") + "\"")
                        .contains(key.equals(name.toUpperCase(Locale.ROOT) + "_API_KEY") ? "" : "key_env: " + key);
            }
        });
    }

    private Answer recorded(String step, String prompt) {
        ModelRequest any = Questions.question();
        return RecordedModel.open(folder)
                .ask(new ModelRequest(Optional.of(StepPath.parse("r/" + step)),
                        step.substring(step.lastIndexOf('/') + 1),
                        any.system(), prompt, any.tools(), any.turns(), any.outputFormat(), any.price(), any.timeout(),
                        any.traits()));
    }

    private void write(String file, String content) throws IOException {
        Files.createDirectories(folder.resolve(file).getParent());
        Files.writeString(folder.resolve(file), content);
    }

    @Test
    void anAnswerThatWasWrittenForOtherCodeSaysSoAndIsGivenAllTheSame() throws IOException {
        write("finalization/test.md", "```python\nx = 2\n```");
        write("written-for.yaml", "finalization/test: \"" + PromptCode.digest(PROMPT) + "\"\n");
        assertThat(recorded("finalization/test", PROMPT).shortfall()).isNull();
        assertThat(recorded("finalization/test", PROMPT.replace("0.7", "0.8").replace("Improve", "Do improve"))
                .shortfall())
                .as("what differs from run to run does not count").isNull();
        Answer other = recorded("finalization/test", PROMPT.replace("x = 1", "x = 3"));
        assertThat(other.shortfall()).isEqualTo(Shortfall.MISPLACED);
        assertThat(other.text()).isEqualTo("```python\nx = 2\n```");
    }

    @Test
    void anAnswerOfWhichThatIsNotKnownAndADefaultFitEverything() throws IOException {
        write("phase1/init.md", "one");
        write("defaults/leakage.md", "two");
        write("written-for.yaml", "phase1/other: \"0\"\nphase1/leakage: \"0\"\n");
        assertThat(recorded("phase1/init", PROMPT).shortfall()).isNull();
        assertThat(recorded("phase1/leakage", PROMPT).shortfall()).isNull();
        assertThat(new Models(Map.of()).probe("recorded:" + folder)).isEqualTo(new Probe.NotAsked());
    }

    @Test
    void anAnswerOfAnEarlierRunWasWrittenForTheCodeOfItsPrompt() throws IOException {
        write("steps/phase1/init.result.json",
                Json.line(Json.object().set("value", Json.object().put("text", "one").put("prompt", PROMPT))));
        assertThat(recorded("phase1/init", PROMPT + " Now.").shortfall()).isNull();
        assertThat(recorded("phase1/init", PROMPT.replace("x = 1", "x = 3")).shortfall())
                .isEqualTo(Shortfall.MISPLACED);
    }

    @Test
    void anEarlierRunIsReplayedWithItsShortfalls() throws IOException {
        write("steps/phase1/init.result.json",
                """
                        {"status": "done", "value": {"text": "half", "shortfall": "TRUNCATED"}}""");
        assertThat(recorded("phase1/init", PROMPT).shortfall()).isEqualTo(Shortfall.TRUNCATED);
    }
}
