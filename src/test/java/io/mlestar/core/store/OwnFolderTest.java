package io.mlestar.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnFolderTest {
    @TempDir
    private Path folder;

    private Path wanted;
    private Path instead;

    @BeforeEach
    void name() {
        wanted = folder.resolve("below/mlestar");
        instead = wanted.resolveSibling("mlestar-" + System.getProperty("user.name"));
    }

    private Path made() throws IOException {
        return OwnFolder.make(wanted, "rwx--x--x");
    }

    private static Path open(Path path) throws IOException {
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    @Test
    void itIsMadeOnceWithItsPermissionsAndFoundAgain() throws Exception {
        assertThat(OwnFolder.find(wanted)).isEmpty();
        assertThat(made()).isEqualTo(wanted);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(wanted))).isEqualTo("rwx--x--x");
        assertThat(made()).isEqualTo(wanted);
        assertThat(OwnFolder.find(wanted)).contains(wanted);
    }

    @Test
    void aFolderThatOthersMayWriteToIsNotUsed() throws Exception {
        open(Files.createDirectories(wanted));
        assertThat(made()).isEqualTo(instead);
        assertThat(OwnFolder.find(wanted)).contains(instead);
    }

    @Test
    void aLinkIsNotUsedEvenIfItLeadsToAFolderOfOurs() throws Exception {
        Files.createDirectories(wanted.getParent());
        Files.createSymbolicLink(wanted, Files.createDirectory(folder.resolve("mine")));
        assertThat(made()).isEqualTo(instead);
    }

    @Test
    void aFolderOfAnotherUserIsNotUsed() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can make one for another user");
        Files.createDirectories(wanted);
        Files.setAttribute(wanted, "unix:uid", 65_534);
        assertThat(made()).isEqualTo(instead);
    }

    @Test
    void whereNeitherCanBeUsedTheErrorSaysWhatToDo() throws Exception {
        open(Files.createDirectories(wanted));
        Files.writeString(instead, "in the way");
        assertThatThrownBy(this::made).isInstanceOf(FileSystemException.class).hasMessageContaining(wanted.toString())
                .hasMessageContaining("others may write to it")
                .hasMessageContaining("java.io.tmpdir");
        assertThat(OwnFolder.find(wanted)).isEmpty();
    }
}
