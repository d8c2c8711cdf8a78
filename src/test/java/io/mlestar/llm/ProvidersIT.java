package io.mlestar.llm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.cli.Program;
import io.mlestar.llm.Answerer.Asked;
import io.mlestar.task.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The bird-strikes pipeline against each provider's server, with faults on the way: it ends as the recording does.
class ProvidersIT {
    private static final String[] SMALLER = {"--set", "num_retrieved_models=2", "--set", "outer_loop_steps=1", "--set",
        "inner_loop_steps=2", "--set", "ensemble_rounds=1", "--json"};

    @TempDir
    private static Path recorded;

    @TempDir
    private Path folder;

    private static JsonNode expected;

    @BeforeAll
    static void runTheRecording() throws Exception {
        expected = result(new Program(recorded).run(Program.example("run", SMALLER)));
    }

    private static JsonNode result(Program.Ended ended) {
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        return Json.parse(ended.out());
    }

    private static String[] asking(String model, String... more) {
        String[] arguments = Program.example("run", SMALLER);
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = arguments[i].startsWith("recorded:") ? model : arguments[i];
        }
        return Stream.concat(Stream.of(arguments), Stream.of(more)).toArray(String[]::new);
    }

    private static Predicate<Asked> agent(String name) {
        return asked -> asked.agent().equals(name);
    }

    private static void plan(FakeProvider server) {
        server.plan(agent("retriever"), Fault.status(429, "1"), Fault.status(529));
        server.plan(agent("init"), Fault.Cut.IN_THE_BODY);
        server.plan(agent("data"), Fault.Malformed.BODY);
        server.plan(agent("ablation"), Fault.slow(Duration.ofSeconds(2)));
        server.plan(agent("summarize"), Fault.emptyText());
        server.plan(agent("planner"), Fault.Cut.BEFORE_THE_ANSWER);
        server.plan(agent("test"), Fault.status(500));
    }

    @ParameterizedTest
    @EnumSource
    @Requirement("REQ-OR-052")
    void thePipelineEndsAsTheRecordingDoesInSpiteOfFaults(LanguageModelTest.Provider provider) throws Exception {
        try (FakeProvider server = provider.start(Answerer.recording(Program.EXAMPLE.resolve("answers")))) {
            plan(server);
            Program program = new Program(folder).with("ANTHROPIC_API_KEY", FakeProvider.KEY).with("OPENAI_API_KEY", FakeProvider.KEY)
                    .with("ANTHROPIC_BASE_URL", server.url() + "/v1/").with("OPENAI_BASE_URL", server.url() + "/v1")
                    .with("OLLAMA_BASE_URL", server.url());
            JsonNode result = result(program.run(asking(provider.name().toLowerCase(java.util.Locale.ROOT) + ":made-up")));
            assertThat(server.violations()).isEmpty();
            assertThat(server.faultsLeft()).isZero();
            assertThat(result.path("final_solution")).isEqualTo(expected.path("final_solution"));
            assertThat(result.path("best_score")).isEqualTo(expected.path("best_score"));
            assertThat(filesWith(folder, FakeProvider.KEY)).as("files that hold the key").isEmpty();
            assertThat(server.received()).allSatisfy(request -> assertThat(request.header("x-mlestar-agent")).isPresent());
        }
    }

    @Test
    void aRunCanBeAskedInPlaceOfItsModelAndKeptAsARecording() throws Exception {
        Path answers = folder.resolve("answers");
        Program again = new Program(folder);
        JsonNode replayed = result(again.run(asking("recorded:" + recorded.resolve("store/runs/run"), "--record", answers.toString())));
        assertThat(replayed.path("final_solution")).isEqualTo(expected.path("final_solution"));
        assertThat(replayed.path("best_score")).isEqualTo(expected.path("best_score"));
        assertThat(answers.resolve("phase1/candidate0/init.md"))
                .hasSameTextualContentAs(Program.EXAMPLE.resolve("answers/phase1/candidate0/init.md"));
        assertThat(answers.resolve("phase3/round0/ens_planner.md")).exists();
    }

    private static List<Path> filesWith(Path folder, String secret) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).filter(file -> {
                try {
                    return new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.ISO_8859_1).contains(secret);
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            }).toList();
        }
    }
}
