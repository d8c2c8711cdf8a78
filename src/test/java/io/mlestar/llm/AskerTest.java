package io.mlestar.llm;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.agent.Debugger;
import io.mlestar.agent.Prompts;
import io.mlestar.llm.LanguageModelTest.Provider;
import io.mlestar.sandbox.Python;
import io.mlestar.sandbox.Sandbox;
import io.mlestar.step.Answer;
import io.mlestar.step.Brief;
import io.mlestar.step.RunScript.Kind;
import io.mlestar.store.DataSets;
import io.mlestar.task.DataModality;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import io.mlestar.task.MetricDirection;
import io.mlestar.task.PipelineConfig;
import io.mlestar.task.TaskDescription;
import io.mlestar.task.TaskType;
import io.mlestar.tool.ForeignTools;
import io.mlestar.tool.ToolFailures;
import io.mlestar.tool.Web;
import io.mlestar.tool.Workshop;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One agent alone, with the real tools, against a provider's server.
class AskerTest {
    private static final Vertx VERTX = Vertx.vertx();
    private static final Debugger DEBUGGER = new Debugger("prin(1)", "NameError: name 'prin' is not defined", Kind.SOLUTION);
    private static final Answerer WHAT_THE_TOOLS_SAID = asked -> Reply.text(String.join("; ", asked.toolResults()) + " of " + asked.tools());

    @TempDir
    private Path data;

    private static Answer ask(FakeProvider server, Path data, Supplier<Sandbox> sandbox) {
        Models models = new Models(Map.of("ANTHROPIC_API_KEY", FakeProvider.KEY, "ANTHROPIC_BASE_URL", server.url() + "/v1/"));
        TaskDescription task = new TaskDescription("t", TaskType.TABULAR, DataModality.TABULAR, "AUC", MetricDirection.MAXIMIZE, "Predict y.",
                data.toString(), null);
        Brief brief = new Brief(task, PipelineConfig.resolve(Json.object().put("model", "anthropic:made-up"), Map.of()), "no GPU");
        Asker asker = new Asker(models, Prompts.load(Map.of()), new Workshop(sandbox, Web.of(VERTX), ForeignTools.NONE, Map.of(), new ToolFailures()),
                new DataSets(Map.of()));
        return asker.ask(Optional.empty(), DEBUGGER, brief, Duration.ofSeconds(60));
    }

    @Test
    @Requirement("REQ-OR-008")
    void anAgentAloneReadsTheDataOfItsTaskAndRunsCommands() throws IOException {
        Files.writeString(data.resolve("train.csv"), "id,y\n1,0\n");
        try (FakeProvider server = Provider.ANTHROPIC.start(WHAT_THE_TOOLS_SAID)) {
            server.plan(Fault.toolFirst("Read", "{\"path\": \"input/train.csv\"}"), Fault.toolFirst("Bash", "{\"command\": \"wc -l < input/train.csv\"}"));
            assertThat(ask(server, data, () -> Sandbox.of(Python.find("python3"))).text()).contains("id,y", "; 2").endsWith(" of [Read, Bash]");
            assertThat(server.violations()).isEmpty();
        }
    }

    @Test
    void withoutDataTheToolsShowAnEmptyFolderAndWithoutASandboxTheyFailAlone() throws IOException {
        try (FakeProvider server = Provider.ANTHROPIC.start(WHAT_THE_TOOLS_SAID)) {
            server.plan(Fault.toolFirst("Read", "{\"path\": \"input\"}"), Fault.toolFirst("Bash", "{\"command\": \"ls\"}"));
            Answer answer = ask(server, data.resolve("not-there"), () -> {
                throw new Invalid("there is no Python");
            });
            assertThat(answer.text()).contains("Error: Bash failed: there is no Python");
            assertThat(answer.shortfall()).isNull();
        }
    }

    @Test
    void aRecordedModelIsGivenNoTools() throws IOException {
        Files.createDirectories(data.resolve("defaults"));
        Files.writeString(data.resolve("defaults/debugger.md"), "print(1)");
        Brief brief = new Brief(new TaskDescription("t", TaskType.TABULAR, DataModality.TABULAR, "AUC", MetricDirection.MAXIMIZE, "Predict y.",
                "/nowhere", null), PipelineConfig.resolve(Json.object().put("model", "recorded:" + data), Map.of()), "no GPU");
        Workshop closed = new Workshop(() -> {
            throw new AssertionError("nobody needs a sandbox");
        }, null, ForeignTools.NONE, Map.of(), new ToolFailures());
        assertThat(new Asker(new Models(Map.of()), Prompts.load(Map.of()), closed, new DataSets(Map.of())).ask(Optional.empty(), DEBUGGER, brief, Duration.ofSeconds(1)).text())
                .isEqualTo("print(1)");
    }
}
