package io.mlestar.adapter.model.mcp;

import static io.mlestar.Refusal.refusal;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.JacksonTrace;
import io.mlestar.Requirement;
import io.mlestar.Waiting;
import io.mlestar.adapter.tool.ExternalTools;
import io.mlestar.adapter.tool.Tool;
import io.mlestar.adapter.tool.ToolFailures;
import io.mlestar.adapter.tool.ToolRefused;
import io.mlestar.adapter.tool.ToolSessions;
import io.mlestar.adapter.tool.Web;
import io.mlestar.app.program.Registered;
import io.mlestar.core.agent.Coder;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.Sha256;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.show.log.Ear;
import io.vertx.core.Vertx;
import module java.base;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Agents' tools from real MCP servers: processes that behave well, and others.
@Timeout(300)
class McpServersTest {
    private static final Duration AMPLE = Waiting.MOST;
    private static final Map<String, String> ENVIRONMENT = Map.of("PATH", System.getenv("PATH"), "HOME", "/tmp",
            "ANTHROPIC_API_KEY", "sk-secret", "AWS_SECRET_ACCESS_KEY", "secret", "MCP_TOKEN", "token-for-it");

    private static ObjectNode server(String mode) {
        ObjectNode server = Json.object().put("command", "python3");
        server.putArray("args").add("src/test/resources/mcp/server.py").add(mode);
        return server;
    }

    private static PipelineConfig config(ObjectNode... servers) {
        ObjectNode config = Json.object();
        for (ObjectNode server : servers) {
            config.withObject("/mcp_servers").set(server.path("args").path(1).asText(), server);
        }
        return PipelineConfig.resolve(config, Map.of());
    }

    private static ExternalTools.ConnectedTools open(PipelineConfig config, Duration patience) {
        return new McpServers(ENVIRONMENT, patience, AMPLE, false).open(config, AgentType.CODER, () -> AMPLE);
    }

    private static Tool tool(ExternalTools.ConnectedTools opened, String name) {
        return opened.tools().stream().filter(tool -> tool.name().endsWith("__" + name)).findFirst().orElseThrow();
    }

    private static void refused(Tool tool, String arguments, String message) {
        refusal(ToolRefused.class, () -> tool.call(arguments(arguments))).contains(message);
    }

    private static JsonNode arguments(String json) {
        return Json.parse(json);
    }

    @Test
    @Requirement("REQ-OR-010")
    void theToolsOfAServerAreToolsOfTheAgent() {
        ObjectNode other = server("other");
        other.putArray("agents").add("planner");
        try (ExternalTools.ConnectedTools opened = open(config(server("good"), other), AMPLE)) {
            assertThat(opened.tools()).extracting(Tool::name).containsExactly("mcp__good__add",
                    "mcp__good__environment", "mcp__good__big",
                    "mcp__good__fail", "mcp__good__hang", "mcp__good__child", "mcp__good__die");
            Tool add = tool(opened, "add");
            assertThat(add.description()).isEqualTo("Adds.");
            assertThat(add.parameters().path("required")).isEqualTo(arguments("[\"a\"]"));
            assertThat(add.parameters().at("/properties/how/enum")).isEqualTo(arguments("[\"plain\", \"loud\"]"));
            assertThat(add.parameters().at("/properties/more/items/type").asText()).isEqualTo("number");
            assertThat(add.call(arguments("{\"a\": 2, \"b\": 0.5}"))).isEqualTo("2.5");
            assertThat(tool(opened, "big").description()).hasSize(2_001).endsWith("…");
            refused(tool(opened, "fail"), "{}", "mcp__good__fail failed: no luck with fail");
            refused(tool(opened, "die"), "{}", "mcp__good__die failed: it ended with exit code 3: out of luck");
            refused(add, "{\"a\": 1}", "it ended");
        }
    }

    /// The result of a tool of this server is its true name. The schema on the second page is as
    /// generators of servers write them.
    @Test
    void aToolGetsANameThatAllProvidersTakeAndOneThatIsLeftOutIsNamed() throws ReflectiveOperationException {
        List<String> warnings = new CopyOnWriteArrayList<>();
        try (Ear ear = new Ear("mle_star.mcp", line -> warnings.add(new SimpleFormatter().formatMessage(line)));
                ExternalTools.ConnectedTools opened = open(config(server("names")), AMPLE)) {
            assertThat(opened.tools()).hasSize(64)
                    .allSatisfy(tool -> assertThat(tool.name()).matches("[a-zA-Z0-9_-]{1,64}"));
            Map<String, String> called = new LinkedHashMap<>();
            opened.tools().subList(0, 7).forEach(tool -> called.put(tool.name(), tool.call(arguments("{}"))));
            String digest = Sha256.hex("a.b".getBytes(UTF_8)).substring(0, 8);
            assertThat(called).containsAllEntriesOf(
                    Map.of("mcp__names__docs_search", "docs.search", "mcp__names__files_read", "files/read",
                            "mcp__names__a_b", "a_b", "mcp__names__a_b_" + digest, "a.b"));
            assertThat(called.values()).containsExactly("docs.search", "files/read", "a.b", "a_b", "a/b",
                    "x".repeat(74), "generated");
            assertThat(tool(opened, "generated").parameters()).isEqualTo(arguments(
                    """
                            {"type": "object", "properties": {"n": {"type": "integer", "minimum": 1, "default": 3}, "one": {"$ref": "#/$defs/One"}},
                             "$defs": {"One": {"type": "string", "enum": ["a", "b"]}}}"""));
        }
        assertThat(warnings).extracting(warning -> warning.replace(" of MCP server names is left out", ""))
                .containsExactly(
                        "tool \"a_b\": another tool has its name", "tool \"\": it has no name",
                        "tool \"wide\": the schema of its parameters has 20053 characters, more than 20000",
                        "tool \"broken\": Property \"x\" must be a JSON object, but was: Boolean",
                        "tool \"t57\": an agent gets at most 64 tools of a server",
                        "tool \"t58\": an agent gets at most 64 tools of a server");
        assertThat(JacksonTrace.types(BoundedTransport.class, "OBJECT_MAPPER").stream()
                .filter(type -> type.getName().startsWith("dev.langchain4j.")))
                .as("kept by a native image").hasSizeGreaterThan(8).isSubsetOf(Registered.by(BoundedTransport.class));
    }

    @Test
    void aServerSeesNoVariableButTheOnesItIsGiven() {
        ObjectNode server = server("good");
        server.putObject("env").put("TOKEN", "${MCP_TOKEN}").put("MODE", "quiet");
        try (ExternalTools.ConnectedTools opened = open(config(server), AMPLE)) {
            JsonNode seen = Json.parse(tool(opened, "environment").call(arguments("{}")));
            // Variables that the interpreter and the shell around it set themselves do not count.
            assertThat(seen.properties()).extracting(Map.Entry::getKey)
                    .filteredOn(name -> !name.matches("_?PYENV_.*|PWD|SHLVL|_|LC_CTYPE"))
                    .containsExactlyInAnyOrder("PATH", "HOME", "TOKEN", "MODE");
            assertThat(seen.path("TOKEN").asText()).isEqualTo("token-for-it");
        }
    }

    @ParameterizedTest
    @CsvSource({"hangs", "dies", "garbage", "flood", "pages"})
    @Requirement("REQ-OR-010")
    void aServerThatDoesNotWorkIsLeftOutAndTheOthersAreThere(String mode) {
        PipelineConfig config = config(server(mode), server("good"));
        McpServers servers = whoWaitForTheGoodOne(config);
        // A process that was killed is there for a moment.
        assertThat(ProcessHandle.current().children().filter(child -> child.info().arguments()
                .map(arguments -> List.of(arguments).contains(mode)).orElse(false)))
                .allSatisfy(child -> assertThat(child.onExit()).as("left behind").succeedsWithin(AMPLE));

        // The next call does not wait for it again.
        try (ExternalTools.ConnectedTools opened = servers.open(config(server(mode)), AgentType.CODER, () -> AMPLE)) {
            assertThat(opened.tools()).isEmpty();
        }
    }

    /// The good one takes its time, too, where the machine is busy.
    private static McpServers whoWaitForTheGoodOne(PipelineConfig config) {
        for (Duration patience = Duration.ofMillis(500);; patience = patience.multipliedBy(2)) {
            McpServers servers = new McpServers(ENVIRONMENT, patience, AMPLE, false);
            try (ExternalTools.ConnectedTools opened = servers.open(config, AgentType.CODER, () -> AMPLE)) {
                if (!opened.tools().isEmpty() || patience.compareTo(AMPLE) > 0) {
                    assertThat(opened.tools()).hasSize(7)
                            .allSatisfy(tool -> assertThat(tool.name()).startsWith("mcp__good__"));
                    return servers;
                }
            }
        }
    }

    @Test
    void aMissingProgramOrVariableLeavesTheServerOut() {
        ObjectNode unset = server("good");
        unset.putObject("env").put("X", "${MCP_NOT_SET}");
        ObjectNode missing = server("missing").put("command", "no-such-program");
        try (ExternalTools.ConnectedTools opened = open(config(unset, missing), AMPLE)) {
            assertThat(opened.tools()).isEmpty();
        }
    }

    @Test
    void aToolThatHangsIsGivenUpWhenTheTimeOfTheCallIsOver() {
        AtomicReference<Duration> left = new AtomicReference<>(AMPLE);
        try (ExternalTools.ConnectedTools opened =
                new McpServers(ENVIRONMENT, AMPLE, AMPLE, false).open(config(server("good")),
                        AgentType.CODER, left::get)) {
            left.set(Duration.ofMillis(300));
            refused(tool(opened, "hang"), "{}", "mcp__good__hang failed: it did not answer in time");
        }
    }

    @Test
    void afterTheCallTheServerAndItsChildrenAreGone() {
        ProcessHandle child;
        ExternalTools.ConnectedTools opened = open(config(server("stays")), AMPLE);
        try (opened) {
            child = ProcessHandle.of(Long.parseLong(tool(opened, "child").call(arguments("{}")))).orElseThrow();
            assertThat(child.isAlive()).isTrue();
        }
        assertThat(child.onExit()).succeedsWithin(AMPLE);
        assertThatExceptionOfType(ToolRefused.class)
                .isThrownBy(() -> tool(opened, "add").call(arguments("{\"a\": 1}")));
    }

    @Test
    @Requirement({"REQ-OR-009", "REQ-OR-010"})
    void theWorkshopPutsThemBehindItsRules(@TempDir Path folder) {
        Vertx vertx = Vertx.vertx();
        ToolFailures failures = new ToolFailures();
        ToolSessions workshop = new ToolSessions(() -> null, Web.of(vertx, Map.of()),
                new McpServers(ENVIRONMENT, AMPLE, AMPLE, false), Map.of(), failures);
        Coder coder = new Coder("x = 1", "plan", null, null);
        try {
            PipelineConfig config = config(server("good"));
            workshop.open(() -> folder, config, "r/coder", coder, AMPLE,
                    tools -> assertThat(tools.apply(List.of("Read"))).extracting(Tool::name)
                            .startsWith("Read", "mcp__good__add").hasSize(8));

            PipelineConfig asking = PipelineConfig
                    .resolve(((ObjectNode) Json.tree(config)).put("permission_mode", "acceptEdits"), Map.of());
            workshop.open(() -> folder, asking, "r/coder", coder, AMPLE,
                    tools -> refusal(ToolRefused.class,
                            () -> named(tools.apply(List.of()), "mcp__good__add").call(arguments("{\"a\": 1}")))
                            .contains("needs approval"));
            assertThat(failures.inARow("coder")).isEqualTo(1);
        } finally {
            vertx.close();
        }
    }

    private static Tool named(List<Tool> tools, String name) {
        return tools.stream().filter(tool -> tool.name().equals(name)).findFirst().orElseThrow();
    }
}
