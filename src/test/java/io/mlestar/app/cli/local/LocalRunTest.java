package io.mlestar.app.cli.local;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.LocalServer;
import io.mlestar.adapter.script.Machine;
import io.mlestar.app.cli.Program;
import io.mlestar.app.console.LogSettings;
import io.mlestar.app.program.CompositionRoot;
import io.mlestar.app.start.Caller;
import io.mlestar.app.start.RunRequest;
import io.mlestar.app.start.RunRequest.NewTask;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.World;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.store.ForwardingStore;
import io.mlestar.core.store.MemoryStore;
import module java.base;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The question to each model before a run begins.
class LocalRunTest {
    private final AtomicInteger requests = new AtomicInteger();
    private LocalServer server;
    private volatile int status = 503;

    @BeforeEach
    void serve() throws IOException {
        server = LocalServer.start(exchange -> {
            requests.incrementAndGet();
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aStoreThatReplacesObjectsIsNamedAsTheRunBegins() {
        RunHeader header = World.header("r", "{}");
        for (boolean replaces : new boolean[] {false, true}) {
            Records records = new Records(new ForwardingStore(new MemoryStore()) {
                @Override
                public boolean create(String key, byte[] content) {
                    return super.create(key, content) || replaces;
                }
            });
            records.create(header);
            assertThat(LocalRun.warnOfStore(records, header).filter(line -> line.contains("If-None-Match")))
                    .isEqualTo(LocalRun.warnOfStore(records, header))
                    .matches(said -> said.isPresent() == replaces);
        }
    }

    private List<String> probe(String config, Map<String, String> more) throws IOException {
        Map<String, String> environment = new HashMap<>(Map.of("OPENAI_API_KEY", "k",
                "OPENAI_BASE_URL", server.address() + "/v1"));
        environment.putAll(more);
        CompositionRoot root = new CompositionRoot(environment);
        Records records = new Records(new MemoryStore());
        RunRequest request = new RunRequest(Optional.of("run"), NewTask.of(Program.MINI.resolve("task.yaml")),
                (ObjectNode) Json.parse(config));
        RunHeader header = root.launch(root.models(), root.prompts(), new Machine(2, 1L << 33, List.of()))
                .prepare(records, request, new Caller.CommandLine(), Instant.now());
        return new LocalRun(root, records, header, "memory:", LogSettings.of(Map.of()), true).probe();
    }

    @Test
    void eachModelIsAskedOnceAndOneThatIsBusyIsOnlySaid() throws IOException {
        List<String> said =
                probe("""
                        {"model": "openai:a", "agents": {"coder": {"model": "openai:b"}}}""", Map.of());
        assertThat(said).hasSize(2).allSatisfy(
                line -> assertThat(line).contains("does not answer just now", "503", "begins all the same"));
        assertThat(said.toString()).contains("openai:a", "openai:b");
        assertThat(requests).hasValue(2);
    }

    @Test
    void aModelThatCannotBeUsedIsBadInput() throws IOException {
        status = 404;
        refusal(() -> probe("{\"model\": \"openai:a\"}", Map.of())).contains("model openai:a cannot be used",
                "answered 404");
    }

    @Test
    void inAClusterTheCommandLineAsksNoModel() throws IOException {
        assertThat(probe("{\"model\": \"openai:a\"}", Map.of("K_SINK", "http://broker"))).isEmpty();
        assertThat(requests).hasValue(0);
    }
}
