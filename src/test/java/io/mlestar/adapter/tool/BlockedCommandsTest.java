package io.mlestar.adapter.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockedCommandsTest {
    private static final BlockedCommands BLOCKED = new BlockedCommands(ToolSettings.BLOCKED_COMMANDS);

    @ParameterizedTest
    @ValueSource(
            strings = {"sudo ", "rm ", "rm -rf ", "a", "`", "'/", "x(){", "a(){a|a", "<<E ", "find . ", "dd of=", ";"})
    @Timeout(300)
    void longAndOddCommandsAreJudgedInTime(String part) {
        for (int length : new int[] {300, 49_000}) {
            assertThat(BLOCKED.refusal(part.repeat(length / part.length()) + "ls")).isEmpty();
        }
    }

    /// What gets by as another spelling meets the wall: see [CommandWallTest].
    @ParameterizedTest
    @ValueSource(strings = {
        "mkfs /dev/sda", "mkfs.ext4 /dev/sda1", "/sbin/mkfs -t ext4 x", "m'k'fs x", ":(){ :|:& };:", ":(){:|:&};:",
        ":() { : | : & } ; :",
        "rm -rf /", "rm  -rf   /", "rm -r -f //", "rm -fr /", "rm --recursive --force /", "rm -rf --no-preserve-root /",
        "rm -rf '/'",
        "rm -rf \\/", "r\\m -rf \"/\"", "'rm' -rf /*", "r\"\"m -Rf /.", "/bin/rm -rf /", "rm -rf /home",
        "true && rm -rf /", "sudo rm -rf /",
        "touch x; rm -rf /", "rm -rf \\\n/", "dd if=/dev/zero of=/dev/sda", "dd  if=x of=y",
        "dd of=/dev/sda if=/dev/zero", "d\\d of=y i'f'=x",
        "sh -c 'rm -rf /'", "$(rm -rf /)", "`rm -rf /`", "ls|rm -rf /", "if true; then rm -rf /; fi"})
    @Requirement("REQ-OR-033")
    void thePatternsAreRefusedHoweverTheyArePlainlyWritten(String command) {
        assertThat(BLOCKED.refusal(command)).as(command).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "ls", "ls -la input", "ls -la ./input/", "pwd", "python3 train.py --rate 0.1",
        "python3 train.py > log.txt 2>&1", "python train.py 2>/dev/null",
        "head -n 5 input/train.csv", "wc -l input/*.csv", "rm -rf build", "rm -f ./out/*.tmp", "rm -rf x/../y",
        "mkdir -p a/b && cd a/b && touch c", "cp input/train.csv work.csv", "mv a.py b.py",
        "cat > train.py <<'EOF'\nimport os\n# don't / rm\nEOF",
        "python3 - <<'EOF'\nprint(10 / 2, '/'.join(['a', 'b']))\nopen('./input/train.csv')\nEOF",
        "python3 -c \"import sys; print(1 / 2)\"",
        "for f in input/*.csv; do wc -l \"$f\"; done", "if [ -f x ]; then echo yes; else echo no; fi",
        "echo $((10 / 2))", "echo \"a / b\"", "echo /",
        "grep '/foo' input/train.csv", "awk -F, '/x/ {print $1}' input/train.csv", "sed -n '/x/p' input/train.csv",
        "sed -i s/a/b/ train.py",
        "cat /proc/cpuinfo", "ls /usr/lib/python3", "nvidia-smi || true", "/usr/bin/python3 train.py",
        "find . -name '*.py' -delete", "env | sort",
        "N=3 python3 train.py --n $N", "echo ${x:-default}", "date +%s", "time python3 train.py",
        "timeout 60 python3 train.py | tail -5 # the end",
        "sort input/a.csv | uniq -c | sort -rn | head", "true && false || echo \"$?\"", "bash run.sh",
        "sh -c 'echo hello > x'",
        "tar -czf out.tgz final", "echo formkfs", "diff <(sort a) <(sort b)", "printf '%s\\n' \"it's\" > x.txt",
        "ls -l /ws/x"})
    @Requirement("REQ-OR-033")
    void allowed(String command) {
        assertThat(BLOCKED.refusal(command)).as(command).isEmpty();
    }

    @Test
    @Requirement("REQ-OR-033")
    void theListIsTheOperators() {
        BlockedCommands blocked = new BlockedCommands(List.of("git push --force", "halt"));
        assertThat(blocked.refusal("git push origin --force").orElseThrow()).contains("git push --force");
        assertThat(blocked.refusal("ha''lt")).isPresent();
        assertThat(blocked.refusal("git push origin")).isEmpty();
        assertThat(blocked.refusal("mkfs x")).isEmpty();
    }
}
