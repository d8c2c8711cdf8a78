package io.mlestar.app.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.base.Json;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.survey.SurveyScripts;
import io.mlestar.core.task.PipelineConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Nothing of a file but its content tells a hidden example from one of the test.
class HeldOutFilesTest extends HeldOutDays {
    private static final int EXAMPLES = 300;
    private static final Instant LEARNT = Instant.parse("2019-03-01T00:00:00Z");
    private static final Instant TESTED = Instant.parse("2021-03-01T00:00:00Z");

    /// @param where an example of that name has its file; `SIDE` for folders of training and of the
    ///   test
    private void makeFiles(String where) throws IOException {
        data = Files.createDirectories(folder.resolve("files"));
        StringBuilder labels = new StringBuilder("id,y\n");
        StringBuilder sample = new StringBuilder("id,y\n");
        for (int i = 0; i < EXAMPLES; i++) {
            String name = Integer.toHexString(0x10000 + i * 40503 % 65536);
            boolean isTest = i % 5 == 0;
            Path file = data.resolve(where.replace("SIDE", isTest ? "test" : "train").formatted(name));
            Files.createDirectories(file.getParent());
            Files.writeString(file, "note " + i % 7);
            Instant time = (isTest ? TESTED : LEARNT).plusSeconds(i);
            Files.setLastModifiedTime(file, FileTime.from(time));
            Files.setLastModifiedTime(file.getParent(), FileTime.from(time));
            (isTest ? sample : labels).append("%s,%d%n".formatted(name, isTest ? 0 : i % 2));
        }
        Files.writeString(data.resolve("train.csv"), labels);
        Files.writeString(data.resolve("sample_submission.csv"), sample);
        context = new RunContext(context.task().withDataDir(data.toString()),
                PipelineConfig.resolve(Json.object().put("search", "strong").put("folds", 2), Map.of()), "no GPU");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SIDE/%s.txt", "SIDE/%s/note.txt", "test/%s.txt"})
    void noTimeTellsAHiddenExample(String where) throws IOException {
        makeFiles(where);
        assertThat(hide(2)).contains("hidden rows have their files in").doesNotContain("time of");

        for (String view : List.of(Holdout.FIRST, Holdout.STUDY)) {
            Path test = job(strongest()).shown(STEP, context, view).resolve("test");
            try (Stream<Path> all = Files.walk(test)) {
                List<Path> shown = all.sorted(Comparator.comparing(Path::toString)).toList();
                assertThat(shown).hasSizeGreaterThan(EXAMPLES / 5 + 10);
                assertThat(shown.stream().map(HeldOutFilesTest::modified).distinct()).as("times in " + view).hasSize(1);
                assertThat(shown.stream().filter(Files::isRegularFile)
                        .map(file -> (FileTime) attribute(file, "unix:ctime"))).as("the order they were made in")
                        .isSorted();
                assertThat(shown.stream().filter(Files::isRegularFile).map(file -> attribute(file, "unix:nlink"))
                        .distinct()).as("links").hasSize(1);
            }
        }
        try (Stream<Path> own = Files.walk(data.resolve("test"))) {
            assertThat(own.map(HeldOutFilesTest::modified).distinct()).as("times of the task's files")
                    .hasSizeGreaterThan(EXAMPLES / 10);
        }
    }

    /// Copies of large data would cost time and room in each view.
    @Test
    void whereFilesAreLinkedTheSchemeSaysThatTimesTell() throws IOException {
        makeFiles("SIDE/%s.txt");
        String hiding = SurveyScripts.holdout(60, 2, "");
        assertThat(hiding).contains("COPIED = 256 << 20");
        Execution hid =
                run(strongest(), new RunScript(hiding.replace("COPIED = 256 << 20", "COPIED = 0"), Kind.HOLDOUT, 60));
        assertThat(Json.parse(hid.evaluation().stdout()).path("scheme").asText())
                .endsWith("; the time of a file tells hidden rows from those of the test, so do not learn from it");
    }

    private static FileTime modified(Path path) {
        return (FileTime) attribute(path, "lastModifiedTime");
    }

    private static Object attribute(Path path, String name) {
        try {
            return Files.getAttribute(path, name);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
