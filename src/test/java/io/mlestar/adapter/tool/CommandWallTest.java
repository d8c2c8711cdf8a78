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

    @ParameterizedTest
    @ValueSource(strings = {
        "rm -rf {out}", "rm  -rf   {out}", "rm -r -f {out}/", "rm -fr {out}", "rm --recursive --force {out}",
        "rm -rf --no-preserve-root {out}",
        "rm -rf '{out}'", "rm -rf \\{out}", "'rm' -rf {out}*", "r\"\"m -Rf {out}.", "/bin/rm -rf {out}", "rm -rf {out}",
        "rm -r {out}",
        "rm {out}/passwd", "HOME={out}; rm -rf $HOME", "rm -rf ../outside", "rm -rf x/../../outside",
        "rm -rf $(echo {out})",
        "rm -rf `echo {out}`", "$(echo rm) -rf {out}", "a={out}; rm -rf $a", "rm -rf {{out},}", "{rm,-rf,{out}}",
        "$'\\x72m' -rf {out}",
        "cd {out} && rm -rf *", "cd .. ; rm -rf x", "true && rm -rf {out}", "true; rm -rf {out}", "true | rm -r {out}",
        "true & rm -r {out}",
        "(rm -r {out})", "{ rm -r {out}; }", "if true; then rm -r {out}; fi", "for f in {out}/*; do rm \"$f\"; done",
        "f() { rm -rf \"$@\"; }; f {out}", "! rm -r {out}", "sudo rm -rf {out}", "sudo -u root rm -r {out}",
        "env A=1 rm -r {out}",
        "nice -n 10 rm -r {out}", "timeout 5 rm -r {out}", "busybox rm -r {out}", "echo {out} | xargs rm -rf",
        "find {out} -delete",
        "find . -exec rm -r {out} \\;", "find input -delete", "sh -c 'rm -r {out}'", "bash -lc \"rm -r {out}\"",
        "eval 'rm -r' {out}",
        "echo cm0gLXJmIC4uL291dHNpZGU= | base64 -d | sh", "bash <<< 'rm -r {out}'", "bash <(echo rm -r {out})",
        "trap 'rm -r {out}' EXIT",
        "echo $(rm -r {out})", "echo \"$(rm -r {out})\"", "echo `rm -r {out}`", "dd if=/dev/zero count=1 of={out}/sda",
        "dd of={out}/sda if=/dev/zero count=1", "echo x > {out}/passwd", "echo x >> ../y", "echo x >{out}/y",
        "echo x 2> {out}/x",
        "echo x &> {out}/x", "echo x >| {out}/x", "echo x > ${F:-{out}/x}", "echo x > \"$(echo {out}/x)\"",
        "cat > {out}/x <<EOF\na\nEOF",
        "tee {out}/x", "tee input/train.csv", "cp x {out}/", "cp x input/", "mv x {out}/", "mv input/train.csv .",
        "ln -s {out} root",
        "chmod -R 777 {out}", "touch ../x", "mkdir {out}/x", "tar -C {out} -xf x.tar",
        "tar -xf x.tar --directory={out}", "rsync -a x/ {out}/",
        "echo x > input/train.csv", "sed -i s/a/b/ {out}/passwd", "sed -i s/a/b/ input/train.csv",
        "python3 -c \"open('{out}/passwd', 'w')\"",
        "python3 -c \"import shutil; shutil.rmtree('{out}')\"", "python3 -c \"import os; os.system('rm -rf {out}')\"",
        "python3 - <<'EOF'\nopen('{out}/passwd', 'w')\nEOF", "perl -e 'unlink \"{out}/passwd\"'",
        "cat <<'EOF'\nfoo \\\nEOF\nrm -r {out}",
        "cat <<EOF\n$(rm -r {out})\nEOF", "cat <<EOF\n\\\"$(rm -r {out})\nEOF", "cat <<EOF\r\nEOF\r\nrm -r {out}",
        "echo $'\\''; rm -r {out} #'",
        "echo ${x:-'}'} ; rm -r {out} #'", "echo # '\nrm -r {out} #'", "case x in x) rm -r {out};; esac",
        "rm -r \\\n{out}", "r\\\nm -r {out}",
        "echo $((1)); rm -r {out}", "A=1 rm -r {out}", "rm -- {out}/x", "cd input && rm train.csv", "ln -s input x"})
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
