package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.Requirement;
import io.mlestar.app.cli.Program;
import io.mlestar.core.base.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A whole run whose agents have tools of MCP servers, one of which does not work.
class McpServersIT {
    private static final String TOKEN = "token-for-the-server";

    @TempDir
    private Path folder;

    private Path config() throws IOException {
        String script = Path.of("src/test/resources/mcp/server.py").toAbsolutePath().toString();
        ObjectNode config =
                Json.object().put("outer_loop_steps", 1).put("inner_loop_steps", 1).put("num_parallel_solutions", 1);
        for (String name : new String[] {"good", "dies"}) {
            ObjectNode server = config.withObject("/mcp_servers/" + name).put("command", "python3");
            server.putArray("args").add(script).add(name);
            server.putObject("env").put("TOKEN", "${MCP_TOKEN}");
        }
        return Files.writeString(folder.resolve("config.json"), Json.text(config));
    }

    @ParameterizedTest
    @EnumSource
    @Requirement("REQ-OR-010")
    void aRunUsesTheServersThatWorkAndGoesOnWithoutTheOthers(LanguageModelTest.Provider provider) throws Exception {
        assumeTrue(provider == LanguageModelTest.Provider.ANTHROPIC || Boolean.getBoolean("providers.all"),
                "a part of make test-long");
        try (FakeProvider server = provider.start(Answerer.recording(Program.MINI.resolve("answers")))) {
            server.plan(asked -> asked.agent().equals("init"),
                    Fault.toolFirst("mcp__good__add", "{\"a\": 1, \"b\": 1.5}"),
                    Fault.toolFirst("mcp__good__environment", "{}"), Fault.toolFirst("mcp__good__big", "{}"));
            Program program = new Program(folder).with("MCP_TOKEN", TOKEN);
            provider.environment(server.url()).forEach(program::with);
            Program.Ended ended = program.run("run", "--task", Program.MINI + "/task.yaml", "--config",
                    config().toString(), "--run-id", "run",
                    "--model", provider.modelName().replace("thinking-", ""));
            assertThat(ended.exitCode()).as(ended.err()).isZero();
            assertThat(server.violations()).isEmpty();
            assertThat(server.faultsLeft()).isZero();
            String received =
                    server.received().stream().map(request -> request.body().toString()).reduce("", String::concat);
            assertThat(received).contains("2.5", TOKEN, "more characters are not shown")
                    .doesNotContain(FakeProvider.KEY);
            assertThat(ended.err())
                    .contains("warning: MCP server dies is not used: it ended with exit code 1: no module named luck");
            assertThat(filesWith(TOKEN)).as("files that hold the token").isEmpty();
        }
    }

    private Stream<Path> filesWith(String secret) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList().stream().filter(file -> {
                try {
                    return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(secret);
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
        }
    }
}
