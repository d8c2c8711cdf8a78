package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mlestar.Requirement;
import io.mlestar.adapter.script.isolation.Isolation;
import io.mlestar.app.cli.Program;
import io.mlestar.core.base.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A whole run whose scripts and tools print all that they can find of the environment: no key is
/// in anything that it leaves behind.
class SecretsIT {
    private static final String SEARCH_KEY = "search-key-of-the-test";
    private static final String DUMP = """
            import glob, os
            print('DUMPED', dict(os.environ))
            for name in glob.glob('/pr' + 'oc/*/environ'):
                try:
                    print('ENVIRON', name, open(name, 'rb').read())
                except OSError as e:
                    print('DENIED', name)
            """;
    private static final String SCRIPT = "```python\n" + DUMP + """
            BLOCK = 1
            open('final/submission.csv', 'w').write('id,y\\n1,0\\n')
            %s
            print('Final Validation Performance: 0.7')
            ```
            """;

    @TempDir
    private Path folder;

    /// Not among what the run leaves.
    @TempDir
    private Path mounted;

    private static Answerer answerer() {
        Answerer mini = Answerer.recording(Program.MINI.resolve("answers"));
        return asked -> switch (asked.agent()) {
            case "init" -> Reply.text(SCRIPT.formatted("raise ValueError('so that the debugger comes')"));
            case "debugger", "merger", "ensembler", "test" -> Reply.text(SCRIPT.formatted(""));
            case "ablation" -> Reply.text("```python\n" + DUMP + "```");
            default -> mini.answer(asked);
        };
    }

    @Test
    @Requirement("REQ-EX-004")
    void noKeyIsInAnythingThatARunLeavesBehind() throws Exception {
        assumeTrue(Isolation.strongest(io.mlestar.adapter.script.isolation.Python.find("python3")) != Isolation.SESSION,
                "without namespaces a script sees the processes of its user");
        Path keyFile = Files.writeString(mounted.resolve("openai-key"), FakeProvider.KEY + "\n");
        Path temporary = Files.createDirectories(folder.resolve("tmp"));
        Path config = Files.writeString(folder.resolve("config.yaml"), """
                num_retrieved_models: 1
                num_parallel_solutions: 1
                outer_loop_steps: 1
                inner_loop_steps: 1
                ensemble_rounds: 1
                max_debug_attempts: 1
                log_level: TRACE
                log_file: %s
                agents: {init: {model: "openai:made-up"}, coder: {model: "openai:made-up"}}
                """.formatted(folder.resolve("log")));
        try (FakeProvider anthropic = new AnthropicServer(answerer());
                FakeProvider openAi = new OpenAiServer(answerer())) {
            anthropic.plan(asked -> asked.agent().equals("debugger"),
                    Fault.toolFirst("Bash", Json.line(Map.of("command", "env; python3 - <<'EOF'\n" + DUMP + "EOF"))));
            anthropic.plan(asked -> asked.agent().equals("summarize"),
                    new Fault.Foreign(400, "application/json",
                            "{\"error\": {\"message\": \"I was given " + FakeProvider.KEY + "\"}}"));
            openAi.plan(asked -> asked.agent().equals("coder"), Fault.status(401));
            Program program = new Program(folder).with("ANTHROPIC_API_KEY", FakeProvider.KEY)
                    .with("OPENAI_API_KEY_FILE", keyFile.toString())
                    .with("TAVILY_API_KEY", SEARCH_KEY).with("ANTHROPIC_BASE_URL", anthropic.url() + "/v1/")
                    .with("OPENAI_BASE_URL", openAi.url() + "/v1")
                    .with("MLE_STAR_JAVA_OPTS", "-Djava.io.tmpdir=" + temporary);
            Program.Ended ended =
                    program.run("run", "--task", Program.MINI + "/task.yaml", "--config", config.toString(), "--model",
                            "anthropic:made-up", "--run-id", "run", "--record", folder.resolve("recording").toString());

            assertThat(ended.exitCode()).as(ended.err()).isZero();
            assertThat(anthropic.faultsLeft() + openAi.faultsLeft()).isZero();
            String requests = Stream.of(anthropic, openAi).flatMap(server -> server.received().stream())
                    .map(request -> request.body().toString()).collect(Collectors.joining("\n"));
            assertThat(requests).as("what tools found came to the model").contains("DUMPED", "ENVIRON /proc/")
                    .doesNotContain(FakeProvider.KEY, SEARCH_KEY);
            assertThat(program.filesWith("DUMPED")).as("what scripts found was kept").isNotEmpty();
            assertThat(folder.resolve("store/runs/run/report.html")).exists();
            assertThat(folder.resolve("recording/phase1/retriever.md")).exists();
            assertThat(folder.resolve("log")).isNotEmptyFile();
            assertThat(program.filesWith(FakeProvider.KEY)).isEmpty();
            assertThat(program.filesWith(SEARCH_KEY)).isEmpty();
        }
    }
}
