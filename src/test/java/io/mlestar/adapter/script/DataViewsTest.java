package io.mlestar.adapter.script;

import static io.mlestar.Refusal.refusal;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.World;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.StepPath;
import module java.base;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The files of the runner: the folder for what scripts need, views of data that lie there, shared
/// and read only, and what scripts print.
class DataViewsTest {
    private static final int READERS = 16;

    private static final int MOST = 200_000;

    @TempDir
    private Path folder;

    private Path own;
    private Scratch scratch;
    private DataViews views;

    @BeforeEach
    void makeData() throws IOException {
        own = Files.writeString(folder.resolve("own.csv"), "1");
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("r--r--r--"));
        scratch = new Scratch(folder.resolve("scratch"));
        views = new DataViews(scratch);
    }

    private void fill(Path view) throws IOException {
        Files.createLink(Files.createDirectory(view.resolve("more")).resolve("own.csv"), own);
    }

    private void end(String run, String step) {
        RunHeader header = World.header(run, "{}");
        StepRequest request = new StepRequest("phase/pipeline", Json.object(), null, World.NOW, World.NOW, false);
        views.ended(header, StepPath.parse(step), request,
                StepResult.of(new Outcome.Failed<>("made to fail"), World.NOW, World.NOW, 0.0));
    }

    @Test
    void manyThatWantOneViewShareIt() throws Exception {
        AtomicInteger made = new AtomicInteger();
        CyclicBarrier together = new CyclicBarrier(READERS);
        try (ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Path>> seen = IntStream.range(0, READERS).mapToObj(i -> readers.submit(() -> {
                together.await();
                return views.of("r", "d1", view -> {
                    made.incrementAndGet();
                    fill(view);
                });
            })).toList();
            for (Future<Path> one : seen) {
                assertThat(one.get()).isEqualTo(seen.getFirst().get()).isDirectoryContaining("glob:**more");
            }
        }

        assertThat(made).hasValue(1);
        assertThat(views.of("r", "d2", this::fill)).as("other tables").isNotEqualTo(views.of("r", "d1", this::fill));
        assertThat(views.of("q", "d1", this::fill)).as("another run").isNotEqualTo(views.of("r", "d1", this::fill));
    }

    @Test
    void aViewIsReadOnlyAndGoesWithItsRunAndTheTasksOwnFileStaysAsItIs() throws IOException {
        Path view = views.of("r", "d1", this::fill);
        Path other = views.of("q", "d1", this::fill);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(view.resolve("more"))))
                .isEqualTo("r-xr-xr-x");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(view))).isEqualTo("r-xr-xr-x");

        end("r", "r/phase1");
        assertThat(view).as("a part has ended").exists();
        end("r", "r");

        assertThat(view).doesNotExist();
        assertThat(other).exists();
        assertThat(own).hasContent("1");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own))).isEqualTo("r--r--r--");
        assertThat(views.of("r", "d1", this::fill)).as("wanted again").isNotEqualTo(view).exists();
    }

    @Test
    void viewsOfRunsThatAreNotWantedAnyMoreGo() {
        Path ended = views.of("ended", "d1", this::fill);
        Path open = views.of("open", "d1", this::fill);

        views.keep(run -> run.equals("open"));

        assertThat(ended).doesNotExist();
        assertThat(open).exists();
    }

    @Test
    void aViewThatCouldNotBeFilledIsNoneAndIsMadeAgain() throws IOException {
        refusal(UncheckedIOException.class, () -> views.of("r", "d1", view -> {
            fill(view);
            throw new IOException("no space left");
        })).isEqualTo("cannot show data in " + scratch.root());
        try (var left = Files.list(scratch.root())) {
            assertThat(left).isEmpty();
        }

        assertThat(views.of("r", "d1", this::fill).resolve("more/own.csv")).hasContent("1");
    }

    @Test
    void whatAKilledProcessLeftIsRemovedBeforeTheNextViewIsMade() throws IOException {
        Path made = views.of("r", "d1", this::fill);
        String ofAnother =
                Objects.requireNonNull(made.getFileName()).toString().replaceFirst("-(\\d+)-(\\d+)-", "-$1-4194305-");
        Path left = Files.createDirectory(scratch.root().resolve(ofAnother));
        fill(left);
        Files.setPosixFilePermissions(left.resolve("more"), PosixFilePermissions.fromString("r-xr-xr-x"));

        views.of("r", "d2", this::fill);

        assertThat(left).doesNotExist();
        assertThat(made).exists();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own))).isEqualTo("r--r--r--");
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
        scratch.sweep();
        assertThat(scratch.root()).as("nothing there, nothing to do").doesNotExist();
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

    private TailFile file() {
        return new TailFile(folder.resolve("stdout"), MOST);
    }

    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(UTF_8));
    }

    private static String numbered(int lines) {
        return IntStream.range(0, lines).mapToObj("line %07d\n"::formatted).collect(Collectors.joining());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "one line", "Größe\n日本\n"})
    void givesBackAllOfAShortStream(String text) throws IOException {
        TailFile file = file();
        assertThat(file.tail(1_000)).as("never written").isEmpty();
        file.copy(stream(text));
        assertThat(file.tail(1_000)).isEqualTo(text);
    }

    /// Within the first and the second file, across both, at the border of the tail and at that of
    /// a block of the search.
    @ParameterizedTest
    @Requirement({"REQ-EX-038", "REQ-EX-011"})
    @ValueSource(ints = {0, 1_000_000, 2_097_140, 2_097_152, 3_000_000, 3_095_680, 3_095_700, 3_095_728, 4_144_280,
        4_144_303, 4_144_304, 4_194_304 - 39})
    void aScoreCountsWhereverItStandsInWhatTheDiskHolds(int at) throws IOException {
        int most = 4 << 20;
        String line = "Final Validation Performance: 0.5 of 7\n";
        String noise = numbered(most / 13 + 1).substring(0, most - line.length());
        TailFile file = new TailFile(folder.resolve("stdout"), most);
        file.copy(stream(noise.substring(0, at) + line + noise.substring(at)));
        String tail = file.tail(50_000, Scores::last);
        assertThat(tail).startsWith("[the output was cut: 4144304 bytes are missing here").contains("0.5 of 7\n");
        assertThat(tail.lines().skip(1).findFirst().orElseThrow().equals(line.strip()))
                .as("the line is put before the rest").isEqualTo(at <= 4_144_304);
        assertThat(Scores.parse(tail)).hasValue(0.5);
    }

    @Test
    void theLastScoreOfTheOutputCountsWhereverTheOthersStand() throws IOException {
        String score = "Final Validation Performance: ";
        assertThat(Scores.parse(kept(score + "0.1\n" + numbered(3_000) + score + "0.2\n" + numbered(6_000))))
                .hasValue(0.2);
        assertThat(Scores.parse(kept(score + "0.1\n" + numbered(6_000) + score + "0.2\n"))).hasValue(0.2);
        assertThat(Scores.parse(kept(score + "0.1\n" + numbered(6_000) + score + "nan\n"))).as("no number hides one")
                .isEmpty();
        assertThat(Scores.parse(kept(score + "0.1\n" + score + "0,2\n" + numbered(6_000)))).as("before the tail, too")
                .isEmpty();
        assertThat(kept(numbered(9_000))).doesNotContain(score);
    }

    private String kept(String output) throws IOException {
        TailFile file = file();
        file.copy(stream(output));
        return file.tail(50_000, Scores::last);
    }

    @Test
    @Requirement("REQ-EX-038")
    void keepsTheEndAndSaysWhatIsMissing() throws IOException {
        TailFile file = file();
        file.copy(stream("0123456789"));
        assertThat(file.tail(10)).isEqualTo("0123456789");
        assertThat(file.tail(4)).isEqualTo("[the output was cut: 6 bytes are missing here]\n6789");
    }

    @ParameterizedTest
    @Requirement("REQ-EX-038")
    @ValueSource(ints = {8_000, 17_000, 30_000, 250_000})
    void theTailIsWholeWhereverTheFilesChange(int lines) throws IOException {
        String text = numbered(lines);
        TailFile file = file();
        file.copy(stream(text));
        String end = text.substring(text.length() - 50_000);
        assertThat(file.tail(50_000)).startsWith("[the output was cut: ").endsWith("]\n" + end);
    }

    @Test
    @Requirement("REQ-EX-038")
    void theDiskHoldsNoMoreThanTheMost() throws IOException {
        TailFile file = file();
        file.copy(stream(numbered(250_000)));
        long onDisk = 0;
        try (var files = Files.newDirectoryStream(folder, "stdout*")) {
            for (Path path : files) {
                onDisk += Files.size(path);
            }
        }
        assertThat(onDisk).isBetween(MOST / 2L, (long) MOST);
    }

    @Test
    @Requirement("REQ-EX-043")
    void invalidBytesAreReplaced() throws IOException {
        TailFile file = file();
        file.copy(new ByteArrayInputStream(new byte[] {'a', (byte) 0xff, (byte) 0xc3, (byte) 0xa9, (byte) 0xe2, 'z'}));
        assertThat(file.tail(100)).isEqualTo("a\ufffdé\ufffdz");
        assertThat(file.tail(3)).as("a character that is cut in half").endsWith("\ufffdz");
    }

    @Test
    void whatCameBeforeTheStreamBrokeStays() throws IOException {
        TailFile file = file();
        file.copy(new SequenceInputStream(stream("so far\n"), new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("Stream closed");
            }
        }));
        assertThat(file.tail(100)).isEqualTo("so far\n");
    }
}
