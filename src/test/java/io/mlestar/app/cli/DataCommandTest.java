package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.app.start.StainedPages;
import io.mlestar.core.agent.CardFolder;
import io.mlestar.core.base.Json;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The output about data and hidden rows before any run.
class DataCommandTest {
    @TempDir
    private Path folder;

    private String said(String... words) {
        return Typed.run(words).wellEnded();
    }

    private String planned() {
        String task = folder.resolve("task.yaml").toString();
        return Json.parse(said("plan", "--task", task, "--preset", "strong", "--json")).path("scores").asText();
    }

    @Test
    void aSplitBesideTheDataIsKnownAndTried() throws Exception {
        String data = StainedPages.in(folder).data().toString();
        Files.writeString(folder.resolve("task.yaml"), """
                competition_id: pages
                task_type: regression
                data_modality: image
                evaluation_metric: RMSE
                metric_direction: minimize
                description: Clean them.
                data_dir: input
                """);
        assertThat(planned()).contains("since no rows could be hidden: there is no table for training");
        assertThat(Typed.run("data", "form", data).exitCode()).isEqualTo(2);
        Files.copy(StainedPages.SPLIT, folder.resolve("split.py"));

        assertThat(planned()).startsWith("scores are computed from hidden rows: 60 for the search in ")
                .contains("by split.py: 40 examples of 40");
        assertThat(said("data", "form", data).lines())
                .contains("hidden rows: by split.py, whatever the form is; `mlestar plan` checks it");
        assertThat(Json.parse(said("data", "form", data, "--json")).path("split").asBoolean()).isTrue();
    }

    @Test
    void theCardSaysHowTheTestDiffers() throws Exception {
        CardFolder data = CardFolder.in(folder)
                .with("train.csv",
                        "id,x,z,y\n" + CardFolder.rows(1, 400, i -> i + "," + i * 37 % 101 + "," + i % 7 + "," + i % 2))
                .with("test.csv",
                        "id,x,z\n" + CardFolder.rows(401, 600, i -> i + "," + (50 + i * 37 % 51) + "," + i % 7))
                .with("sample_submission.csv", "id,y\n" + CardFolder.rows(401, 600, i -> i + ",0"));

        List<String> card = said("data", "card", data.data().toString()).lines().toList();

        assertThat(card).filteredOn(line -> line.contains("can be told from those of training")).singleElement()
                .asString().startsWith("Test and training: rows of \"test.csv\" can be told from those of training in ")
                .contains("most by \"x\"");
    }
}
