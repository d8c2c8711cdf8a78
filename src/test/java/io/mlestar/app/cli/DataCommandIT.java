package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.agent.CardFolder;
import io.mlestar.core.base.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is said of data and hidden rows before any run.
class DataCommandIT {
    private static final Path SPLIT = Path.of("src/test/resources/holdout/split-pages.py").toAbsolutePath();

    @TempDir
    private Path folder;

    private Program program;

    @BeforeEach
    void prepare() {
        program = new Program(folder).with("ANTHROPIC_API_KEY", "");
    }

    /// Stained pages, whose clean ones are the labels: no rule finds that.
    private void makePages() throws IOException {
        StringBuilder sample = new StringBuilder("id,value\n");
        CardFolder data = CardFolder.in(folder);
        for (int page = 0; page < 40; page++) {
            data.with("train/" + (100 + page) + ".pgm", "P2 1 1 1 0 0 stained " + page % 3)
                    .with("train_cleaned/" + (100 + page) + ".pgm", "P2 1 1 1 " + page * 37 % 41 + " " + page * 11 % 13)
                    .with("test/" + page + ".pgm", "P2 1 1 1 0 0 stained " + page % 3);
            sample.append("%d_0,1\n%d_1,1\n".formatted(page, page));
        }
        data.with("sampleSubmission.csv", sample.toString());
        Files.writeString(folder.resolve("task.yaml"), """
                competition_id: pages
                task_type: regression
                data_modality: image
                evaluation_metric: RMSE
                metric_direction: minimize
                description: Clean them.
                data_dir: input
                """);
    }

    private String planned() throws IOException, InterruptedException {
        Program.Ended ended = program.run("plan", "--task", "task.yaml", "--preset", "strong", "--json");
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        return Json.parse(ended.out()).path("scores").asText();
    }

    @Test
    void aSplitBesideTheDataIsKnownAndTried() throws Exception {
        makePages();
        assertThat(planned()).contains("since no rows could be hidden: there is no table for training");
        assertThat(program.run("data", "form", "input").exitCode()).isEqualTo(2);
        Files.copy(SPLIT, folder.resolve("split.py"));

        assertThat(planned()).startsWith("scores are computed from hidden rows: 60 for the search in ")
                .contains("by split.py: 40 examples of 40");
        Program.Ended form = program.run("data", "form", "input");
        assertThat(form.exitCode()).as(form.err()).isZero();
        assertThat(form.out().lines())
                .contains("hidden rows: by split.py, whatever the form is; `mlestar plan` checks it");
        assertThat(Json.parse(program.run("data", "form", "input", "--json").out()).path("split").asBoolean()).isTrue();
    }

    @Test
    void theCardSaysHowTheTestDiffers() throws Exception {
        CardFolder.in(folder)
                .with("train.csv",
                        "id,x,z,y\n" + CardFolder.rows(1, 400, i -> i + "," + i * 37 % 101 + "," + i % 7 + "," + i % 2))
                .with("test.csv",
                        "id,x,z\n" + CardFolder.rows(401, 600, i -> i + "," + (50 + i * 37 % 51) + "," + i % 7))
                .with("sample_submission.csv", "id,y\n" + CardFolder.rows(401, 600, i -> i + ",0"));

        List<String> card = program.run("data", "card", "input").out().lines().toList();

        assertThat(card).filteredOn(line -> line.contains("can be told from those of training")).singleElement()
                .asString().startsWith("Test and training: rows of \"test.csv\" can be told from those of training in ")
                .contains("most by \"x\"");
    }
}
