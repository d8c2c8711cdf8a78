package io.mlestar.adapter.tool;

import static io.mlestar.adapter.tool.ToolSets.arguments;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mlestar.Requirement;
import io.mlestar.adapter.script.Sandbox;
import io.mlestar.adapter.script.Weights;
import io.mlestar.adapter.script.isolation.Isolation;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class ToolSetTest {
    private static final List<String> ALL =
            List.of("Bash", "Edit", "Write", "Read", "WebSearch", "WebFetch", "Nothing", "Read", "RunPython");

    @TempDir
    private Path folder;

    private String bash(Object... pairs) throws Exception {
        return ToolSets.tool(folder, "Bash").call(arguments(pairs));
    }

    private static void refused(Tool tool, String message, Object... pairs) {
        assertThatExceptionOfType(ToolRefused.class).isThrownBy(() -> tool.call(arguments(pairs)))
                .withMessageContaining(message);
    }

    @Test
    @Requirement({"REQ-OR-008", "REQ-OR-010"})
    void offersWhatIsNamedAndConfigured() throws Exception {
        assumeTrue(ToolSets.SANDBOX.keepsFiles(), "there is no wall here that keeps files");
        assertThat(ToolSets.of(folder, ToolSets.DEFAULTS, ToolSets.ANYWHERE, ToolSets.AMPLE).offered(ALL))
                .extracting(Tool::name)
                .containsExactly("Bash", "Edit", "Write", "Read", "WebFetch");
        ToolSettings.SearchEngine engine = new ToolSettings.SearchEngine(ToolSettings.Provider.TAVILY,
                URI.create("https://api.tavily.com"), "key", "");
        ToolSettings settings = new ToolSettings(List.of(), Permission.withoutApprover(), Optional.of(engine));
        assertThat(ToolSets.of(folder, settings, ToolSets.ANYWHERE, ToolSets.AMPLE).offered(ALL)).hasSize(6)
                .allSatisfy(tool -> {
                    assertThat(tool.parameters().path("additionalProperties")).isEqualTo(Json.tree(false));
                    assertThat(tool.parameters().path("required").size())
                            .isEqualTo(tool.parameters().path("properties").size());
                });
        assertThat(engine.toString()).doesNotContain("key").contains("https://api.tavily.com");
    }

    @Test
    @Requirement("REQ-OR-010")
    void theOrchestratorsOwnToolsReadScoresAndListTheDataWhichAreFetchedForThemOnly() throws Exception {
        Files.writeString(Files.createDirectories(folder.resolve("data/images")).resolve("1.png"), "x");
        int[] fetched = {0};
        Hooks hooks = new Hooks("run/step", "coder", new ToolFailures(),
                Permission.of("bypassPermissions", Permission.withoutApprover()),
                () -> ToolSets.AMPLE, new ReentrantLock());
        List<Tool> tools = new ToolSet(() -> {
            fetched[0]++;
            return folder.resolve("data");
        }, folder.resolve("scratch"), () -> null, ToolSets.ANYWHERE, ToolSets.DEFAULTS, hooks, 0)
                .offered(List.of("ParseScore", "ListFiles"));

        assertThat(tools).extracting(Tool::name).containsExactly("ParseScore", "ListFiles");
        assertThat(tools.get(0).call(arguments("output", "Final Validation Performance: 0.5"))).isEqualTo("0.5");
        refused(tools.get(0), "holds no score", "output", "done");
        assertThat(fetched[0]).isZero();
        assertThat(tools.get(1).call(arguments())).isEqualTo("images/\nimages/1.png (1 bytes)");
        refused(tools.get(1), "path", "path", "/");
    }

    /// Only where something holds what a command may do besides what it says.
    @Test
    @Requirement("REQ-OR-033")
    void commandsAreOfferedOnlyWhereAWallKeepsTheFilesOfTheMachine() {
        for (Supplier<Sandbox> wallless : List.<Supplier<Sandbox>>of(
                () -> new Sandbox(ToolSets.SANDBOX.python(), Isolation.SESSION, ToolSets.SANDBOX.machine(), 1,
                        Optional.empty(), Weights.NONE),
                () -> {
                    throw new Invalid("no sandbox is available on this machine");
                })) {
            Hooks hooks = new Hooks("run/step", "coder", new ToolFailures(),
                    Permission.of("bypassPermissions", Permission.withoutApprover()),
                    () -> ToolSets.AMPLE, new ReentrantLock());
            assertThat(new ToolSet(() -> folder, folder.resolve("scratch"), wallless, ToolSets.ANYWHERE,
                    ToolSets.DEFAULTS, hooks, 3).offered(ALL))
                    .extracting(Tool::name).containsExactly("Edit", "Write", "Read", "WebFetch");
        }
    }

    @Test
    void argumentsAreChecked() throws Exception {
        Tool read = ToolSets.tool(folder, "Read");
        refused(read, "path is required");
        refused(read, "path", "path", 1);
        refused(read, "offset", "path", ".", "offset", "1");
        refused(read, "more", "path", ".", "more", 1);
        assertThatExceptionOfType(ToolRefused.class).isThrownBy(() -> read.call(Json.tree("x")));
    }

    @Test
    @Requirement("REQ-OR-009")
    void editsNeedApprovalIfTheModeSaysSo() throws Exception {
        ToolSettings asking = new ToolSettings(List.of(), Permission.of("acceptEdits",
                (tool, arguments) -> arguments.path("path").asText().equals("good") ? Optional.empty()
                        : Optional.of("not approved")),
                Optional.empty());
        List<Tool> tools =
                ToolSets.of(folder, asking, ToolSets.ANYWHERE, ToolSets.AMPLE).offered(List.of("Write", "Read"));
        refused(tools.get(0), "not approved", "path", "bad", "content", "x");
        tools.get(0).call(arguments("path", "good", "content", "x"));
        assertThat(tools.get(1).call(arguments("path", "."))).isEqualTo("good (1 bytes)");
        refused(ToolSets.commands(folder, asking), "not approved", "command", "ls");
    }

    @Test
    void runsCommandsInTheWorkingFolder() throws Exception {
        Files.writeString(Files.createDirectories(folder.resolve("data")).resolve("train.csv"), "id\n1\n");
        assertThat(bash("command", "cat input/train.csv | wc -l; python3 -c 'print(6 * 7)' > x; cat x"))
                .isEqualTo("2\n42");
        assertThat(folder.resolve("scratch/x")).hasContent("42\n");
        assertThat(bash("command", "true")).isEqualTo("[no output]");
        assertThat(bash("command", "env")).doesNotContain("JAVA_HOME");
    }

    @Test
    @Requirement("REQ-OR-033")
    void aDangerousCommandIsNotRunAndTheModelIsToldWhy() throws Exception {
        refused(ToolSets.tool(folder, "Bash"), "the command was refused: it holds \"rm -rf /\", which is blocked",
                "command", "touch x; rm -rf /");
        assertThat(folder.resolve("scratch/x")).doesNotExist();
    }

    @Test
    void failuresTimeoutsAndLongOutputsAreTold() throws Exception {
        Tool bash = ToolSets.tool(folder, "Bash");
        refused(bash, "exit code 3\nout\n\n[stderr]\nerr", "command", "echo out; echo err >&2; exit 3");
        assertThat(stopped(bash, 1)).endsWith("\nbefore");
        refused(bash, "at least 1", "command", "ls", "timeout_seconds", 0);
        assertThat(bash("command", "seq 1 100000")).hasSizeLessThan(Truncation.MOST + 100).startsWith("1\n2\n")
                .endsWith("100000").contains("[cut: ");
    }

    /// Where a machine is so busy that the time is over before the command begins, there is more of
    /// it.
    private static String stopped(Tool bash, int seconds) {
        ToolRefused refusal = catchThrowableOfType(ToolRefused.class,
                () -> bash.call(arguments("command", "echo before; sleep 100", "timeout_seconds", seconds)));
        assertThat(refusal).hasMessageContaining("stopped after " + seconds + ".0 seconds");
        return refusal.getMessage().contains("before") ? refusal.getMessage() : stopped(bash, 4 * seconds);
    }
}
