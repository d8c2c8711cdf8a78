package io.mlestar.core.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.Requirement;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class McpServerTest {
    private static PipelineConfig config(String name, String server) {
        return PipelineConfig.resolve(Json.parse("{\"mcp_servers\": {\"%s\": %s}}".formatted(name, server)), Map.of());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    {}                                                  | mcp_servers.x needs either url or command
                    {"url": "http://h/", "command": "c"}                | mcp_servers.x needs either url or command
                    null                                                | mcp_servers.x is required
                    {"uri": "http://h/"}                                | unknown field mcp_servers.x.uri
                    {"url": "ftp://h/"}                                 | mcp_servers.x.url must begin with http
                    {"url": "h/mcp"}                                    | mcp_servers.x.url must begin with http
                    {"url": "http://user:pw@h/"}                        | mcp_servers.x.url must begin with http
                    {"url": "http://h /"}                               | mcp_servers.x.url is not an address
                    {"url": "http://h/?apiKey=abc"}                     | mcp_servers.x.url must come from the environment
                    {"url": "http://h/${OPENAI_API_KEY}"}               | mcp_servers.x.url may take variables that begin with MCP_ only
                    {"url": "http://h/", "args": ["a"]}                 | mcp_servers.x: headers go with url
                    {"command": "c", "headers": {"A": "b"}}             | mcp_servers.x: headers go with url
                    {"command": " "}                                    | mcp_servers.x.command is required
                    {"command": "c", "args": [null]}                    | mcp_servers.x.args[0] is required
                    {"command": "c", "args": ["--api-key=abc"]}         | mcp_servers.x.args must hold no secret (--api-key)
                    {"command": "c", "env": {"A=B": "c"}}               | mcp_servers.x.env.A=B is not the name of a variable
                    {"command": "c", "env": {"GITHUB_TOKEN": "ghp_1"}}  | mcp_servers.x.env.GITHUB_TOKEN must come from the environment
                    {"command": "c", "env": {"A": null}}                | mcp_servers.x.env.A is required
                    {"command": "c", "env": {"A": "${PATH}"}}           | mcp_servers.x.env.A may take variables that begin with MCP_ only
                    {"command": "c", "env": {"A": "${MCP_A"}}           | mcp_servers.x.env.A may take variables that begin with MCP_ only
                    {"url": "http://h/", "headers": {"Host": "other"}}  | mcp_servers.x.headers.Host cannot be set
                    {"url": "http://h/", "headers": {"A b": "c"}}       | mcp_servers.x.headers.A b cannot be set
                    {"url": "http://h/", "headers": {"A": "b\\r\\nC: d"}} | mcp_servers.x.headers.A must hold no control characters
                    {"url": "http://h/", "headers": {"Authorization": "Bearer abc"}} | mcp_servers.x.headers.Authorization must come from the environment
                    {"url": "http://h/", "headers": {"A": "${ANTHROPIC_API_KEY}"}} | mcp_servers.x.headers.A may take variables that begin with MCP_ only
                    {"url": "http://h/", "agents": ["painter"]}         | mcp_servers.x.agents: "painter" is not the name of an agent
                    """)
    @Requirement("REQ-OR-010")
    void aBadServerIsRefusedByTheNameOfTheField(String server, String message) {
        assertThatThrownBy(() -> config("x", server)).isInstanceOf(Invalid.class).hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a__b", "ä", "a.b", "_a", "x23456789-123456789-123456789-1"})
    void aNameMustFitTheNamesOfTools(String name) {
        assertThatThrownBy(() -> config(name, "{\"command\": \"c\"}")).isInstanceOf(Invalid.class)
                .hasMessageContaining("a server's name is");
    }

    @Test
    void referencesAreFilledFromTheEnvironmentAndNothingElseIs() {
        assertThat(McpServer.filled("Bearer ${MCP_A}-${MCP_B} $MCP_A {MCP_A}",
                Map.of("MCP_A", "1$2\n", "MCP_B", "${MCP_A}")))
                .isEqualTo("Bearer 1$2-${MCP_A} $MCP_A {MCP_A}");
        assertThatThrownBy(() -> McpServer.filled("${MCP_A}", Map.of())).isInstanceOf(Invalid.class)
                .hasMessage("the environment variable MCP_A is not set");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"url": "https://h/mcp"}                                       | ''                              | true
            {"url": "https://h/mcp", "headers": {"A": "${MCP_A}"}}         | ''                              | false
            {"url": "https://h/mcp?k=${MCP_A}"}                            | ''                              | false
            {"url": "https://h/mcp", "headers": {"A": "${MCP_A}"}}         | https://h/mcp                   | true
            {"url": "https://h/mcp?k=${MCP_A}"}                            | https://o/,https://h/mcp        | true
            {"url": "https://h/mcp", "headers": {"A": "${MCP_A}"}}         | https://o/ https://h/mcp        | true
            {"url": "https://h/mcp/x", "headers": {"A": "${MCP_A}"}}       | https://h/mcp                   | false
            {"url": "https://h/mcp", "headers": {"A": "${MCP_A}"}}         | https://h/                      | false
            {"url": "http://h/mcp", "headers": {"A": "${MCP_A}"}}          | https://h/mcp                   | false
            {"url": "https://h.evil/mcp", "headers": {"A": "${MCP_A}"}}    | https://h                       | false
            {"url": "https://evil/#https://h/mcp", "headers": {"A": "${MCP_A}"}} | https://h/mcp             | false
            {"url": "https://evil/?https://h/mcp", "headers": {"A": "${MCP_A}"}} | https://h/mcp             | false
            {"url": "https://${MCP_A}.evil/mcp"}                           | https://h/mcp                   | false
            {"url": "http://h/mcp"}                                        | ''                              | false
            {"url": "http://h/mcp"}                                        | http://h/mcp                    | true
            {"command": "c", "env": {"A": "${MCP_A}"}}                     | ''                              | false
            """)
    void secretsGoToAddressesThatTheOperatorNamedAndToNoOther(String server, String named, boolean may) {
        assertThat(isTaken(server, Map.of("MLE_STAR_MCP_URLS", named))).isEqualTo(may);
        assertThat(isTaken(server, Map.of())).isEqualTo(may && named.isEmpty());
    }

    private static boolean isTaken(String server, Map<String, String> environment) {
        try {
            config("x", server).tools().mcpServers().get("x").checkUntrusted("x", environment);
            return true;
        } catch (Invalid e) {
            return false;
        }
    }

    @Test
    void aServerIsForAllAgentsUnlessItSaysForWhich() {
        assertThat(config("x", "{\"command\": \"c\"}").tools().mcpServers().get("x").isFor(AgentType.TEST)).isTrue();
        McpServer some = config("x", "{\"command\": \"c\", \"agents\": [\"coder\"]}").tools().mcpServers().get("x");
        assertThat(some.isFor(AgentType.CODER)).isTrue();
        assertThat(some.isFor(AgentType.TEST)).isFalse();
    }
}
