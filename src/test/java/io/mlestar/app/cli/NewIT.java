package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Subprocess;
import io.mlestar.core.agent.CardFolder;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.steering.Notes;
import io.mlestar.core.store.FolderStore;
import module java.base;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// From downloaded data to a run.
class NewIT {
    private static final Map<String, String> TITANIC = Map.of(
            "train.csv",
            "PassengerId,Survived,Sex,Age\n" + CardFolder.rows(1, 60,
                    i -> i + "," + i % 2 + (i % 3 == 0 ? ",male," : ",female,") + i % 11 * 3.5),
            "test.csv", "PassengerId,Sex,Age\n" + CardFolder.rows(61, 80, i -> i + ",male," + i),
            "gender_submission.csv", "PassengerId,Survived\n" + CardFolder.rows(61, 80, i -> i + "," + i % 2));

    /// Words beyond ASCII in arguments, folders and archives, whatever the locale. A shell script
    /// writes them: the JVM of this test may itself have a locale that cannot.
    private static final String COMMANDS =
            """
                    set -e
                    mkdir 'données été'
                    printf 'id,größe,b\\n' > 'données été/train.csv'
                    for i in $(seq 40); do echo "$i,$i.5,$((i % 7))" >> 'données été/train.csv'; done
                    printf 'id,b\\n41,3\\n42,4\\n' > 'données été/test.csv'
                    python3 -c 'import zipfile; zipfile.ZipFile("archive.zip", "w").write("données été/train.csv", "été/train.csv")'
                    mlestar new 'données été' --target größe --metric MAE --description 'Die Größe ist gesucht' --out folder.yaml --yes > said
                    mlestar new archive.zip --target größe --metric MAE --description 'Die Größe' --json > archive.json
                    mlestar tell going 'Größe zählt' --by Jürgen > told
                    ls archive/input > unpacked
                    """;

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
        assertThat(Typed.run("plan", "--task", folder.resolve("titanic.task.yaml").toString(), "--preset", "strong")
                .wellEnded())
                .contains(
                        "Scores are computed from hidden rows: 51 for the search in 5 folds, 9 for the final choice; rows at random in 5 folds");

        Program.Ended ran = program.run("run", "--task", "titanic.task.yaml", "--set", "num_parallel_solutions=1",
                "--set", "outer_loop_steps=1",
                "--model", Program.ANSWERS, "--run-id", "first", "--json");
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

    @ParameterizedTest
    @ValueSource(strings = {"LC_ALL=POSIX", "LANG=xx_XX.UTF-8"})
    void wordsBeyondAsciiAreKeptInAnyLocale(String variable) throws Exception {
        DrivenRun.start(new FolderStore(folder.resolve("store")), "going", "{}", 0).until("phase1");
        Files.writeString(folder.resolve("commands"), COMMANDS.replaceAll("(?m)^mlestar", Program.COMMAND.getFirst()));
        Subprocess.run(folder, Map.of("MLE_STAR_STORE", folder.resolve("store").toString()), "env", "-u", "LANG", "-u",
                "LC_ALL", "-u", "LC_CTYPE", variable, "sh", "commands").wellEnded();
        assertThat(folder.resolve("folder.yaml")).content().contains("data_dir: ./données été", "Die Größe ist gesucht",
                "# target: größe");
        assertThat(folder.resolve("said")).content().contains("target     größe: ");
        JsonNode archive = Json.parse(Files.readString(folder.resolve("archive.json")));
        assertThat(archive.path("why").path("data").asText()).startsWith("été/train.csv (40 rows");
        assertThat(folder.resolve("unpacked")).hasContent("été");
        assertThat(new Notes(new FolderStore(folder.resolve("store"))).of("going")).singleElement()
                .matches(note -> note.text().equals("Größe zählt") && note.by().equals("Jürgen"));
    }
}
