package io.mlestar.adapter.tool;

import static io.mlestar.adapter.tool.ToolSets.arguments;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.mlestar.Requirement;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class FileToolsTest {
    @TempDir
    private Path folder;
    private Path data;
    private Path scratch;

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
        assertThatExceptionOfType(ToolRefused.class).isThrownBy(() -> refusing.call(arguments(pairs)))
                .withMessageContaining(message);
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
