package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.base.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandLineIT {
    @TempDir
    private Path folder;

    private Program program;

    @BeforeEach
    void prepare() {
        program = new Program(folder);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    --task MINI --model anthropic:made-up        | ANTHROPIC_API_KEY is not set; model anthropic:made-up needs it
                    --task MINI --model ollama:x                 | OLLAMA_BASE_URL is "localhost:11434", which is not a valid URL
                    """)
    @Requirement({"REQ-OR-002", "REQ-OR-046"})
    void badInputIsNamedInOneLineAndNothingIsMade(String arguments, String said) throws Exception {
        program.with("ANTHROPIC_API_KEY", "").with("OLLAMA_BASE_URL", "localhost:11434");
        String[] words = ("run " + arguments.replace("MINI", Program.MINI + "/task.yaml")).split(" ");
        Program.Ended ended = program.run(words);
        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err().strip()).startsWith("mlestar: ").contains(said);
        assertThat(ended.err().lines()).hasSize(1);
        assertThat(ended.out()).isEmpty();
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
