package io.mlestar.adapter.tool;

import static io.mlestar.adapter.tool.ToolSets.arguments;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What no reading of a command finds out, the wall around it holds: whatever is written, nothing
/// outside the working folder changes. The files outside may be written by everybody, so that
/// nothing but the wall is in the way; no pattern is blocked here. Where there is no wall that
/// keeps files there are no commands, and these tests say so.
@Timeout(300)
class CommandWallTest {
    private static final String SECRET = "the secret of another user";
    private static final ToolSettings NOTHING_BLOCKED =
            new ToolSettings(List.of(), Permission.of("bypassPermissions", Permission.withoutApprover()),
                    Optional.empty());

    @TempDir
    private Path folder;
    private Path outside;

    @BeforeEach
    void layOut() throws IOException {
        outside = Files.createDirectory(folder.resolve("outside"));
        Path data = Files.createDirectory(folder.resolve("data"));
        for (Path file : List.of(outside.resolve("passwd"), outside.resolve("shadow"), outside.resolve("sda"),
                folder.resolve("x"),
                data.resolve("train.csv"))) {
            Files.setPosixFilePermissions(Files.writeString(file, SECRET),
                    PosixFilePermissions.fromString("rw-rw-rw-"));
        }
        for (Path open : List.of(folder, outside, data)) {
            Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        Path scratch = Files.createDirectories(folder.resolve("scratch"));
        Files.writeString(scratch.resolve("x"), "mine");
    }

    private Map<String, String> allButTheWorkingFolder() throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            all.filter(file -> !file.startsWith(folder.resolve("scratch")))
                    .forEach(file -> files.put(file.toString(), content(file)));
        }
        return files;
    }

    private static String content(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// What the model is told.
    private String run(String command) throws Exception {
        Tool bash = ToolSets.commands(folder, NOTHING_BLOCKED);
        try {
            return bash.call(arguments("command", command.replace("{out}", outside.toString()), "timeout_seconds", 20));
        } catch (ToolRefused e) {
            return e.getMessage();
        }
    }

    /// One of each kind: the wall does not read commands.
    @ParameterizedTest
    @ValueSource(strings = {
        "rm -rf {out}", "rm -rf x/../../outside", "cd {out} && rm -rf *", "sudo rm -rf {out}", "find {out} -delete",
        "find input -delete", "echo cm0gLXJmIC4uL291dHNpZGU= | base64 -d | sh", "trap 'rm -r {out}' EXIT",
        "dd if=/dev/zero count=1 of={out}/sda", "echo x >> ../y", "echo x >| {out}/x", "tee input/train.csv",
        "cp x input/", "mv input/train.csv .", "ln -s {out} root && rm -r root/*", "chmod -R 777 {out}",
        "mkdir {out}/x", "sed -i s/a/b/ {out}/passwd", "python3 -c \"import shutil; shutil.rmtree('{out}')\"",
        "perl -e 'unlink \"{out}/passwd\"'", "cat <<EOF\r\nEOF\r\nrm -r {out}", "cd input && rm train.csv"})
    @Requirement("REQ-OR-033")
    void nothingOutsideTheWorkingFolderChanges(String command) throws Exception {
        Map<String, String> before = allButTheWorkingFolder();
        run(command);
        assertThat(allButTheWorkingFolder()).as(command).isEqualTo(before).hasSizeGreaterThan(6);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "cat {out}/shadow", "cat < {out}/shadow", "ln -s {out} root && cat root/shadow",
        "python3 -c \"print(open('{out}/shadow').read())\"",
        "cp {out}/shadow . && cat shadow", "head -c 100 {out}/../outside/shadow"})
    void nothingOutsideIsShown(String command) throws Exception {
        assertThat(run(command)).as(command).isNotEmpty().doesNotContain(SECRET);
    }

    /// The battery would prove nothing if commands did nothing at all.
    @Test
    void insideItDoesWhatItSays() throws Exception {
        assertThat(run("cat input/train.csv; echo; rm x; echo y > z; cat z; ls")).contains(SECRET, "y\n")
                .doesNotContain("cannot");
        assertThat(folder.resolve("scratch/x")).doesNotExist();
    }
}
