package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.adapter.model.Answerer.Asked;
import io.mlestar.app.cli.Program;
import io.mlestar.core.base.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The bird-strikes pipeline against each provider's server, with faults on the way: it ends as the
/// recording does. Smaller than the example, unless `-Dproviders.full=true` wants it in full.
class ProvidersIT {
    private static final String[] SMALLER = {"--set", "num_retrieved_models=2", "--set", "outer_loop_steps=1", "--set",
        "inner_loop_steps=2", "--set", "ensemble_rounds=1", "--set", "script_timeout_seconds=120", "--json"};
    /// One script of the example never ends on its own. The others get more time than they need: a
    /// busy machine must not change the result.
    private static final String[] FULL = {"--set", "script_timeout_seconds=25", "--json"};
    /// Read-only, and its recorded answer is that nothing leaks: an agent that never comes to an
    /// answer changes nothing.
    private static final String ABSENT_MINDED = "phase1/candidate1/evaluation/leakage";

    @TempDir
    private static Path recorded;

    @TempDir
    private Path folder;

    private static final Map<String[], JsonNode> EXPECTED = new HashMap<>();

    private static JsonNode expected(String[] size) throws Exception {
        JsonNode known = EXPECTED.get(size);
        if (known == null) {
            Path own = Files.createDirectories(recorded.resolve(size == FULL ? "full" : "smaller"));
            known = result(new Program(own).run(Program.smallExample(recorded, "run", size)));
            EXPECTED.put(size, known);
        }
        return known;
    }

    private static JsonNode result(Program.Ended ended) {
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        return Json.parse(ended.out());
    }

    private static String[] asking(String model, String[] size, String... more) throws IOException {
        String[] arguments = Program.smallExample(recorded, "run", size);
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = arguments[i].startsWith("recorded:") ? model : arguments[i];
        }
        return Stream.concat(Stream.of(arguments), Stream.of(more)).toArray(String[]::new);
    }

    private static Predicate<Asked> agent(String name) {
        return asked -> asked.agent().equals(name);
    }

    private static Predicate<Asked> step(String inside) {
        return asked -> asked.step().filter(step -> step.inside().equals(inside)).isPresent();
    }

    private static Fault answer(String text) {
        return Fault.instead(Reply.text(text));
    }

    /// What may go wrong on the way, and what comes out of the ordinary, at every kind of agent.
    private static void plan(FakeProvider server, LanguageModelTest.Provider provider) {
        server.plan(agent("retriever"), Fault.status(429, "1"), Fault.status(529),
                Fault.toolFirst("WebFetch", "{\"url\": \"http://127.0.0.1/latest/meta-data\"}"), Fault.emptyText());
        server.plan(agent("init"), Fault.Cut.IN_THE_BODY,
                Fault.instead(Reply.calls(Reply.call("Read", "{\"path\": \"input\"}"),
                        Reply.call("Read", "{\"path\": \"no-such-file\"}"))));
        server.plan(agent("merger"), Fault.toolFirst("Teleport", "{}"));
        // OpenAI's arguments are a string that may hold anything; the others cannot but send an
        // object.
        server.plan(agent("data"), Fault.Malformed.BODY, Fault.toolFirst("Read", "{\"path\": 7}"),
                Fault.toolFirst("Read",
                        provider == LanguageModelTest.Provider.OPENAI
                                || provider == LanguageModelTest.Provider.RESPONSES ? "\"{\\\"path\\\": \""
                                        : "{\"more\": 1}"));
        server.plan(agent("debugger"), Fault.toolFirst("Bash", "{\"command\": \"echo tried; exit 3\"}"),
                Fault.toolFirst("Bash", "{\"command\": \"rm -rf /\"}"));
        server.plan(step(ABSENT_MINDED),
                Collections.nCopies(20, Fault.toolFirst("Read", "{\"path\": \"input\"}")).toArray(Fault[]::new));
        server.plan(step("phase1/candidate0/evaluation/leakage"), answer("{\"answers\": [{\"leakage_status\": \"Yes"));
        server.plan(step("phase1/merge1/evaluation/leakage"), Fault.refusal());
        server.plan(agent("ablation"), Fault.slow(Duration.ofSeconds(2)));
        server.plan(agent("summarize"), Fault.emptyText(), Fault.huge());
        server.plan(agent("extractor"), answer("[{\"code_block\": "));
        server.plan(agent("planner"), Fault.Cut.BEFORE_THE_ANSWER, Fault.truncated(), Fault.unicode());
        server.plan(agent("test"), Fault.status(500));
    }

    @ParameterizedTest
    @EnumSource
    @Requirement("REQ-OR-052")
    @Tag("long")
    void thePipelineEndsAsTheRecordingDoesInSpiteOfFaults(LanguageModelTest.Provider provider) throws Exception {
        assumeTrue(provider == LanguageModelTest.Provider.ANTHROPIC || Boolean.getBoolean("providers.all"),
                "a part of make test-long");
        String[] size = Boolean.getBoolean("providers.full") ? FULL : SMALLER;
        JsonNode expected = expected(size);
        try (FakeProvider server = provider.start(Answerer.recording(Program.EXAMPLE.resolve("answers")))) {
            plan(server, provider);
            Program program = new Program(folder);
            provider.environment(server.url()).forEach(program::with);
            JsonNode result =
                    result(program.run(asking(provider.name().toLowerCase(Locale.ROOT) + ":thinking-made-up", size)));
            assertThat(server.violations()).isEmpty();
            assertThat(server.faultsLeft()).isZero();
            assertThat(Program.solution(result)).isEqualTo(Program.solution(expected));
            assertThat(result.path("best_score")).isEqualTo(expected.path("best_score"));
            assertThat(server.received())
                    .allSatisfy(request -> assertThat(request.header("x-mlestar-agent")).isPresent());
            assertThat(toldByTools(server)).contains("there is no tool Teleport", "exit code 3", "tried",
                    "which is blocked", "Answer now.",
                    "path must be a text", "no-such-file", "train.csv");
            String shown = program.run("show", "run").out();
            assertThat(shown).contains("gave no answer", "cut at the model's limit");
            assertThat(program.run("show", "run", "phase1/candidate1/evaluation/leakage").out())
                    .contains("## What is missing");
        }
    }

    /// The data folder of its task is meant from where the input lies.
    @Test
    void anAgentAloneUsesTheToolsOfItsTask() throws Exception {
        Files.writeString(Files.createDirectories(folder.resolve("data")).resolve("train.csv"), "id,y\n1,0\n");
        Path input = Files.writeString(folder.resolve("debugger.json"),
                """
                        {"code": "prin(1)", "bug": "NameError", "task": {"competition_id": "t", "task_type": "tabular", "data_modality": "tabular",
                         "evaluation_metric": "AUC", "metric_direction": "maximize", "description": "Predict y.", "data_dir": "data"}}""");
        try (FakeProvider server = new AnthropicServer(Answerer.always("```python\nprint(1)\n```"))) {
            server.plan(Fault.toolFirst("Read", "{\"path\": \"input/train.csv\"}"),
                    Fault.toolFirst("Bash", "{\"command\": \"wc -l < input/train.csv\"}"));
            Program.Ended ended = new Program(folder).with("ANTHROPIC_API_KEY", FakeProvider.KEY)
                    .with("ANTHROPIC_BASE_URL", server.url() + "/v1/")
                    .run("agent", "debugger", "--input", input.toString(), "--model", "anthropic:thinking-made-up");
            assertThat(result(ended).path("code").asText()).isEqualTo("print(1)");
            assertThat(toldByTools(server)).contains("id,y", "\"2\"");
            assertThat(server.violations()).isEmpty();
        }
    }

    private static String toldByTools(FakeProvider server) {
        return server.received().stream().map(request -> server.messages(request.body()).toString())
                .collect(Collectors.joining("\n"));
    }
}
