package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.Requirement;
import io.mlestar.Waiting;
import io.mlestar.adapter.bucket.DataSets;
import io.mlestar.adapter.script.Sandbox;
import io.mlestar.adapter.script.isolation.Python;
import io.mlestar.adapter.tool.ExternalTools;
import io.mlestar.adapter.tool.ParseScoreTool;
import io.mlestar.adapter.tool.Tool;
import io.mlestar.adapter.tool.ToolFailures;
import io.mlestar.adapter.tool.ToolSessions;
import io.mlestar.adapter.tool.Web;
import io.mlestar.core.agent.Coder;
import io.mlestar.core.agent.Debugger;
import io.mlestar.core.agent.Prompts;
import io.mlestar.core.agent.Retriever;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.RetryApproval;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.DataModality;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.core.task.TaskType;
import io.vertx.core.Vertx;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// One agent alone, with the real tools, against a provider's server.
class AgentCallerTest {
    private static final Sandbox SANDBOX = Sandbox.of(Python.find("python3"), Map.of());
    private static final Vertx VERTX = Vertx.vertx();
    private static final Debugger DEBUGGER =
            new Debugger("prin(1)", "NameError: name 'prin' is not defined", Kind.SOLUTION, null, null);
    private static final Coder CODER = new Coder("x = 1", "plan", null, null);
    private static final Answerer WHAT_THE_TOOLS_SAID =
            asked -> Reply.text(String.join("; ", asked.toolResults()) + " of " + asked.tools());

    @TempDir
    private Path data;

    private Answer ask(FakeProvider server, Agent<?> agent, String explicit) {
        return ask(server, () -> SANDBOX, agent, explicit, ExternalTools.NONE);
    }

    private Answer ask(FakeProvider server, Supplier<Sandbox> sandbox, Agent<?> agent, String explicit,
            ExternalTools foreign) {
        return caller(server, sandbox, foreign).ask(Optional.empty(), agent, context(data, explicit), Waiting.MOST,
                RetryApproval.FREE, () -> data);
    }

    static AgentCaller caller(Models models, Supplier<Sandbox> sandbox, ExternalTools foreign) {
        return new AgentCaller(models, Prompts.load(Map.of()),
                new ToolSessions(sandbox, Web.of(VERTX, Map.of()), foreign, Map.of(), new ToolFailures()),
                new DataSets(Map.of()));
    }

    private static AgentCaller caller(FakeProvider server, Supplier<Sandbox> sandbox, ExternalTools foreign) {
        Map<String, String> environment = new HashMap<>();
        Stream.of(Provider.ANTHROPIC, Provider.OPENAI, Provider.GEMINI)
                .forEach(each -> environment.putAll(each.environment(server.url())));
        return caller(new Models(environment), sandbox, foreign);
    }

    static RunContext context(Path data, String explicit) {
        ObjectNode settings = Json.object().put("model", "anthropic:made-up");
        settings.setAll((ObjectNode) Json.parse(explicit));
        TaskDescription task = new TaskDescription("t", TaskType.TABULAR, DataModality.TABULAR, "AUC",
                MetricDirection.MAXIMIZE, "Predict y.", data.toString(), null);
        return new RunContext(task, PipelineConfig.resolve(settings, Map.of()), "no GPU");
    }

    @Test
    @Requirement("REQ-OR-008")
    void anAgentAloneReadsTheDataOfItsTaskAndRunsCommands() throws IOException {
        Files.writeString(data.resolve("train.csv"), "id,y\n1,0\n");
        try (FakeProvider server = Provider.ANTHROPIC.start(WHAT_THE_TOOLS_SAID)) {
            server.plan(Fault.toolFirst("Read", "{\"path\": \"input/train.csv\"}"),
                    Fault.toolFirst("Bash", "{\"command\": \"wc -l < input/train.csv\"}"));
            assertThat(ask(server, DEBUGGER, "{}").text()).contains("id,y", "; 2").endsWith(" of [Read, Bash]");
        }
    }

    @Test
    void whatAnAgentLookedAtInTheDataIsKeptWithItsAnswer() throws IOException {
        Files.writeString(data.resolve("train.csv"), "id,y\n1,0\n");
        String count = "print(sum(1 for line in open('input/train.csv')))";
        try (FakeProvider server = Provider.ANTHROPIC.start(WHAT_THE_TOOLS_SAID)) {
            server.plan(Fault.toolFirst("RunPython", "{\"script\": \"" + count + "\"}"),
                    Fault.toolFirst("RunPython", "{\"script\": \"print(2)\"}"));
            Answer answer = ask(server, CODER, "{\"search\": \"strong\", \"agents_look\": 1}");
            String over = "Error: all scripts for this answer have been run; answer now";
            assertThat(answer.text()).isEqualTo("2; " + over + " of [RunPython]");
            assertThat(answer.looks()).containsExactly(new Answer.DataLook(count, "2"),
                    new Answer.DataLook("print(2)", over));
            assertThat(answer.prompt()).contains("`RunPython`", "may run: 1;");
            assertThat(Json.read(Json.tree(answer), Answer.class)).isEqualTo(answer);
        }
    }

    @Test
    void whereNothingKeepsTheFilesOfTheMachineNoAgentIsToldOfLooking() throws IOException {
        try (FakeProvider server = Provider.ANTHROPIC.start(WHAT_THE_TOOLS_SAID)) {
            Answer answer = ask(server, () -> {
                throw new Invalid("there is no Python");
            }, CODER, "{\"search\": \"strong\"}", ExternalTools.NONE);
            assertThat(answer.text()).isEqualTo(" of []");
            assertThat(answer.prompt()).doesNotContain("RunPython", "# Tools");
            assertThat(answer.looks()).isEmpty();
        }
    }

    @Test
    @Requirement({"REQ-OR-008", "REQ-OR-010"})
    void anAgentHasTheToolsThatTheConfigurationGivesIt() throws IOException {
        Files.writeString(data.resolve("train.csv"), "id,y\n1,0\n");
        try (FakeProvider server = Provider.ANTHROPIC.start(WHAT_THE_TOOLS_SAID)) {
            server.plan(Fault.toolFirst("ListFiles", "{}"));
            assertThat(
                    ask(server, DEBUGGER, "{\"agents\": {\"debugger\": {\"tools\": [\"ListFiles\", \"ParseScore\"]}}}")
                            .text())
                    .isEqualTo("train.csv (9 bytes) of [ListFiles, ParseScore]");
            assertThat(ask(server, CODER, "{\"agents\": {\"coder\": {\"tools\": [\"Read\"]}}}").text())
                    .isEqualTo(" of [Read]");
            assertThat(ask(server, CODER, "{}").text()).isEqualTo(" of []");
        }
    }

    @Test
    @Requirement({"REQ-OR-008", "REQ-OR-010"})
    void anEmptyListIsNoToolsAtAllAndNoListLeavesThoseOfServers() throws IOException {
        Tool far = ParseScoreTool.tool();
        ExternalTools server = (config, agent, left) -> new ExternalTools.ConnectedTools(List.of(far), () -> {});
        String named =
                """
                        "mcp_servers": {"far": {"url": "http://127.0.0.1:1/mcp", "agents": ["coder", "debugger"]}}""";
        try (FakeProvider provider = Provider.ANTHROPIC.start(WHAT_THE_TOOLS_SAID)) {
            assertThat(ask(provider, () -> SANDBOX, CODER, "{" + named + "}", server).text())
                    .isEqualTo(" of [ParseScore]");
            assertThat(ask(provider, () -> SANDBOX, DEBUGGER, "{" + named + "}", server).text())
                    .isEqualTo(" of [Read, Bash, ParseScore]");
            assertThat(
                    ask(provider, () -> SANDBOX, DEBUGGER,
                            "{" + named + ", \"agents\": {\"debugger\": {\"tools\": []}}}", server).text())
                    .isEqualTo(" of []");
        }
    }

    /// Its server may not know the interface, or its model not the tool.
    @ParameterizedTest
    @EnumSource(names = {"ANTHROPIC", "OPENAI", "GEMINI"})
    void whereTheProviderRefusesToSearchItAnswersWithout(Provider provider) throws IOException {
        for (int status : new int[] {400, 403, 404}) {
            try (FakeProvider server = provider.saying("{\"models\": []}")) {
                server.plan(Fault.status(status));
                assertThat(ask(server, new Retriever("Predict y.", 1, null),
                        "{\"model\": \"" + provider.modelName() + "\"}").text())
                        .isEqualTo("{\"models\": []}");
                assertThat(server.received()).hasSize(2);
                assertThat(server.received().getFirst().body().toString()).contains("_search\"",
                        "Search the web for the models");
                assertThat(server.received().getLast().body().toString())
                        .contains("Nothing can be searched", "WebFetch")
                        .doesNotContain("Search the web", "_search\"");
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`',
            textBlock = """
                    200 | {"error": "Unexpected endpoint or method. (POST /v1/responses)"}
                    200 | {"id": "r", "object": "response", "status": "completed", "output": [], "usage": {"input_tokens": 5, "output_tokens": 0}}
                    500 | {"error": {"message": "Unsupported tool type: 'web_search'", "type": "internal_error"}}
                    400 | {"error": {"message": "Unknown tool", "type": "invalid_request_error"}}
                    """)
    void aRunTriesTheProvidersSearchOnce(int status, String body) throws IOException {
        try (FakeProvider server = Provider.OPENAI.saying("{\"models\": []}")) {
            server.plan(new Fault.Foreign(status, "application/json", body));
            AgentCaller caller = caller(server, () -> SANDBOX, ExternalTools.NONE);
            for (String step : List.of("r1/phase1/retriever", "r1/phase1/retriever-2", "r2/phase1/retriever")) {
                caller.ask(Optional.of(StepPath.parse(step)), new Retriever("Predict y.", 1, null),
                        context(data, "{\"model\": \"openai:made-up\"}"), Waiting.MOST, RetryApproval.FREE, () -> data);
            }
            assertThat(server.received()).extracting(FakeProvider.Received::path)
                    .containsExactly("/v1/responses", "/v1/chat/completions", "/v1/chat/completions", "/v1/responses");
        }
    }
}
