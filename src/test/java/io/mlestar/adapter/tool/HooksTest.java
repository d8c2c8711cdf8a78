package io.mlestar.adapter.tool;

import static io.mlestar.adapter.tool.ToolSets.arguments;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.core.base.Json;
import io.mlestar.show.log.Ear;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The chain around a tool, link by link.
class HooksTest {
    private final Logger logger = Logger.getLogger("mle_star.tool");
    private final List<LogRecord> lines = new ArrayList<>();
    private final List<JsonNode> done = new ArrayList<>();
    private final ToolFailures failures = new ToolFailures();
    private Duration left = Duration.ofSeconds(9);
    private Ear ear;

    @BeforeEach
    void listen() {
        logger.setLevel(Level.INFO);
        ear = new Ear("mle_star.tool", lines::add);
    }

    @AfterEach
    void stopListening() {
        ear.close();
    }

    record Word(String word) {}

    private Tool tool(Supplier<String> work) {
        Tool plain = new RecordTool<>("Echo", "Repeats a word.", Word.class, word -> {
            done.add(Json.tree(word.word()));
            return work.get();
        });
        Permission permission = (name, arguments) -> arguments.path("word").asText().equals("no")
                ? Optional.of("not that word") : Optional.empty();
        return new Hooks("r/phase1/init", "init", failures, permission, () -> left, new ReentrantLock()).around(plain);
    }

    private void refused(Tool tool, String why, Object... pairs) {
        assertThatExceptionOfType(ToolRefused.class).isThrownBy(() -> tool.call(arguments(pairs)))
                .withMessageContaining(why);
    }

    private List<String> said(Level level) {
        return lines.stream().filter(line -> line.getLevel().intValue() == level.intValue())
                .map(line -> new SimpleFormatter().formatMessage(line)).toList();
    }

    @Test
    @Requirement("REQ-OR-031")
    void everyUseIsALineOfJson() {
        Tool tool = tool(() -> "yes");
        assertThat(tool.call(arguments("word", "yes"))).isEqualTo("yes");
        refused(tool, "not that word", "word", "no");
        List<JsonNode> progress = said(Level.INFO).stream().map(Json::parse).toList();
        assertThat(progress).extracting(line -> line.path("success").asBoolean()).containsExactly(true, false);
        assertThat(progress).allSatisfy(line -> {
            assertThat(line.path("event").asText()).isEqualTo("tool");
            assertThat(line.path("step").asText()).isEqualTo("r/phase1/init");
            assertThat(line.path("agent").asText()).isEqualTo("init");
            assertThat(line.path("tool").asText()).isEqualTo("Echo");
            assertThat(line.path("duration_seconds").isNumber()).isTrue();
        });
    }

    @Test
    void whatIsNotAllowedIsNotDone() {
        Tool tool = tool(() -> "yes");
        refused(tool, "not that word", "word", "no");
        refused(tool, "word must be a text", "word", 1);
        left = Duration.ZERO;
        refused(tool, "no time is left", "word", "yes");
        assertThat(done).isEmpty();
        assertThat(failures.inARow("init")).isEqualTo(3);
    }

    @Test
    @Requirement("REQ-OR-035")
    void anUnforeseenFailureIsLoggedWithItsTraceAndToldToTheModel() {
        refused(tool(() -> {
            throw new IllegalStateException("broken inside");
        }), "Echo failed: broken inside", "word", "yes");
        assertThat(lines).filteredOn(line -> line.getThrown() != null).singleElement()
                .satisfies(line -> assertThat(line.getThrown()).hasMessage("broken inside"));
        assertThat(failures.inARow("init")).isEqualTo(1);
        tool(() -> "yes").call(arguments("word", "yes"));
        assertThat(failures.inARow("init")).isZero();
    }
}
