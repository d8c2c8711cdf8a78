package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.LoopbackProxy;
import io.mlestar.Waiting;
import io.mlestar.adapter.model.LanguageModelTest.Provider;
import io.mlestar.adapter.model.mcp.McpServers;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.ModelUnavailable;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.PipelineConfig;
import java.io.IOException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Models and MCP servers that are reached through a proxy only: their names mean nothing on this
/// machine.
class BehindAProxyTest {
    private static final String ANSWER = """
            {"id": "c", "object": "chat.completion", "created": 1, "model": "m",
             "choices": [{"index": 0, "message": {"role": "assistant", "content": "ok"}, "finish_reason": "stop"}]}""";

    private static Models models(String url, Map<String, String> proxy) {
        Map<String, String> environment = new HashMap<>(Provider.OPENAI.environment(url));
        environment.putAll(proxy);
        return new Models(environment, InstantSource.system(), pause -> {}, ModelCallListener.NONE);
    }

    @Test
    void aModelIsAskedThroughItWithItsUserAndPassword() throws IOException {
        try (LoopbackProxy proxy = new LoopbackProxy(ANSWER)) {
            Models models = models("http://models.example", Map.of("HTTP_PROXY", proxy.url("u:p%40ss@")));
            assertThat(models.get("openai:m").ask(LanguageModelTest.question()).text()).isEqualTo("ok");
            assertThat(proxy.passed()).singleElement().satisfies(passed -> {
                assertThat(passed.line()).isEqualTo("POST http://models.example/v1/chat/completions HTTP/1.1");
                assertThat(passed.headers()).containsEntry("proxy-authorization", "Basic dTpwQHNz");
            });
        }
    }

    @Test
    void aTunnelIsAskedForWhereTheModelIsSecureAndAFailureNamesTheProxy() throws IOException {
        try (LoopbackProxy proxy = new LoopbackProxy("{}")) {
            Models models = models("https://models.example", Map.of("https_proxy", proxy.url("")));
            assertThatThrownBy(() -> models.get("openai:m").ask(LanguageModelTest.question()))
                    .isInstanceOf(ModelUnavailable.class)
                    .hasMessageContaining("through the proxy " + proxy.url("") + " (https_proxy)")
                    .hasMessageEndingWith("is https_proxy right?");
            assertThat(proxy.passed().getFirst().line()).isEqualTo("CONNECT models.example:443 HTTP/1.1");
            assertThat(models.probe("openai:m").toString()).contains("through the proxy " + proxy.url(""));
        }
    }

    @Test
    void aModelOfThisMachineIsAskedDirectly() throws IOException {
        try (LoopbackProxy proxy = new LoopbackProxy("{}");
                FakeProvider server = Provider.OPENAI.start(Answerer.always("here"))) {
            Models models = models(server.url(), Map.of("HTTP_PROXY", proxy.url(""), "HTTPS_PROXY", proxy.url("")));
            assertThat(models.get("openai:m").ask(LanguageModelTest.question()).text()).isEqualTo("here");
            assertThat(proxy.passed()).isEmpty();
        }
    }

    @Test
    void anMcpServerIsAskedThroughIt() throws IOException {
        try (LoopbackProxy proxy = new LoopbackProxy("{}")) {
            PipelineConfig config = PipelineConfig.resolve(
                    Json.parse("{\"mcp_servers\": {\"far\": {\"url\": \"http://mcp.example/mcp\"}}}"), Map.of());
            McpServers servers =
                    new McpServers(Map.of("HTTP_PROXY", proxy.url("u:p@")), Waiting.MOST, Waiting.MOST, false);
            servers.open(config, AgentType.RETRIEVER, () -> Waiting.MOST).close();
            assertThat(proxy.passed()).first().satisfies(passed -> {
                assertThat(passed.line()).isEqualTo("POST http://mcp.example/mcp HTTP/1.1");
                assertThat(passed.headers()).containsEntry("proxy-authorization", "Basic dTpw");
            });
        }
    }
}
