package io.mlestar.core.store;

import static io.mlestar.Refusal.refusal;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mlestar.Waiting;
import module java.base;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class FolderStoreTest implements StoreContract {
    @TempDir
    private Path folder;
    private final List<Process> children = new ArrayList<>();
    private Path wanted;
    private Path instead;

    @Override
    public Store store() {
        return new FolderStore(folder.resolve("store"));
    }

    @AfterEach
    void endChildren() {
        children.forEach(Process::destroyForcibly);
    }

    private Process child(String... args) throws IOException {
        Process child = StoreWriter.start(args);
        children.add(child);
        return child;
    }

    @Test
    void ofManyProcessesExactlyOneWinsEachKey() throws Exception {
        int keys = 300;
        store();
        Map<String, Process> writers = new HashMap<>();
        for (String name : List.of("ann", "bob", "cy")) {
            writers.put(name, child("race", folder.resolve("store").toString(), name, Integer.toString(keys)));
        }
        for (Process writer : writers.values()) {
            assertThat(writer.inputReader().readLine()).isEqualTo(StoreWriter.READY);
        }
        for (Process writer : writers.values()) {
            writer.getOutputStream().write('\n');
            writer.getOutputStream().flush();
        }
        Map<String, String> winners = new HashMap<>();
        for (Map.Entry<String, Process> writer : writers.entrySet()) {
            try (BufferedReader won = writer.getValue().inputReader()) {
                won.lines().forEach(
                        key -> assertThat(winners.put(key, writer.getKey())).as("first winner of " + key).isNull());
            }
            assertThat(writer.getValue().waitFor()).isZero();
        }
        assertThat(winners).hasSize(keys);
        winners.forEach((key, name) -> assertThat(store().read("race/" + key)).as(key).hasValue(name.getBytes(UTF_8)));
    }

    @Test
    void aKilledWriterLeavesNoHalfObject() throws Exception {
        Store store = store();
        Process writer = child("hang", folder.resolve("store").toString(), "runs/a/result.json");
        assertThat(writer.inputReader().readLine()).isEqualTo(StoreWriter.READY);
        writer.destroyForcibly();
        assertThat(writer.waitFor(Waiting.MOST)).isTrue();

        assertThat(store.read("runs/a/result.json")).isEmpty();
        assertThat(store.list("runs/a")).isEmpty();
        assertThat(store.create("runs/a/result.json", "{}".getBytes(UTF_8))).isTrue();
        assertThat(store.read("runs/a/result.json")).hasValue("{}".getBytes(UTF_8));
    }

    @Test
    void leavesNothingAsideWhetherItWinsOrNot() throws IOException {
        Store store = store();
        store.create("key", new byte[10]);
        store.create("key", new byte[10]);
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.filter(Files::isRegularFile).map(file -> file.getFileName().toString()))
                    .containsExactly("key");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"../outside", "runs/../../outside", "/etc/passwd", "..", ".writing/half",
        "runs/../.writing/half"})
    void aKeyThatLeadsOutIsRefused(String key) {
        Store store = store();
        refusal(IllegalArgumentException.class, () -> store.create(key, new byte[1])).contains(key);
        assertThatThrownBy(() -> store.read(key)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.list(key)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.address(key)).isInstanceOf(IllegalArgumentException.class);
        assertThat(folder.resolve("outside")).doesNotExist();
    }

    @Test
    void aFolderThatCannotBeMadeIsNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "not a folder");
        refusal(StoreUnavailable.class, () -> new FolderStore(file)).contains(file.toString());
        refusal(StoreUnavailable.class, () -> new FolderStore(file.resolve("below")))
                .contains(file.resolve("below").toString());
    }

    @Test
    void aFolderThatWentAwayIsNamed() throws IOException {
        Store store = store();
        Path root = folder.resolve("store");
        store.create("first", new byte[1]);
        Files.delete(root.resolve("first"));
        Files.delete(root.resolve(".writing"));
        Files.delete(root);
        refusal(StoreUnavailable.class, () -> store.create("runs/a", new byte[1])).contains("runs/a", root.toString());
    }

    /// Anyone who may write to the store's folder would show others what this process may read, or
    /// let it write elsewhere.
    @Test
    void noLinkIsFollowed() throws IOException {
        Path outside = Files.createDirectories(folder.resolve("outside/r"));
        Path key = Files.writeString(outside.resolve("key"), "secret");
        Store store = store();
        store.create("runs/a/run.json", new byte[1]);
        Path runs = folder.resolve("store/runs");
        Files.createSymbolicLink(runs.resolve("a/submission.csv"), key);
        Files.createSymbolicLink(runs.resolve("a/report.html"), runs.resolve("a/report.html"));
        Files.createSymbolicLink(runs.resolve("a/nowhere"), folder.resolve("outside/new"));
        Files.createSymbolicLink(runs.resolve("linked"), outside);
        for (String refused : List.of("runs/a/submission.csv", "runs/a/report.html", "runs/linked/key")) {
            refusal(DamagedRecord.class, () -> store.read(refused)).contains("symbolic link", refused);
        }
        assertThatThrownBy(() -> store.list("runs/linked")).isInstanceOf(DamagedRecord.class);
        assertThatThrownBy(() -> store.create("runs/linked/new", new byte[1])).isInstanceOf(DamagedRecord.class);
        assertThat(store.create("runs/a/nowhere", new byte[1])).as("the name is taken").isFalse();
        assertThat(store.list("runs")).containsExactly("a/", "linked");
        assertThat(outside).isDirectoryContaining("glob:**key").isDirectoryNotContaining("glob:**new");
        assertThat(folder.resolve("outside")).isDirectoryNotContaining("glob:**new");
        new FolderStore(folder.resolve("store")).delete("runs/linked");
        assertThat(key).as("the link went, and what it led to stays").hasContent("secret");
        assertThat(store.list("runs")).containsExactly("a/");
    }

    @Test
    void theFolderItselfMayBeALink() throws IOException {
        Files.createDirectories(folder.resolve("disk"));
        Files.createSymbolicLink(folder.resolve("store"), folder.resolve("disk"));
        assertThat(store().create("runs/a/run.json", new byte[1])).isTrue();
        assertThat(store().list("runs")).containsExactly("a/");
    }

    @Test
    void nothingIsWrittenAsideThroughALink() throws IOException {
        store().create("first", new byte[1]);
        Path aside = folder.resolve("store/.writing");
        Files.delete(aside);
        Files.createSymbolicLink(aside, Files.createDirectory(folder.resolve("outside")));
        refusal(DamagedRecord.class, () -> store().create("second", new byte[1])).contains(".writing");
    }

    /// A pipe would be waited for without end.
    @Test
    void nothingButAFileIsRead() throws Exception {
        store().create("runs/a/run.json", new byte[1]);
        assumeTrue(run("mkfifo", folder.resolve("store/runs/a/result.json").toString()), "needs mkfifo");
        refusal(DamagedRecord.class, () -> store().read("runs/a/result.json")).contains("not regular");
    }

    @Test
    void aFullDiskLeavesNoHalfObjectAndTheOthersWhole() throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk.toString()), "needs the right to mount");
        try {
            Store store = new FolderStore(disk);
            store.create("small", "kept".getBytes(UTF_8));
            refusal(StoreUnavailable.class, () -> store.create("big", new byte[2 << 20])).contains("big");
            assertThat(store.read("big")).isEmpty();
            assertThat(store.read("small")).hasValue("kept".getBytes(UTF_8));
            assertThat(store.create("big", new byte[1 << 10])).as("after room was made").isTrue();

            assertThat(run("mount", "-o", "remount,ro", disk.toString())).isTrue();
            refusal(StoreUnavailable.class, () -> store.create("more", new byte[1])).contains("more", disk.toString());
        } finally {
            assertThat(run("umount", disk.toString())).isTrue();
        }
    }

    private static boolean run(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void manyThreadsReadWhileOthersWriteAndSeeAllOrNothing() {
        Store store = store();
        byte[] content = new byte[200_000];
        List<Integer> sizes = IntStream.range(0, 200).parallel().mapToObj(i -> {
            if (i % 2 == 0) {
                store.create("runs/" + i / 4, content);
            }
            return store.read("runs/" + i / 4).map(bytes -> bytes.length).orElse(content.length);
        }).toList();
        assertThat(sizes).containsOnly(content.length);
    }

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
        refusal(FileSystemException.class, this::made).contains(wanted.toString(), "others may write to it",
                "java.io.tmpdir");
        assertThat(OwnFolder.find(wanted)).isEmpty();
    }
}
