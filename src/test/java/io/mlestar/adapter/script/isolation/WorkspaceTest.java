package io.mlestar.adapter.script.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.Requirement;
import io.mlestar.core.base.Invalid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkspaceTest {
    @TempDir
    private Path folder;

    private Workspace workspace() throws IOException {
        return workspace("script");
    }

    private Workspace workspace(String name) throws IOException {
        return Workspace.over(folder.resolve(name), Files.createDirectories(folder.resolve("data")));
    }

    @Test
    @Requirement("REQ-EX-001")
    void hasAnInputThatShowsTheDataAndAFinalFolder() throws IOException {
        Path data = Files.createDirectory(folder.resolve("data"));
        Files.writeString(data.resolve("train.csv"), "id\n");
        Path relative = Path.of("").toAbsolutePath().relativize(folder.resolve("script"));
        assertThat(Workspace.over(relative, data).folder()).isAbsolute();
        assertThat(folder.resolve("script/input/train.csv")).hasContent("id\n");
        assertThat(folder.resolve("script/final")).isEmptyDirectory();
    }

    @Test
    void deletingFollowsNoLinks() throws IOException {
        Path data = Files.createDirectory(folder.resolve("data"));
        Files.writeString(data.resolve("train.csv"), "id\n");
        Workspace workspace = Workspace.over(folder.resolve("script"), data);
        Files.createSymbolicLink(workspace.finalFolder().resolve("link"), data);
        workspace.delete();
        assertThat(workspace.folder()).doesNotExist();
        assertThat(data.resolve("train.csv")).hasContent("id\n");
    }

    @Test
    void foldersThatAreClosedOrDeeperThanAPathIsLongAreDeletedToo() throws Exception {
        Workspace workspace = workspace();
        new ProcessBuilder("sh", "-c", """
                mkdir -p a/b && touch a/b/c && chmod 000 a/b a
                name=$(printf '%0200d' 0)
                for i in $(seq 30); do mkdir $name && cd $name; done
                """).directory(workspace.finalFolder().toFile()).start().waitFor();
        workspace.delete();
        assertThat(workspace.folder()).doesNotExist();
    }

    @Test
    @Requirement({"REQ-EX-005", "REQ-EX-043"})
    void writesTheScriptByteForByteAsUtf8() throws IOException {
        String content = "# Größe: 5 µm, 日本, 🐦\r\nprint('x')  \n\n\tno newline at the end";
        Workspace workspace = workspace();
        workspace.write("print('an earlier, longer one')" + content, "solution.py");
        Path file = workspace.write(content, "solution.py");
        assertThat(file).isAbsolute().isEqualTo(folder.resolve("script/solution.py"));
        assertThat(file).hasBinaryContent(content.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    @Requirement({"REQ-EX-005", "REQ-EX-043"})
    void aScriptThatUtf8CannotSayIsRefusedByItsLine() throws IOException {
        Workspace workspace = workspace();
        assertThatThrownBy(() -> workspace.write("a = '🐦'\nprint('\ud83d')\n", "solution.py"))
                .isInstanceOf(Invalid.class)
                .hasMessage("line 2 of the script contains half of a surrogate pair, which UTF-8 cannot say");
        assertThat(folder.resolve("script/solution.py")).doesNotExist();
    }

    @Test
    @Requirement("REQ-EX-024")
    void aSubmissionIsAFileThatIsNotEmpty() throws IOException {
        Workspace workspace = workspace();
        assertThat(workspace.submission()).isAbsolute().isEqualTo(folder.resolve("script/final/submission.csv"));
        assertThat(workspace.hasSubmission()).as("nothing").isFalse();
        Files.createFile(workspace.submission());
        assertThat(workspace.hasSubmission()).as("an empty file").isFalse();
        Files.writeString(workspace.submission(), "id\n");
        assertThat(workspace.hasSubmission()).as("a file").isTrue();
        Files.delete(workspace.submission());
        Files.createDirectory(workspace.submission());
        assertThat(workspace.hasSubmission()).as("a folder").isFalse();
    }

    @Test
    @Requirement("REQ-EX-024")
    void neitherALinkNorALinkedFolderIsASubmission() throws IOException {
        Workspace other = workspace("other");
        Files.writeString(other.submission(), "id\n1\n");
        Workspace workspace = workspace();
        Files.createSymbolicLink(workspace.submission(), other.submission());
        assertThat(workspace.hasSubmission()).as("a link").isFalse();
        Files.delete(workspace.submission());
        Files.delete(workspace.finalFolder());
        Files.createSymbolicLink(workspace.finalFolder(), other.finalFolder());
        assertThat(workspace.hasSubmission()).isFalse();
    }

    @ParameterizedTest
    @Requirement("REQ-EX-025")
    @CsvSource({"'', 0", "'id', 0", "'id\n', 0", "'id\n1', 1", "'id\n1\n', 1", "'id\n1\n2', 2", "'id\r\n1\r\n2\r\n', 2",
        "'\n\n\n', 2"})
    void countsTheRowsBelowTheHeader(String content, long rows) throws IOException {
        Workspace workspace = workspace();
        Files.writeString(workspace.submission(), content);
        assertThat(workspace.submissionRows()).isEqualTo(rows);
        Files.writeString(workspace.submission(), "id,target\n" + "123456,0.5\n".repeat(300_000));
        assertThat(workspace.submissionRows()).as("of a big file").isEqualTo(300_000);
    }
}
