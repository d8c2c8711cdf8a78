package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.task.Price;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.Locale;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelCatalogueTest {
    @TempDir
    private Path folder;

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

            assertThat(models.get("quick").ask(LanguageModelTest.question()).text()).isEqualTo("fine");
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
        assertThatExceptionOfType(Invalid.class).isThrownBy(() -> new Models(environment))
                .withMessageStartingWith("MLE_STAR_MODELS").withMessageContaining(message);
    }

    /// What one has to know of each: the address, the variable of the key, and the form of a
    /// model's name.
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
}
