package io.mlestar.core.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mlestar.adapter.grade.Table;
import io.mlestar.app.start.YamlFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class InvalidTest {
    @Test
    void aPipeIsNotWaitedForInPlaceOfAFile(@TempDir Path folder) throws Exception {
        Path pipe = folder.resolve("rows.csv");
        assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0, "needs mkfifo");
        for (ThrowingCallable read : new ThrowingCallable[] {() -> Invalid.file("it", pipe),
            () -> Table.open("--rows", pipe), () -> YamlFile.map(pipe),
            () -> YamlFile.map(Path.of("/dev/null"))}) {
            assertThatThrownBy(read).isInstanceOf(Invalid.class).hasMessageContaining("give a regular file");
        }
        assertThat(Invalid.file("it",
                Files.createSymbolicLink(folder.resolve("link"), Files.createFile(folder.resolve("rows"))))).exists();
        assertThat(Invalid.file("it", folder.resolve("missing"))).doesNotExist();
    }
}
