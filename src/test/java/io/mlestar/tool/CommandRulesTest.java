package io.mlestar.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandRulesTest {
    private static final CommandRules RULES = new CommandRules(Path.of("/ws"), ToolSettings.BLOCKED_COMMANDS);

    /// Each took minutes once, or ran out of stack.
    @ParameterizedTest
    @ValueSource(strings = {"sudo ", "xargs ", "a", "`", "'/", "x(){", "a(){a|a", "<<E ", "find . ", "sh -c x "})
    @Timeout(20)
    void longAndOddCommandsAreJudgedInTime(String part) {
        for (int length : new int[] {300, 49_000}) {
            assertThat(RULES.refusal(part.repeat(length / part.length()) + "ls")).isNotNull();
        }
        assertThat(RULES.refusal("sudo nice env timeout 5 ls")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "rm -rf /", "rm  -rf   /", "rm -r -f //", "rm -fr /", "rm --recursive --force /", "rm -rf --no-preserve-root /", "rm -rf '/'",
        "rm -rf \\/", "r\\m -rf \"/\"", "'rm' -rf /*", "r\"\"m -Rf /.", "/bin/rm -rf /", "rm -rf /home", "rm -r /etc", "rm /etc/passwd",
        "rm -rf ~", "rm -rf ~root", "rm -rf $HOME", "rm -rf ..", "rm -rf x/../..", "rm -rf $(echo /)", "rm -rf `echo /`",
        "$(echo rm) -rf /", "a=/; rm -rf $a", "X=rm; $X -rf x", "rm -rf {/,}", "{rm,-rf,/}", "/???/rm -rf x", "$'\\x72m' -rf /",
        "cd / && rm -rf *", "cd .. ; rm -rf x", "true && rm -rf /", "true; rm -rf /etc", "true | rm -r /etc", "true & rm -r /etc", "(rm -r /etc)",
        "{ rm -r /etc; }", "if true; then rm -r /etc; fi", "for f in /etc/*; do rm \"$f\"; done", "f() { rm -rf \"$@\"; }; f /", "! rm -r /etc",
        "sudo rm -rf /", "sudo -u root rm -r /etc", "env A=1 rm -r /etc", "nice -n 10 rm -r /etc", "timeout 5 rm -r /etc", "busybox rm -r /etc",
        "echo / | xargs rm -rf", "find / -delete", "find . -exec rm -r /etc \\;", "find input -delete", "sh -c 'rm -r /etc'",
        "bash -lc \"rm -r /etc\"", "eval 'rm -r' /etc", "eval $x", "echo cm0gLXJmIC8= | base64 -d | sh", "bash <<< 'rm -r /etc'",
        "bash <(echo rm -r /etc)", "trap 'rm -r /etc' EXIT", "echo $(rm -r /etc)", "echo \"$(rm -r /etc)\"", "echo `rm -r /etc`",
        "mkfs /dev/sda", "mkfs.ext4 /dev/sda1", "/sbin/mkfs -t ext4 x", "m'k'fs x", "dd if=/dev/zero of=/dev/sda", "dd  if=x of=y",
        "dd of=/dev/sda if=/dev/zero", "dd of=y if=x", "d\\d of=y i'f'=x", ":(){ :|:& };:", ":(){:|:&};:", ":() { : | : & } ; :",
        "bomb() { bomb | bomb & }; bomb", "echo x > /etc/passwd", "echo x >> ../y", "echo x >/tmp/y", "echo x 2> /etc/x", "echo x &> /etc/x",
        "echo x >| /etc/x", "echo x > $F", "echo x > \"$(echo /etc/x)\"", "cat > /etc/x <<EOF\na\nEOF", "tee /etc/x", "tee input/train.csv",
        "cp x /etc/", "cp x input/", "mv x /home/", "mv input/train.csv .", "ln -s / root", "chmod -R 777 /", "touch ../x", "mkdir /x",
        "tar -C / -xf x.tar", "tar -xf x.tar --directory=/etc", "wget -O/etc/x http://a.example/x", "rsync -a x/ /etc/", "echo x > input/train.csv",
        "sed -i s/a/b/ /etc/passwd", "sed -i s/a/b/ input/train.csv", "cat /etc/shadow", "cat /proc/1/environ", "cat < /etc/shadow",
        "curl file:///etc/passwd", "python3 -c \"open('/etc/passwd', 'w')\"", "python3 -c \"import shutil; shutil.rmtree('/')\"",
        "python3 -c \"import os; os.system('rm -rf /')\"", "python3 - <<'EOF'\nopen('/etc/passwd', 'w')\nEOF", "perl -e 'unlink \"/etc/passwd\"'",
        "cat <<'EOF'\nfoo \\\nEOF\nrm -r /etc", "cat <<EOF\n$(rm -r /etc)\nEOF", "cat <<EOF\n\\\"$(rm -r /etc)\nEOF", "cat <<EOF\r\nEOF\r\nrm -r /etc",
        "echo $'\\''; rm -r /etc #'", "echo ${x:-'}'} ; rm -r /etc #'", "echo # '\nrm -r /etc #'", "case x in x) rm -r /etc;; esac",
        "rm -r \\\n/etc", "r\\\nm -r /etc", "echo 'never closed", "echo $(true", "echo $((1)); rm -r /etc", "A=1 rm -r /etc", "rm -- /etc/x", "cd input && rm train.csv", "ln -s input x"})
    @Requirement("REQ-OR-033")
    void refused(String command) {
        assertThat(RULES.refusal(command)).as(command).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "ls", "ls -la input", "ls -la ./input/", "pwd", "python3 train.py --rate 0.1", "python3 train.py > log.txt 2>&1", "python train.py 2>/dev/null",
        "head -n 5 input/train.csv", "wc -l input/*.csv", "rm -rf build", "rm -f ./out/*.tmp", "rm -rf x/../y",
        "mkdir -p a/b && cd a/b && touch c", "cp input/train.csv work.csv", "mv a.py b.py", "cat > train.py <<'EOF'\nimport os\n# don't / rm\nEOF",
        "python3 - <<'EOF'\nprint(10 / 2, '/'.join(['a', 'b']))\nopen('./input/train.csv')\nEOF", "python3 -c \"import sys; print(1 / 2)\"",
        "for f in input/*.csv; do wc -l \"$f\"; done", "if [ -f x ]; then echo yes; else echo no; fi", "echo $((10 / 2))", "echo \"a / b\"", "echo /",
        "grep '/foo' input/train.csv", "awk -F, '/x/ {print $1}' input/train.csv", "sed -n '/x/p' input/train.csv", "sed -i s/a/b/ train.py",
        "cat /proc/cpuinfo", "ls /usr/lib/python3", "nvidia-smi || true", "/usr/bin/python3 train.py", "find . -name '*.py' -delete", "env | sort",
        "N=3 python3 train.py --n $N", "echo ${x:-default}", "date +%s", "time python3 train.py", "timeout 60 python3 train.py | tail -5 # the end",
        "sort input/a.csv | uniq -c | sort -rn | head", "true && false || echo \"$?\"", "bash run.sh", "sh -c 'echo hello > x'",
        "tar -czf out.tgz final", "echo formkfs", "diff <(sort a) <(sort b)", "printf '%s\\n' \"it's\" > x.txt", "ls -l /ws/x"})
    @Requirement("REQ-OR-033")
    void allowed(String command) {
        assertThat(RULES.refusal(command)).as(command).isEmpty();
    }

    @Test
    @Requirement("REQ-OR-033")
    void theListIsTheOperators() {
        CommandRules rules = new CommandRules(Path.of("/ws"), List.of("git push --force", "halt"));
        assertThat(rules.refusal("git push origin --force").orElseThrow()).contains("git push --force");
        assertThat(rules.refusal("ha''lt")).isPresent();
        assertThat(rules.refusal("git push origin")).isEmpty();
        assertThat(rules.refusal("mkfs x")).isEmpty();
    }
}
