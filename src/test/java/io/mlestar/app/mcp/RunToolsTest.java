package io.mlestar.app.mcp;

import static io.mlestar.Refusal.refusal;
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
import io.mlestar.app.cli.Program;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.records.Records;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.PipelineConfig;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import module java.base;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/// A coding assistant's way through a run: by the MCP client of a library, which knows what the
/// server says of its tools and nothing else.
@QuarkusTest
@Tag("quarkus")
class RunToolsTest {
    private static final Path MINI = Path.of("src/test/resources/mini/input").toAbsolutePath();

    @TestHTTPResource("/mcp")
    URI door;

    @Inject
    Records records;

    private ExternalTools.ConnectedTools opened;

    @BeforeEach
    void open() {
        PipelineConfig config = PipelineConfig
                .resolve(Json.parse("{\"mcp_servers\": {\"own\": {\"url\": \"%s\"}}}".formatted(door)), Map.of());
        opened = new McpServers(Map.of(), Waiting.MOST, Waiting.MOST, false).open(config, AgentType.CODER,
                () -> Waiting.MOST);
    }

    @AfterEach
    void close() {
        opened.close();
    }

    private String say(String tool, String arguments) {
        return opened.tools().stream().filter(one -> one.name().equals("mcp__own__" + tool)).findFirst().orElseThrow()
                .call(Json.parse(arguments));
    }

    private JsonNode ask(String tool, String arguments) {
        return Json.parse(say(tool, arguments));
    }

    @Test
    void theToolsAreThoseOfTheRequirementAndOfARun() {
        assertThat(opened.tools()).extracting(Tool::name).containsExactlyInAnyOrder("mcp__own__ParseScore",
                "mcp__own__ListFiles", "mcp__own__start_run",
                "mcp__own__run_status", "mcp__own__list_runs", "mcp__own__step", "mcp__own__grade", "mcp__own__cancel");
        assertThat(opened.tools()).allSatisfy(tool -> assertThat(tool.description()).isNotBlank());
    }

    @Test
    void aRunIsStartedFollowedLookedIntoAndGraded() {
        String wish = Program.request("assisted").replace("AUC", "accuracy");
        String run = "{\"run_id\": \"assisted\"}";
        assertThat(ask("start_run", wish).path("run_id").asText()).isEqualTo("assisted");
        assertThat(ask("start_run", wish).path("run_id").asText()).as("asked again").isEqualTo("assisted");
        Waiting.until("the run ends",
                () -> !ask("run_status", run).path("status").asText().equals("running"));
        assertThat(ask("run_status", run).path("status").asText()).isEqualTo("completed");
        assertThat(ask("list_runs", "{}").path("runs").findValuesAsText("run_id")).contains("assisted");
        assertThat(say("ListFiles", run)).contains("train.csv (")
                .doesNotContain(MINI.toString());
        JsonNode whole = ask("step", run);
        assertThat(whole.path("below").findValuesAsText("step")).contains("phase1", "finalization");
        assertThat(
                ask("step", "{\"run_id\": \"assisted\", \"step\": \"phase1/retriever\"}").path("texts").has("answer"))
                .isTrue();
        assertThat(say("step", """
                {"run_id": "assisted", "step": "finalization", "text": "script"}"""))
                .contains("submission");
        assertThat(say("grade", run)).contains("well formed");
        assertThat(ask("grade", "{\"run_id\": \"assisted\", \"labels\": \"id,y\\n1,0\\n\"}").path("score").asDouble())
                .isEqualTo(1);
        assertThat(ask("grade", run).path("metric").asText()).isEqualTo("accuracy");
        refusal(ToolRefused.class, () -> say("grade", "{\"run_id\": \"assisted\", \"labels\": \"id,y\\n1,1\\n\"}"))
                .contains("another grade already");
        assertThat(say("cancel", run)).isEqualTo("run assisted has ended already");
    }

    @Test
    void aRunIsLetFinish() {
        DrivenRun.start(records.store(), "let-finish", Program.SHORT, 0).until("phase1");
        assertThat(say("cancel", "{\"run_id\": \"let-finish\"}")).contains("will finish with the best so far");
        assertThat(records.isCancelled("let-finish")).isTrue();
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/cases/refused-tool-calls.csv", numLinesToSkip = 1, delimiter = '|',
            quoteCharacter = '`')
    @Requirement("REQ-OR-010")
    void whatCannotBeDoneIsAnAnswerOfTheTool(String tool, String arguments, String said) {
        DrivenRun.start(records.store(), "tools", Program.SHORT, 0).until("phase1");
        assertThatExceptionOfType(ToolRefused.class).isThrownBy(() -> say(tool, arguments))
                .satisfies(refused -> assertThat(refused.getMessage()).contains(said).doesNotContain("Exception")
                        .hasSizeLessThan(2_000));
    }

    @Test
    void nobodyIsToldMoreThanFitsIntoAConversation() {
        DrivenRun.saying(records.store(), "wordy", Program.SHORT, "long words ".repeat(20_000)).untilTheEnd();
        assertThat(say("step", "{\"run_id\": \"wordy\"}")).hasSizeLessThan(40_000);
        for (String arguments : new String[] {"{\"run_id\": \"wordy\", \"step\": \"phase1/retriever\"}",
            """
                    {"run_id": "wordy", "step": "phase1/retriever", "text": "prompt"}"""}) {
            assertThat(say("step", arguments)).hasSizeLessThan(40_000).contains("more characters");
        }
        String end = say("step",
                """
                        {"run_id": "wordy", "step": "phase1/retriever", "text": "prompt", "from": 200000}""");
        assertThat(end).endsWith("long words ").doesNotContain("more characters");
        assertThat(say("run_status", "{\"run_id\": \"wordy\"}")).hasSizeLessThan(10_000);
        assertThat(say("list_runs", "{}")).hasSizeLessThan(60_000);
    }

    private static ValidatableResponse posted(String session, String method, String params) {
        return given().contentType(ContentType.JSON).header("Accept", "application/json, text/event-stream")
                .header("Mcp-Session-Id", session)
                .body("""
                        {"jsonrpc": "2.0", "id": 3, "method": "%s", "params": %s}""".formatted(method, params))
                .post("/mcp").then();
    }

    /// The client of a library would not send them.
    @Test
    void argumentsThatAreNoObjectAreInvalidParametersOfEveryTool() {
        String session = given().contentType(ContentType.JSON).header("Accept", "application/json, text/event-stream")
                .body("""
                        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18",
                         "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}""")
                .post("/mcp").then().statusCode(200).extract().header("Mcp-Session-Id");
        posted(session, "notifications/initialized", "{}");
        posted(session, "tools/call", "{\"name\": \"run_status\"}").body(containsString("run_id is required"));
        for (Tool tool : opened.tools()) {
            for (String arguments : List.of("\"x\"", "[]", "[{}]", "7", "null", "true")) {
                posted(session, "tools/call",
                        "{\"name\": \"%s\", \"arguments\": %s}".formatted(tool.name().replace("mcp__own__", ""),
                                arguments))
                        .statusCode(200).body("id", equalTo(3)).body("error.code", equalTo(-32602))
                        .body("error.message", containsString("arguments must be a JSON object"));
            }
        }
    }
}
