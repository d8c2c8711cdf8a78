package io.mlestar.adapter.tool;

import static io.mlestar.Refusal.refusal;
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
import module java.base;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class ToolSetTest {
    private static final List<String> ALL =
            List.of("Bash", "Edit", "Write", "Read", "WebSearch", "WebFetch", "Nothing", "Read", "RunPython");

    @TempDir
    private Path folder;

    private Path data;
    private Path scratch;

    private String bash(Object... pairs) throws Exception {
        return ToolSets.tool(folder, "Bash").call(arguments(pairs));
    }

    private static void refused(Tool tool, String message, Object... pairs) {
        refusal(ToolRefused.class, () -> tool.call(arguments(pairs))).contains(message);
    }

    @Test
    @Requirement({"REQ-OR-008", "REQ-OR-010"})
    void offersWhatIsNamedAndConfigured() throws Exception {
        assumeTrue(ToolSets.SANDBOX.keepsFiles(), "there is no wall here that keeps files");
        assertThat(ToolSets.of(folder, ToolSets.DEFAULTS).offered(ALL))
                .extracting(Tool::name)
                .containsExactly("Bash", "Edit", "Write", "Read", "WebFetch");
        ToolSettings.SearchEngine engine = new ToolSettings.SearchEngine(ToolSettings.Provider.TAVILY,
                URI.create("https://api.tavily.com"), "key", "");
        ToolSettings settings = new ToolSettings(List.of(), Permission.withoutApprover(), Optional.of(engine));
        assertThat(ToolSets.of(folder, settings).offered(ALL)).hasSize(6)
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
        Files.writeString(Files.createDirectories(data.resolve("images")).resolve("1.png"), "x");
        int[] fetched = {0};
        Hooks hooks = ToolSets.hooks(Permission.of("bypassPermissions", Permission.withoutApprover()), ToolSets.AMPLE);
        List<Tool> tools = new ToolSet(() -> {
            fetched[0]++;
            return data;
        }, scratch, () -> null, ToolSets.ANYWHERE, ToolSets.DEFAULTS, hooks, 0, null)
                .offered(List.of("ParseScore", "ListFiles"));

        assertThat(tools).extracting(Tool::name).containsExactly("ParseScore", "ListFiles");
        assertThat(tools.get(0).call(arguments("output", "Final Validation Performance: 0.5"))).isEqualTo("0.5");
        refused(tools.get(0), "holds no score", "output", "done");
        assertThat(fetched[0]).isZero();
        assertThat(tools.get(1).call(arguments())).isEqualTo("images/\nimages/1.png (1 bytes)\ntrain.csv (13 bytes)");
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
            Hooks hooks = ToolSets.hooks(Permission.of("bypassPermissions", Permission.withoutApprover()),
                    ToolSets.AMPLE);
            assertThat(new ToolSet(() -> folder, scratch, wallless, ToolSets.ANYWHERE,
                    ToolSets.DEFAULTS, hooks, 3, null).offered(ALL))
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
                ToolSets.of(folder, asking).offered(List.of("Write", "Read"));
        refused(tools.get(0), "not approved", "path", "bad", "content", "x");
        tools.get(0).call(arguments("path", "good", "content", "x"));
        assertThat(tools.get(1).call(arguments("path", "."))).isEqualTo("good (1 bytes)");
        refused(ToolSets.commands(folder, asking), "not approved", "command", "ls");
    }

    @Test
    void runsCommandsInTheWorkingFolder() throws Exception {
        assertThat(bash("command", "cat input/train.csv | wc -l; python3 -c 'print(6 * 7)' > x; cat x"))
                .isEqualTo("3\n42");
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

    /// A machine may be so busy that the time is over before the command begins: then there is more
    /// of it.
    private static String stopped(Tool bash, int seconds) {
        ToolRefused refusal = catchThrowableOfType(ToolRefused.class,
                () -> bash.call(arguments("command", "echo before; sleep 100", "timeout_seconds", seconds)));
        assertThat(refusal).hasMessageContaining("stopped after " + seconds + ".0 seconds");
        return refusal.getMessage().contains("before") ? refusal.getMessage() : stopped(bash, 4 * seconds);
    }

    @BeforeEach
    void folders() throws Exception {
        data = Files.createDirectories(folder.resolve("data"));
        scratch = Files.createDirectories(folder.resolve("scratch"));
        Files.writeString(folder.resolve("secret"), "the secret");
        Files.writeString(data.resolve("train.csv"), "id,x\n1,2\n3,4\n");
    }

    private String read(Object... pairs) throws Exception {
        return ToolSets.tool(folder, "Read").call(arguments(pairs));
    }

    private void refused(String tool, String message, Object... pairs) throws Exception {
        Tool refusing = ToolSets.tool(folder, tool);
        refusal(ToolRefused.class, () -> refusing.call(arguments(pairs))).contains(message);
    }

    @Test
    @Requirement("REQ-OR-008")
    void showsTheDataAndTheWorkingFolder() throws Exception {
        assertThat(read("path", "./input/train.csv")).isEqualTo("id,x\n1,2\n3,4\n");
        assertThat(read("path", "input/train.csv", "offset", 2, "limit", 1)).startsWith("1,2\n").contains("offset 3")
                .doesNotContain("3,4");
        assertThat(read("path", data + "/train.csv")).startsWith("id,x");
        Files.writeString(scratch.resolve("note"), "here");
        assertThat(read("path", "note")).isEqualTo("here");
        assertThat(read("path", "input")).isEqualTo("train.csv (13 bytes)");
        assertThat(read("path", ".")).isEqualTo("note (4 bytes)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../secret", "input/../../secret", "/etc/passwd", "a/../../secret", "link",
        "folder-link/secret", "input/link",
        "input/out/secret", "\0", "input-not"})
    void nothingElseIsRead(String path) throws Exception {
        Files.createSymbolicLink(scratch.resolve("link"), folder.resolve("secret"));
        Files.createSymbolicLink(scratch.resolve("folder-link"), folder);
        Files.createSymbolicLink(data.resolve("link"), folder.resolve("secret"));
        Files.createSymbolicLink(data.resolve("out"), folder);
        refused("Read", "", "path", path);
    }

    /// The folders of a call are called otherwise at each run; a recorded answer would not fit the
    /// next.
    @Test
    void anErrorNamesNoFolderOfThisMachine() throws Exception {
        String name = "n".repeat(300);
        refused("Write", "\"" + name + "\" cannot be written: ./" + name + ": File name too long", "path", name,
                "content", "x");
    }

    @Test
    void aReplacedInputFoldersLinkLeadsNowhere() throws Exception {
        Files.createSymbolicLink(scratch.resolve("input"), folder);
        refused("Read", "there is no file", "path", "input/secret");
        assertThat(read("path", "input/train.csv")).startsWith("id,x");
    }

    @Test
    void hugeFilesAreCut() throws Exception {
        Files.writeString(data.resolve("long"),
                IntStream.range(0, 200_000).mapToObj(i -> "line " + i).collect(Collectors.joining("\n")));
        String shown = read("path", "input/long");
        assertThat(shown).hasSizeLessThan(Truncation.MOST + 200).contains("[cut: the file has ");
        assertThat(read("path", "input/long", "offset", 150_001, "limit", 1)).startsWith("line 150000\n");
        Files.writeString(data.resolve("one-line"), "x".repeat(3_000_000));
        assertThat(read("path", "input/one-line")).hasSizeLessThan(Truncation.MOST + 200).contains("[cut");
    }

    @Test
    void binaryFilesAreDescribed() throws Exception {
        try (RandomAccessFile sparse = new RandomAccessFile(data.resolve("model.bin").toFile(), "rw")) {
            sparse.setLength(5L << 30);
        }
        assertThat(read("path", "input/model.bin")).isEqualTo((5L << 30) + " bytes, binary, not shown");
        Files.write(data.resolve("x.png"), new byte[] {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0});
        assertThat(read("path", "input/x.png")).isEqualTo("10 bytes, binary, not shown");
        Files.write(data.resolve("latin1.csv"), "café\n".getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
        assertThat(read("path", "input/latin1.csv")).isEqualTo("caf\ufffd\n");
    }

    @Test
    void aPipeDoesNotHang() throws Exception {
        assertThat(new ProcessBuilder("mkfifo", scratch.resolve("pipe").toString()).start().waitFor()).isZero();
        refused("Read", "no ordinary file", "path", "pipe");
        refused("Write", "no ordinary file", "path", "pipe", "content", "x");
        refused("Edit", "no ordinary file", "path", "pipe", "old", "x", "new", "y");
    }

    @Test
    void writesAndEdits() throws Exception {
        ToolSets.tool(folder, "Write").call(arguments("path", "src/a.py", "content", "x = 1\ny = 1\n"));
        assertThat(scratch.resolve("src/a.py")).hasContent("x = 1\ny = 1\n");
        refused("Edit", "2 times", "path", "src/a.py", "old", "= 1", "new", "= 2");
        refused("Edit", "does not stand", "path", "src/a.py", "old", "z", "new", "= 2");
        refused("Edit", "must not be empty", "path", "src/a.py", "old", "", "new", "= 2");
        refused("Edit", "there is no file", "path", "src/b.py", "old", "a", "new", "b");
        ToolSets.tool(folder, "Edit").call(arguments("path", "src/a.py", "old", "x = 1", "new", "x = $1"));
        ToolSets.tool(folder, "Edit").call(arguments("path", "src/a.py", "old", "= ", "new", "=", "all", true));
        assertThat(scratch.resolve("src/a.py")).hasContent("x =$1\ny =1\n".replace("= ", "=").replace(" =", " ="));
    }

    @ParameterizedTest
    @ValueSource(strings = {"input/train.csv", "input/new", "../secret", "/etc/mlestar", "link", "folder-link/secret",
        "folder-link/new/x", ".",
        "dangling", "dangling/x", "input"})
    void writesNowhereElse(String path) throws Exception {
        Files.createSymbolicLink(scratch.resolve("link"), folder.resolve("secret"));
        Files.createSymbolicLink(scratch.resolve("folder-link"), folder);
        Files.createSymbolicLink(scratch.resolve("dangling"), folder.resolve("not-there"));
        refused("Write", "", "path", path, "content", "harm");
        refused("Edit", "", "path", path, "old", "the", "new", "harm");
        assertThat(folder.resolve("secret")).hasContent("the secret");
        assertThat(data).isDirectoryContaining(file -> file.endsWith("train.csv"))
                .isDirectoryNotContaining(file -> file.endsWith("new"));
        assertThat(folder.resolve("not-there")).doesNotExist();
        assertThat(folder.resolve("new")).doesNotExist();
    }
}
