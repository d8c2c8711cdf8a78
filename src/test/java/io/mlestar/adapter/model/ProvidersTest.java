package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.mlestar.Waiting;
import io.mlestar.adapter.model.provider.RequestPart;
import io.mlestar.adapter.tool.ExternalTools;
import io.mlestar.core.agent.Retriever;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.RetryApproval;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.Store;
import io.mlestar.show.log.Ear;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.SimpleFormatter;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Each provider of `providers.yaml` is asked by an agent with a tool and a form of its answer, as
/// a run would.
class ProvidersTest {
    private static final String ANSWER = "{\"models\": []}";

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

    private static AgentCaller caller(Models models) {
        return AgentCallerTest.caller(models, () -> {
            throw new Invalid("there is no Python");
        }, ExternalTools.NONE);
    }

    private Answer ask(OddProvider provider, FakeProvider server, Store store, String step) throws IOException {
        Fault call = Fault.toolFirst("WebFetch", "{\"url\": \"http://127.0.0.1/\"}");
        int calls = provider.row().path("calls_before_answer").asInt(1);
        server.plan(asked -> !asked.tools().isEmpty(), Collections.nCopies(calls, call).toArray(Fault[]::new));
        AgentCaller caller = caller(models(provider, server, store));
        String settings = "{\"model\": \"" + provider.model() + "\", \"provider_search\": false}";
        return caller.ask(Optional.of(StepPath.parse(step)), new Retriever("Predict y.", 1, null),
                AgentCallerTest.context(folder, settings), Waiting.MOST,
                RetryApproval.FREE, () -> folder);
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
            assertThat(server.violations()).isEmpty();
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
                            .containsExactlyElementsOf(
                                    sentences(provider, "a run").stream()
                                            .filter(line -> !line.matches(".*(tool_choice|thoughts).*")).toList()));
            assertThat(models.probe(provider.model())).as("the tiny question of a run")
                    .isInstanceOf(Probe.Answered.class);
        }
    }
}
