package io.mlestar.adapter.tool;

import static io.mlestar.Refusal.refusal;
import static io.mlestar.adapter.tool.ToolSets.arguments;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.core.agent.Coder;
import io.mlestar.core.base.Json;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.show.log.Ear;
import module java.base;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The chain around a tool, link by link, and the operator's program that approves of uses.
class HooksTest {
    private final Logger logger = Logger.getLogger("mle_star.tool");
    private final List<LogRecord> lines = new ArrayList<>();
    private final List<JsonNode> done = new ArrayList<>();
    private final ToolFailures failures = new ToolFailures();
    private Duration left = Duration.ofSeconds(9);
    private Ear ear;

    @TempDir
    private Path folder;

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
        refusal(ToolRefused.class, () -> tool.call(arguments(pairs))).contains(why);
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

    private String approver(String script) throws IOException {
        Path file = Files.writeString(folder.resolve("approver"), "#!/bin/sh\n" + script + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------")).toString();
    }

    /// Opens the tools as for a call of an agent.
    private <R> R open(String mode, Map<String, String> environment, Duration left, Function<List<Tool>, R> work)
            throws IOException {
        Path data = Files.createDirectories(folder.resolve("data"));
        PipelineConfig config = PipelineConfig.resolve(Json.object().put("permission_mode", mode), Map.of());
        return new ToolSessions(() -> null, ToolSets.ANYWHERE, ExternalTools.NONE, environment, new ToolFailures())
                .open(() -> data, config, "r/coder", new Coder("x = 1", "plan", null, null), left,
                        tools -> work.apply(tools.apply(List.of("Read", "Write"))));
    }

    private static void refusedAs(String message, Tool tool, Object... pairs) {
        refusal(ToolRefused.class, () -> tool.call(arguments(pairs))).isEqualTo(message);
    }

    @Test
    @Requirement("REQ-OR-009")
    void theCustomModePutsEveryUseToTheOperatorsProgram() throws IOException {
        Path asked = folder.resolve("asked");
        String program = approver("read line; echo \"$line\" >> " + asked
                + "; case \"$line\" in *secret*) echo 'no secrets'; exit 1;; esac; echo yes");
        open("custom", Map.of("MLE_STAR_APPROVER", program), ToolSets.AMPLE, tools -> {
            assertThat(tools.get(0).call(arguments("path", "input"))).isEqualTo("[the folder is empty]");
            refusedAs("Read was not approved: no secrets", tools.get(0), "path", "secret.txt");
            assertThat(tools.get(1).call(arguments("path", "a", "content", "x"))).contains("a");
            refusedAs("Write was not approved: no secrets", tools.get(1), "path", "b", "content", "secret");
            return null;
        });
        assertThat(Files.readAllLines(asked)).hasSize(4).first()
                .satisfies(line -> assertThat(Json.<JsonNode>parse(line)).isEqualTo(Json.parse(
                        """
                                {"step": "r/coder", "agent": "coder", "tool": "Read", "arguments": {"path": "input"}}""")));
    }

    @Test
    @Requirement("REQ-OR-009")
    void editsAreApprovedByTheProgramTooAndAllElseGoesOnUnasked() throws IOException {
        String program = approver("grep -q good");
        open("acceptEdits", Map.of("MLE_STAR_APPROVER", program), ToolSets.AMPLE, tools -> {
            refusedAs("Write was not approved", tools.get(1), "path", "bad", "content", "x");
            tools.get(1).call(arguments("path", "good", "content", "x"));
            assertThat(tools.get(0).call(arguments("path", "."))).isEqualTo("good (1 bytes)");
            return null;
        });
        open("bypassPermissions", Map.of("MLE_STAR_APPROVER", program), ToolSets.AMPLE,
                tools -> tools.get(1).call(arguments("path", "bad", "content", "x")));
    }

    @Test
    @Requirement("REQ-OR-009")
    void withoutAProgramOrWithOneThatDoesNotDecideTheCustomModeRefusesAll() throws IOException {
        open("custom", Map.of(), ToolSets.AMPLE, tools -> {
            refusedAs("Read needs approval in this permission mode, but there is no approver", tools.get(0), "path",
                    ".");
            return null;
        });
        open("custom", Map.of("MLE_STAR_APPROVER", folder + "/nowhere"), ToolSets.AMPLE, tools -> {
            refusal(ToolRefused.class, () -> tools.get(0).call(arguments("path", ".")))
                    .contains("the approver cannot be asked", "nowhere");
            return null;
        });
        open("custom", Map.of("MLE_STAR_APPROVER", approver("sleep 1000")), Duration.ofMillis(300), tools -> {
            refusedAs("Read was not approved in time", tools.get(0), "path", ".");
            return null;
        });
    }
}
