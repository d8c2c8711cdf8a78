package io.mlestar.adapter.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScratchTest {
    @TempDir
    private Path folder;

    private Scratch scratch;

    @BeforeEach
    void make() {
        scratch = new Scratch(folder.resolve("scratch"));
    }

    /// A folder as this process makes them, with other words in some places of its name.
    private Path left(String space, String pid, String start) throws Exception {
        String[] mine = scratch.folder().getFileName().toString().split("-");
        Path left = scratch.root()
                .resolve(String.join("-", "script", space.isEmpty() ? mine[1] : space, pid.isEmpty() ? mine[2] : pid,
                        start.isEmpty() ? mine[3] : start, "0"));
        Files.createDirectories(left.resolve("final"));
        return left;
    }

    @Test
    void whatDeadProcessesLeftIsRemovedAndNothingElse() throws Exception {
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        Path killed = left("", Long.toString(dead.pid()), "");
        Path earlier = left("", "", "1");
        Path output = left("", "", "1").resolveSibling(earlier.getFileName() + "-output-1");
        Files.createDirectory(output);
        Path mine = scratch.folder();
        Path elsewhere = left("1", "", "1");
        Path longAgo = left("2", "", "1");
        Files.setLastModifiedTime(longAgo, FileTime.from(Instant.now().minus(Duration.ofDays(30))));
        Path foreign = Files.createDirectory(scratch.root().resolve("else"));
        scratch.sweep();
        assertThat(killed).doesNotExist();
        assertThat(earlier).as("an earlier process had the same number").doesNotExist();
        assertThat(output).doesNotExist();
        assertThat(longAgo).doesNotExist();
        assertThat(mine).isDirectory();
        assertThat(elsewhere).as("its process may live in another container").isDirectory();
        assertThat(foreign).isDirectory();
    }

    @Test
    void whereThereIsNothingThereIsNothingToDo() {
        scratch.sweep();
        assertThat(scratch.root()).doesNotExist();
    }
}
