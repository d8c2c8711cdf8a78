package io.mlestar.adapter.script.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is said to the kernel, in folders that stand for its own.
class ControlGroupTest {
    @TempDir
    private Path all;

    private Path session;

    @BeforeEach
    void makeASession() throws Exception {
        session = Files.createDirectories(all.resolve("user.slice/app.slice"));
        Files.createDirectory(session.resolve("shell.scope"));
        Files.writeString(session.resolve("shell.scope/cgroup.subtree_control"), "");
        Files.writeString(session.resolve("cgroup.subtree_control"), "cpu memory pids\n");
    }

    private Optional<ControlGroup> made() {
        return ControlGroup.made(all, "user.slice/app.slice/shell.scope", 1 << 30, 100);
    }

    @Test
    void aGroupIsMadeBesideOnesOwnWithLimitsForTheWhole() {
        ControlGroup group = made().orElseThrow();
        assertThat(group.folder().getParent()).isEqualTo(session);
        assertThat(group.folder().resolve("memory.max")).hasContent("1073741824");
        assertThat(group.folder().resolve("pids.max")).hasContent("100");
        assertThat(group.folder().resolve("memory.oom.group")).hasContent("1");
    }

    @Test
    void thereIsNoneWhereMemoryOrProcessesAreNotHandedOn() throws Exception {
        Files.writeString(session.resolve("cgroup.subtree_control"), "cpu pids\n");
        assertThat(made()).isEmpty();
        Files.delete(session.resolve("cgroup.subtree_control"));
        assertThat(made()).isEmpty();
        assertThat(ControlGroup.made(all, "", 1, 1)).isEmpty();
        try (Stream<Path> left = Files.list(session)) {
            assertThat(left).containsExactly(session.resolve("shell.scope"));
        }
    }

    @Test
    void aProgramEntersBeforeItBegins() throws Exception {
        ControlGroup group = made().orElseThrow();
        Process process = new ProcessBuilder(group.entered(List.of("sh", "-c", "echo $$"))).start();
        String pid = new String(process.getInputStream().readAllBytes());
        assertThat(pid).isNotBlank();
        assertThat(group.folder().resolve("cgroup.procs")).hasContent(pid);
    }

    @Test
    void theKernelsWordIsTakenForTheMemory() throws Exception {
        ControlGroup group = made().orElseThrow();
        assertThat(group.ranOutOfMemory()).isFalse();
        Files.writeString(group.folder().resolve("memory.events"), "low 0\nmax 12\noom 1\noom_kill 0\n");
        assertThat(group.ranOutOfMemory()).isFalse();
        Files.writeString(group.folder().resolve("memory.events"), "low 0\nmax 12\noom 1\noom_kill 3\n");
        assertThat(group.ranOutOfMemory()).isTrue();
    }
}
