package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.base.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineIT {
    @TempDir
    private Path folder;

    private Program program;

    @BeforeEach
    void prepare() throws IOException {
        program = new Program(folder);
        String task = Files.readString(Program.MINI.resolve("task.yaml"));
        Files.writeString(folder.resolve("no-data.yaml"), task + "data_dir: ./nowhere\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    --task MINI --model anthropic:made-up        | ANTHROPIC_API_KEY is not set; model anthropic:made-up needs it
                    --task MINI --model openai:x --set max_budget_usd=1 | max_budget_usd needs prices, but that of model openai:x is unknown
                    --task MINI --model ollama:x                 | OLLAMA_BASE_URL is "localhost:11434", which is not a valid URL
                    """)
    @Requirement({"REQ-OR-002", "REQ-OR-029", "REQ-OR-046"})
    void badInputIsNamedInOneLineAndNothingIsMade(String arguments, String said) throws Exception {
        program.with("ANTHROPIC_API_KEY", "").with("OPENAI_API_KEY", "k").with("OLLAMA_BASE_URL", "localhost:11434");
        String[] words = ("run " + arguments.replace("MINI", Program.MINI + "/task.yaml")).split(" ");
        Program.Ended ended = program.run(words);
        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err().strip()).startsWith("mlestar: ").contains(said);
        assertThat(ended.err().lines()).hasSize(1);
        assertThat(ended.out()).isEmpty();
        assertThat(program.store()).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"MLE_STAR_WEIGHTS", "MLE_STAR_SANDBOX"})
    void aWrongEnvironmentIsNamedInOneLineAndNothingIsMade(String variable) throws Exception {
        program.with("MLE_STAR_MODEL", "recorded:" + Program.MINI.resolve("answers")).with(variable, "/no where");
        Program.Ended ended = program.run("run", "--task", Program.MINI + "/task.yaml");
        assertThat(ended.err().strip()).startsWith("mlestar: ").contains(variable).hasLineCount(1);
        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(program.store()).doesNotExist();
    }

    @Test
    void aPlanNeedsNeitherDataNorModelAndMakesNothing() throws Exception {
        program.with("ANTHROPIC_API_KEY", "");
        Program.Ended ended =
                program.run("plan", "--task", "no-data.yaml", "--scripts-at-once", "2", "--set", "outer_loop_steps=1",
                        "--set", "inner_loop_steps=2", "--json");
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        JsonNode plan = Json.parse(ended.out());
        assertThat(plan.path("scripts_at_once").asInt()).isEqualTo(2);
        assertThat(plan.path("hours").asDouble()).isPositive();
        assertThat(plan.path("cost_usd").asDouble()).isPositive();
        assertThat(program.store()).doesNotExist();

    }

    @ParameterizedTest
    @CsvSource({"run --task MINI", "serve --port 0"})
    void withoutASandboxNothingBeginsThatNeedsOne(String arguments) throws Exception {
        Path kernel = Path.of("src/test/resources/walls/no_walls.py").toAbsolutePath();
        program.with("MLE_STAR_SANDBOX", "required").with("MLE_STAR_MODEL",
                "recorded:" + Program.MINI.resolve("answers"));
        Program.Ended ended = program.inside("python3", kernel.toString())
                .run(arguments.replace("MINI", Program.MINI + "/task.yaml").split(" "));
        assertThat(ended.exitCode()).as(ended.err()).isEqualTo(2);
        assertThat(ended.err().strip())
                .startsWith("mlestar: no sandbox is available on this machine: install bubblewrap").hasLineCount(1);
        assertThat(program.store().resolve("runs")).doesNotExist();
    }

    @Test
    @Requirement("REQ-OR-002")
    void anAddressThatDoesNotAnswerIsNamedBeforeARunBegins() throws Exception {
        String address;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            address = "http://127.0.0.1:" + closed.getLocalPort() + "/v1";
        }
        Program.Ended ended = program.with("OPENAI_API_KEY", "k").with("OPENAI_BASE_URL", address)
                .run("run", "--task", Program.MINI + "/task.yaml", "--model", "openai:x", "--run-id", "one");
        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err())
                .isEqualToIgnoringNewLines("mlestar: model openai:x cannot be used: connection refused at " + address
                        + "/chat/completions: is OPENAI_BASE_URL right?");
        assertThat(program.store().resolve("runs/one")).doesNotExist();
    }

    @Test
    void aMissingInterpreterIsSaidBeforeAnything() throws Exception {
        Files.writeString(folder.resolve("wrapper"), "#!/bin/sh\nMLE_STAR_PYTHON=/no/python exec \"$@\"\n");
        assertThat(folder.resolve("wrapper").toFile().setExecutable(true)).isTrue();
        Process process =
                new ProcessBuilder(folder.resolve("wrapper").toString(), Path.of("mlestar").toAbsolutePath().toString(),
                        "run", "--task", Program.MINI + "/task.yaml").redirectErrorStream(true).start();
        assertThat(new String(process.getInputStream().readAllBytes())).contains("\"/no/python\" does not run");
        assertThat(process.waitFor()).isEqualTo(2);
    }

    @Test
    @Requirement("REQ-OR-051")
    @Tag("long")
    void aFinishedRunGivesItsResultAgainAndCanBeLookedAt() throws Exception {
        Program.Ended first = program.run(Program.mini("one", "--set", "outer_loop_steps=1", "--json"));
        assertThat(first.err()).contains("no language model is asked");
        assertThat(first.exitCode()).as(first.err()).isZero();
        JsonNode result = Json.parse(first.out());
        assertThat(Path.of(result.path("submission_path").asText())).hasContent("id,y\n1,0\n");
        Path run = program.store().resolve("runs/one");
        assertThat(run.resolve("final_solution.py")).exists();
        assertThat(run.resolve("report.html")).exists();

        Program.Ended again = program.run(Program.mini("one", "--set", "outer_loop_steps=1", "--json"));
        assertThat(again.exitCode()).isZero();
        assertThat(again.out()).isEqualTo(first.out());

        Program.Ended other = program.run(Program.mini("one", "--set", "outer_loop_steps=3"));
        assertThat(other.exitCode()).isEqualTo(2);
        assertThat(other.err()).contains("another task or configuration");

        assertThat(program.run("status", "one").out()).contains("completed", "recorded:");
        assertThat(program.run("show", "one").out()).contains("phase2-path1", "candidate0", "score 0.73");
        assertThat(program.run("show", "one", "phase1/candidate0/init").out()).contains("## Prompt", "## Answer",
                "BLOCK = 1");
        assertThat(program.run("show", "one", "phase1/nothing").exitCode()).isEqualTo(2);
        assertThat(program.run("cancel", "one").out()).contains("has ended already");
        assertThat(program.run("status", "two").err()).contains("there is no run \"two\"");

        Program.Ended second = program.run(Program.mini("two", "--set", "outer_loop_steps=1", "--json"));
        JsonNode independent = Json.parse(second.out());
        assertThat(Program.solution(independent)).isEqualTo(Program.solution(result));
    }

    @Test
    @Requirement({"REQ-OR-006", "REQ-OR-008", "REQ-OR-010"})
    void theAgentsAreShownWithTheToolsThatAConfigurationGivesThem() throws Exception {
        Path config = Files.writeString(folder.resolve("config.yaml"),
                "agents: {coder: {tools: [Read, ListFiles]}, init: {tools: []}}");
        JsonNode agents = Json.parse(program.run("agents", "--config", config.toString()).out());
        assertThat(agents).hasSameSizeAs(AgentType.values());
        assertThat(agents.path("extractor").path("output_format").path("type").asText()).isEqualTo("json_schema");
        assertThat(agents.path("coder").path("tools")).isEqualTo(Json.tree(List.of("Read", "ListFiles")));
        assertThat(agents.path("init").path("tools")).isEmpty();
        assertThat(agents.path("debugger").path("tools")).isEqualTo(Json.tree(List.of("Read", "Bash")));

        Path input = Files.writeString(folder.resolve("input.json"), "{\"code_block\": \"x = 1\", \"plan\": \"p\"}");
        for (String[] asked : List.of(new String[] {"agents"},
                new String[] {"agent", "coder", "--input", input.toString(), "--render"},
                Program.mini("three"))) {
            String[] words = Stream.concat(Stream.of(asked), Stream.of("--set", "agents={planner: {tools: [Bash]}}"))
                    .toArray(String[]::new);
            Program.Ended refused = program.run(words);
            assertThat(refused.exitCode()).isEqualTo(2);
            assertThat(refused.err().strip())
                    .isEqualTo(
                            "mlestar: agents.planner.tools must not hold \"Bash\"; this agent may have Read, ParseScore, ListFiles");
        }
    }

    @Test
    void anAgentCanBeShownItsPromptOrAskedAlone() throws Exception {
        Path input = Files.writeString(folder.resolve("input.json"),
                "{\"code_block\": \"x = 1\", \"plan\": \"Make it {two}.\"}");
        assertThat(program.run("agent", "coder", "--input", input.toString(), "--render").out()).contains("x = 1",
                "Make it {two}.");
        Program.Ended asked = program.run("agent", "coder", "--input", input.toString(), "--model",
                "recorded:" + Program.MINI + "/answers");
        assertThat(Json.parse(asked.out()).path("code_block").asText()).isEqualTo("BLOCK = 2");
        assertThat(program.run("agent", "wizard", "--input", input.toString()).exitCode()).isEqualTo(2);
    }
}
