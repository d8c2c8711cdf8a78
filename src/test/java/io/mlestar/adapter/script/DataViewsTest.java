package io.mlestar.adapter.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.base.Json;
import io.mlestar.core.engine.World;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.StepPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataViewsTest {
    private static final int READERS = 16;

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
        assertThatThrownBy(() -> views.of("r", "d1", view -> {
            fill(view);
            throw new IOException("no space left");
        })).isInstanceOf(UncheckedIOException.class).hasMessage("cannot show data in " + scratch.root());
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
}
