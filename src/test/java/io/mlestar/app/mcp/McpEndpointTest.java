package io.mlestar.app.mcp;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.Waiting;
import io.mlestar.adapter.model.mcp.McpServers;
import io.mlestar.adapter.tool.ExternalTools;
import io.mlestar.adapter.tool.Tool;
import io.mlestar.adapter.tool.ToolRefused;
import io.mlestar.app.start.Caller;
import io.mlestar.app.start.Launch;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.Records;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.PipelineConfig;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The tools that the program offers over MCP, with the program as its own client.
@QuarkusTest
@Tag("quarkus")
class McpEndpointTest {
    private static final Duration AMPLE = Waiting.MOST;
    private static final String EVERY_FORM = "application/json, text/event-stream";
    private static final String INITIALIZE =
            """
                    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {},
                     "clientInfo": {"name": "test", "version": "1"}}}""";

    @TestHTTPResource("/mcp")
    URI door;

    @Inject
    Records records;

    @Inject
    Launch launch;

    private ExternalTools.Opened open() {
        PipelineConfig config = PipelineConfig
                .resolve(Json.parse("{\"mcp_servers\": {\"own\": {\"url\": \"%s\"}}}".formatted(door)), Map.of());
        return new McpServers(Map.of(), AMPLE, AMPLE, false).open(config, AgentType.CODER, () -> AMPLE);
    }

    private static Tool tool(ExternalTools.Opened opened, String name) {
        return opened.tools().stream().filter(tool -> tool.name().equals("mcp__own__" + name)).findFirst()
                .orElseThrow();
    }

    @Test
    @Requirement("REQ-OR-010")
    void aScoreIsParsedAsTheProgramParsesIt() {
        try (ExternalTools.Opened opened = open()) {
            assertThat(opened.tools()).extracting(Tool::name).contains("mcp__own__ParseScore", "mcp__own__ListFiles");
            Tool score = tool(opened, "ParseScore");
            assertThat(score.call(Json.object().put("output",
                    "Final Validation Performance: 0.5\nFinal Validation Performance: 0.85")))
                    .isEqualTo("0.85");
            assertThatExceptionOfType(ToolRefused.class)
                    .isThrownBy(() -> score.call(Json.object().put("output", "none")))
                    .withMessageContaining("holds no score");
        }
    }

    @Test
    @Requirement("REQ-OR-010")
    void theFilesOfARunAreListedAndNoOthers() {
        Path data = Path.of("src/test/resources/mini/input").toAbsolutePath();
        JsonNode request = Json
                .parse("""
                        {"run_id": "mcp-listed", "task": {"competition_id": "mini", "task_type": "tabular", "data_modality": "tabular", "evaluation_metric": "AUC",
                         "metric_direction": "maximize", "description": "Predict y.", "data_dir": "%s"}}"""
                        .formatted(data));
        records.create(launch.prepare(records, launch.request(request), new Caller.Sender("test"), Instant.now()));
        try (ExternalTools.Opened opened = open()) {
            Tool files = tool(opened, "ListFiles");
            assertThat(files.call(Json.object().put("run_id", "mcp-listed"))).contains("train.csv (")
                    .doesNotContain(data.toString());
            for (String other : new String[] {"nothing", "../mcp-listed", "/etc", ""}) {
                assertThatExceptionOfType(ToolRefused.class)
                        .isThrownBy(() -> files.call(Json.object().put("run_id", other)));
            }
            assertThatExceptionOfType(ToolRefused.class).isThrownBy(() -> files.call(Json.object()));
            assertThatExceptionOfType(ToolRefused.class).isThrownBy(() -> files.call(Json.object().put("run_id", 7)));
        }
    }

    @ParameterizedTest
    @CsvSource({"http://evil.example, 403", ", 200"})
    void aPageOfAnotherSiteMayNotUseThem(String foreign, int status) {
        posted(INITIALIZE, "Origin", foreign == null ? "http://" + door.getAuthority() : foreign).statusCode(status);
    }

    @Test
    void aCallWithoutArgumentsHasNone() {
        String session =
                posted(INITIALIZE, "Origin", "http://" + door.getAuthority()).extract().header("Mcp-Session-Id");
        posted("{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}", "Mcp-Session-Id", session);
        posted("{\"jsonrpc\": \"2.0\", \"id\": 2, \"method\": \"tools/call\", \"params\": {\"name\": \"run_status\"}}",
                "Mcp-Session-Id", session)
                .body(containsString("run_id is required"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"x\"", "[]", "[{}]", "7", "null", "true"})
    void argumentsThatAreNoObjectAreInvalidParametersOfEveryTool(String arguments) {
        String session =
                posted(INITIALIZE, "Origin", "http://" + door.getAuthority()).extract().header("Mcp-Session-Id");
        posted("{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}", "Mcp-Session-Id", session);
        List<String> tools =
                posted("{\"jsonrpc\": \"2.0\", \"id\": 2, \"method\": \"tools/list\"}", "Mcp-Session-Id", session)
                        .extract().path("result.tools.name");
        assertThat(tools).contains("start_run", "ParseScore");
        for (String tool : tools) {
            posted("{\"jsonrpc\": \"2.0\", \"id\": 3, \"method\": \"tools/call\", \"params\": {\"name\": \"%s\", \"arguments\": %s}}"
                    .formatted(tool,
                            arguments),
                    "Mcp-Session-Id", session).statusCode(200).body("id", equalTo(3))
                    .body("error.code", equalTo(-32602))
                    .body("error.message", containsString("arguments must be a JSON object"));
        }
    }

    private static ValidatableResponse posted(String message, String header, String value) {
        return given().contentType(ContentType.JSON).header("Accept", EVERY_FORM).header(header, value).body(message)
                .post("/mcp").then();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    {"command": "touch", "args": ["/tmp/x"]}                             | command is not started for a run that is not started by hand
                    {"url": "http://evil.test/", "headers": {"Authorization": "Bearer ${MCP_KEY}"}} | url gets no secret for a run that is not started by hand
                    {"url": "http://evil.test/?q=${MCP_KEY}"}                            | url gets no secret for a run that is not started by hand
                    {"url": "http://169.254.169.254/mcp"}                                | url must begin with https:// for a run that is not started by hand
                    {"url": "http://evil.test/${MCP_KEY}"}                               | url gets no secret for a run that is not started by hand
                    """)
    @Requirement("REQ-OR-010")
    void anEventCannotStartAProgramAndLearnsNoSecret(String server, String said) {
        given().contentType(ContentType.JSON).header("ce-specversion", "1.0").header("ce-source", "test")
                .header("ce-id", "mcp-1")
                .header("ce-type", "io.mlestar.run.requested")
                .body("""
                        {"run_id": "mcp-refused", "task": {"competition_id": "mini", "task_type": "tabular", "data_modality": "tabular",
                         "evaluation_metric": "AUC", "metric_direction": "maximize", "description": "Predict y.", "data_dir": "%s"},
                         "config": {"mcp_servers": {"x": %s}}}"""
                        .formatted(Path.of("src/test/resources/mini/input").toAbsolutePath(), server))
                .post("/").then().statusCode(422)
                .body("detail", containsString(said));
        assertThat(records.header("mcp-refused")).isEmpty();
    }
}
