package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.agent.CardFolder;
import io.mlestar.core.base.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// From downloaded data to a run.
class NewIT {
    private static final Map<String, String> TITANIC = Map.of(
            "train.csv",
            "PassengerId,Survived,Sex,Age\n" + CardFolder.rows(1, 60,
                    i -> i + "," + i % 2 + (i % 3 == 0 ? ",male," : ",female,") + i % 11 * 3.5),
            "test.csv", "PassengerId,Sex,Age\n" + CardFolder.rows(61, 80, i -> i + ",male," + i),
            "gender_submission.csv", "PassengerId,Survived\n" + CardFolder.rows(61, 80, i -> i + "," + i % 2));

    @TempDir
    private Path folder;

    private Program program;

    @BeforeEach
    void prepare() {
        program = new Program(folder).with("ANTHROPIC_API_KEY", "");
    }

    @Test
    void anUnpackedFolderBecomesATaskAndARunAndIsNeverOverwritten() throws Exception {
        Files.createDirectories(folder.resolve("titanic"));
        for (Map.Entry<String, String> file : TITANIC.entrySet()) {
            Files.writeString(folder.resolve("titanic").resolve(file.getKey()), file.getValue());
        }
        Program.Ended made = program.run("new", "titanic");
        assertThat(made.exitCode()).as(made.err()).isZero();
        assertThat(made.out()).contains("wrote      titanic.task.yaml",
                "target     Survived: gender_submission.csv has it, and test.csv lacks it",
                "metric     accuracy, maximize: a guess, ", "error    model      ANTHROPIC_API_KEY is not set",
                "mlestar run --task titanic.task.yaml --preset quick",
                "mlestar run --task titanic.task.yaml --preset strong");
        assertThat(made.out()).containsPattern("quick +9 +37 +\\$0\\.14").containsPattern("paper +147 +53 +\\$1\\.9");
        String written = Files.readString(folder.resolve("titanic.task.yaml"));
        assertThat(program.run("plan", "--task", "titanic.task.yaml", "--preset", "strong").out())
                .contains(
                        "Scores are computed from hidden rows: 51 for the search in 5 folds, 9 for the final choice; rows at random in 5 folds");

        Program.Ended ran = program.run("run", "--task", "titanic.task.yaml", "--set", "num_parallel_solutions=1",
                "--set", "outer_loop_steps=1",
                "--model", "recorded:" + Program.MINI + "/answers", "--run-id", "first", "--json");
        assertThat(ran.exitCode()).as("the recorded answers write another form: %s", ran.err()).isEqualTo(1);
        JsonNode result = Json.parse(ran.out());
        assertThat(result.path("submission_failure").asText()).contains("not as gender_submission.csv");
        assertThat(result.path("task").path("evaluation_metric").asText()).isEqualTo("accuracy");
        assertThat(result.path("config").path("num_parallel_solutions").asInt()).isEqualTo(1);

        Program.Ended again = program.run("new", "titanic", "--metric", "ROC-AUC");
        assertThat(again.exitCode()).isEqualTo(2);
        assertThat(again.err().strip()).hasLineCount(1)
                .endsWith("titanic.task.yaml already, and it is not overwritten; --out FILE writes another");
        assertThat(folder.resolve("titanic.task.yaml")).hasContent(written);
    }
}
