package io.mlestar.adapter.tool;

import static io.mlestar.Refusal.refusal;
import static io.mlestar.adapter.tool.ToolSets.arguments;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.LocalServer;
import io.mlestar.LoopbackProxy;
import io.mlestar.core.base.ProxyRules;
import module java.base;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class WebToolsTest {
    private final ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private LocalServer server;

    @BeforeEach
    void start() throws Exception {
        server = LocalServer.start(exchange -> {
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });
    }

    @AfterEach
    void stop() {
        over.countDown();
        server.close();
    }

    private String url(String path) {
        return server.address() + path;
    }

    private void serve(String path, int status, String type, byte[] body, String location) {
        server.serve(path, exchange -> {
            asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("authorization")
                    + " " + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.getResponseHeaders().set("content-type", type);
            if (location != null) {
                exchange.getResponseHeaders().set("location", location);
            }
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            try (exchange) {
                exchange.getResponseBody().write(body);
            } catch (java.io.IOException e) {
                // The client has read enough.
            }
        });
    }

    private void serve(String path, String type, String body) {
        serve(path, 200, type, body.getBytes(StandardCharsets.UTF_8), null);
    }

    private static String fetch(String url) {
        return new WebFetchTool(ToolSets.ANYWHERE, () -> ToolSets.AMPLE).tool().call(arguments("url", url));
    }

    private static void refused(Tool tool, String url, String message) {
        refusal(ToolRefused.class, () -> tool.call(arguments("url", url))).contains(message);
    }

    @Test
    void showsTheWordsOfAPage() {
        serve("/page", "text/html; charset=utf-8",
                "<!doctype html><head><title>T</title><style>p{}</style><script>if (a<b) x</script></head>"
                        + "<body><!-- no --><p>One &amp; <b>two</b></p><p>caf\u00e9 &#233;</p></body>");
        serve("/json", "application/json", "{\"a\": 1}");
        assertThat(fetch(url("/page"))).endsWith("\n\nT\nOne & two\ncaf\u00e9 \u00e9");
        assertThat(fetch(url("/json"))).endsWith("{\"a\": 1}");
    }

    @ParameterizedTest
    @CsvSource({"CP1251,\u043c\u0438\u0440", "gb2312,\u4e2d\u6587", "windows-874,\u0e44"})
    void readsAPageInTheEncodingThatItNames(String encoding, String word) {
        serve("/named", 200, "text/plain; charset=" + encoding, word.getBytes(Charset.forName(encoding)), null);
        assertThat(fetch(url("/named"))).endsWith("\n\n" + word);
    }

    @Test
    void longAndBinaryPagesAndErrorsAreTold() {
        serve("/long", "text/plain", "x".repeat(5_000_000));
        serve("/image", 200, "image/png", new byte[] {1, 0, 2}, null);
        serve("/gone", 404, "text/plain", "not here".getBytes(StandardCharsets.UTF_8), null);
        assertThat(fetch(url("/long"))).hasSizeLessThan(Truncation.MOST + 300).contains("[cut: ");
        Tool tool = new WebFetchTool(ToolSets.ANYWHERE, () -> ToolSets.AMPLE).tool();
        refused(tool, url("/image"), "is not text: image/png, 3 bytes");
        refused(tool, url("/gone"), "answered 404\nnot here");
    }

    @Test
    void redirectsAreFollowedSoFar() {
        serve("/end", "text/plain", "there");
        serve("/one", 302, "text/plain", new byte[0], "/end");
        serve("/loop", 302, "text/plain", new byte[0], "/loop");
        serve("/file", 302, "text/plain", new byte[0], "file:///etc/passwd");
        assertThat(fetch(url("/one"))).endsWith("/end\n\nthere");
        Tool tool = new WebFetchTool(ToolSets.ANYWHERE, () -> ToolSets.AMPLE).tool();
        refused(tool, url("/loop"), "more than 5 redirects");
        refused(tool, url("/file"), "no address of a web page");
        assertThat(asked.stream().filter(line -> line.contains("/loop"))).hasSize(6);
    }

    @Test
    void everyHopIsChecked() {
        serve("/inside", "text/plain", "the secret");
        serve("/out", 302, "text/plain", new byte[0], url("/inside"));
        AtomicInteger checks = new AtomicInteger();
        Tool tool =
                new WebFetchTool(
                        new Web(Web.client(ToolSets.VERTX), address -> checks.getAndIncrement() == 0, ProxyRules.NONE),
                        () -> ToolSets.AMPLE).tool();
        refused(tool, url("/out"), "not on the public internet");
        assertThat(asked).hasSize(1);
    }

    @Test
    void aSlowPageIsLeft() {
        server.serve("/slow", exchange -> {
            try (exchange) {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        refused(new WebFetchTool(ToolSets.ANYWHERE, () -> Duration.ofMillis(300)).tool(), url("/slow"),
                "no answer within");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1/", "http://localhost/", "http://[::1]/",
        "http://169.254.169.254/latest/meta-data", "http://10.0.0.1/",
        "http://[::ffff:127.0.0.1]/", "http://0.0.0.0/", "http://[fd00::1]/", "http://2130706433/", "http://0x7f.1/",
        "http://127.1/",
        "ftp://example.com/", "file:///etc/passwd", "http://user@example.com/", "not an address", "http://"})
    void privateAddressesAreRefused(String url) {
        refused(new WebFetchTool(Web.of(ToolSets.VERTX, Map.of()), () -> ToolSets.AMPLE).tool(), url, "");
    }

    @ParameterizedTest
    @CsvSource({"8.8.8.8,true", "93.184.216.34,true", "2606:2800:220:1::1,true", "127.0.0.1,false", "10.1.2.3,false",
        "172.16.0.1,false",
        "172.31.255.255,false", "172.32.0.1,true", "192.168.1.1,false", "192.169.1.1,true", "169.254.1.1,false",
        "100.64.0.1,false", "100.128.0.1,true",
        "0.0.0.0,false", "224.0.0.1,false", "255.255.255.255,false", "198.18.0.1,false", "192.0.2.1,false", "::1,false",
        "::,false", "fe80::1,false",
        "fc00::1,false", "2001:db8::1,false", "2002:7f00:1::,false", "64:ff9b::7f00:1,false", "ff02::1,false",
        "::ffff:10.0.0.1,false", "2001::1,false"})
    void publicAddressesAreTold(String address, boolean isPublic) throws Exception {
        assertThat(Web.isPublic(InetAddress.getByName(address))).isEqualTo(isPublic);
    }

    /// No name can be resolved here but by the proxy; the names of internal networks stay refused,
    /// and so do numbers in disguise.
    @Test
    void behindAProxyPagesAreFetchedThroughItAndWhatIsNotPublicIsRefused() throws Exception {
        try (LoopbackProxy proxy = new LoopbackProxy("{\"a\": 1}")) {
            Web web = Web.of(ToolSets.VERTX, Map.of("HTTP_PROXY", proxy.url("u:p@")));
            Tool tool = new WebFetchTool(web, () -> ToolSets.AMPLE).tool();
            assertThat(tool.call(arguments("url", "http://page.nowhere.example/x"))).contains("{\"a\": 1}");
            for (String url : List.of("http://localhost/", "http://10.0.0.1/", "http://127.1/", "http://0x7f.1/",
                    "http://metadata.google.internal/",
                    "http://db/",
                    "http://x.svc.cluster.local/")) {
                refused(tool, url, "");
            }
            assertThat(new String(web
                    .ask(URI.create("http://search.example/?q=a"), Map.of(), Optional.empty(), ToolSets.AMPLE).body(),
                    StandardCharsets.UTF_8))
                    .isEqualTo("{\"a\": 1}");
            assertThat(proxy.passed()).extracting(LoopbackProxy.Passed::line)
                    .containsExactly("GET http://page.nowhere.example/x HTTP/1.1",
                            "GET http://search.example/?q=a HTTP/1.1");
            assertThat(proxy.passed()).allSatisfy(
                    passed -> assertThat(passed.headers()).containsEntry("proxy-authorization", "Basic dTpw"));
        }
    }

    private String search(ToolSettings.Provider provider) {
        var engine = new ToolSettings.SearchEngine(provider, URI.create(url("/")), "the-key", "cx1");
        return new WebSearchTool(ToolSets.ANYWHERE, engine, () -> ToolSets.AMPLE).tool()
                .call(arguments("query", "tabular models & more"));
    }

    @Test
    void asksTheChosenEngine() {
        serve("/search", "application/json",
                """
                        {"results": [{"title": "T", "url": "https://a.example", "content": "words"}]}""");
        serve("/customsearch/v1", "application/json",
                """
                        {"items": [{"title": "G", "link": "https://b.example", "snippet": "more"}]}""");
        assertThat(search(ToolSettings.Provider.TAVILY)).isEqualTo("T\nhttps://a.example\nwords");
        assertThat(search(ToolSettings.Provider.SEARXNG)).isEqualTo("T\nhttps://a.example\nwords");
        assertThat(search(ToolSettings.Provider.GOOGLE)).isEqualTo("G\nhttps://b.example\nmore");
        assertThat(List.copyOf(asked)).containsExactly(
                "POST /search Bearer the-key {\"query\":\"tabular models & more\",\"max_results\":8}",
                "GET /search?format=json&q=tabular+models+%26+more null ",
                "GET /customsearch/v1?num=8&cx=cx1&key=the-key&q=tabular+models+%26+more null ");
    }

    @Test
    void aFailingEngineIsToldWithoutItsKey() {
        serve("/search", 500, "text/plain", "the-key".getBytes(StandardCharsets.UTF_8), null);
        serve("/customsearch/v1", "text/html", "<html>");
        for (ToolSettings.Provider provider : ToolSettings.Provider.values()) {
            refusal(ToolRefused.class, () -> search(provider)).doesNotContain("the-key");
        }
    }
}
