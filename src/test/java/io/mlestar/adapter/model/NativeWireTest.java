package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.model.anthropic.AnthropicChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import io.mlestar.JacksonTrace;
import io.mlestar.app.program.Registered;
import io.mlestar.core.agent.AgentConfig;
import io.mlestar.core.base.Json;
import io.mlestar.core.task.AgentType;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The providers' clients in a native image: what the files of the providers and the clients' own
/// jars keep is what they need. Fails when a new version of a client brings messages that nobody
/// named.
class NativeWireTest {
    /// The types that the jar of a client itself tells a native image to keep.
    private static Set<String> jars(Class<?> client, String artifact) throws Exception {
        try (InputStream in = client
                .getResourceAsStream("/META-INF/native-image/dev.langchain4j/" + artifact + "/reflect-config.json")) {
            Set<String> names = new TreeSet<>();
            for (JsonNode type : Json.parse(in.readAllBytes())) {
                names.add(type.path("name").asText());
            }
            return names;
        }
    }

    private static Set<String> kept() throws Exception {
        Set<String> kept =
                Registered.byProviders().stream().map(Class::getName).collect(Collectors.toCollection(TreeSet::new));
        kept.addAll(jars(AnthropicChatModel.class, "langchain4j-anthropic"));
        kept.addAll(jars(OpenAiChatModel.class, "langchain4j-open-ai"));
        return kept;
    }

    /// The messages in a folder of the jar that a class comes from; an exception is none.
    private static List<String> messages(Class<?> neighbour, String folder) throws Exception {
        URI jar = URI.create("jar:" + neighbour.getProtectionDomain().getCodeSource().getLocation());
        try (FileSystem files = FileSystems.newFileSystem(jar, Map.of());
                Stream<Path> list = Files.list(files.getPath(folder))) {
            return list.map(Path::toString).filter(name -> name.endsWith(".class"))
                    .map(name -> name.substring(1, name.length() - 6).replace('/', '.'))
                    .filter(name -> !name.endsWith("Exception")).sorted().toList();
        }
    }

    @Test
    void allMessagesOfAnthropicAndOpenAiAreKept() throws Exception {
        assertThat(messages(AnthropicChatModel.class, "/dev/langchain4j/model/anthropic/internal/api")).isNotEmpty()
                .isSubsetOf(kept());
        for (String folder : List.of("chat", "shared")) {
            assertThat(messages(OpenAiChatModel.class, "/dev/langchain4j/model/openai/internal/" + folder)).isNotEmpty()
                    .isSubsetOf(kept());
        }
    }

    /// A question with tools, their results, and an answer in a given form: the most that an agent
    /// asks.
    @ParameterizedTest
    @EnumSource(names = {"ANTHROPIC", "OPENAI", "OLLAMA"})
    void whatAConversationWritesAndReadsIsKept(Provider provider) throws Exception {
        assertThat(seen(provider)).hasSizeGreaterThan(8).isSubsetOf(kept());
    }

    /// Gemini's client, which is our own, does so too.
    @Test
    void openAisResponsesAreWrittenAndReadAsTreesWhichNeedNothing() throws Exception {
        assertThat(seen(Provider.RESPONSES)).isEmpty();
    }

    private static Set<String> seen(Provider provider) throws Exception {
        try (FakeProvider server = provider.saying("{\"text\": \"done\"}")) {
            server.plan(Fault.toolFirst("Read", "{\"path\": \"x\"}"));
            provider.model(server).ask(Questions.inForm(
                    AgentConfig.defaults().get(AgentType.LEAKAGE).toOutputFormat(), Questions.withTools()));
            assertThat(server.received()).hasSize(2);
        }
        Set<String> seen = new TreeSet<>();
        JacksonTrace.types(Class.forName(mapper(provider)), "OBJECT_MAPPER").stream().map(Class::getName)
                .filter(name -> name.startsWith("dev.langchain4j.")).forEach(seen::add);
        return seen;
    }

    private static String mapper(Provider provider) {
        return switch (provider) {
            case ANTHROPIC -> "dev.langchain4j.model.anthropic.internal.client.Json";
            case OPENAI -> "dev.langchain4j.model.openai.internal.Json";
            case OLLAMA -> "dev.langchain4j.model.ollama.OllamaJsonUtils";
            case RESPONSES -> "dev.langchain4j.model.openai.OpenAiResponsesClient";
            case GEMINI -> throw new IllegalArgumentException("it has none");
        };
    }
}
