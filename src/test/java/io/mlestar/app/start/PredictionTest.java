package io.mlestar.app.start;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.bucket.DataSets;
import io.mlestar.adapter.script.Sandboxes;
import io.mlestar.adapter.script.ScriptRunner;
import io.mlestar.adapter.script.isolation.Isolation;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.phase.WrittenBlend;
import io.mlestar.core.records.Records;
import io.mlestar.core.result.RunFiles;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.task.Results.FinalResult;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import module java.base;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The final solution of a run on new rows, with real scripts.
@Timeout(300)
class PredictionTest {
    private static final String SUMS = """
            import csv
            with open('input/train.csv') as file:
                known = sum(int(row['y']) for row in csv.DictReader(file))
            with open('input/test.csv') as file, open('final/submission.csv', 'w') as out:
                out.write('id,y\\n')
                for row in csv.DictReader(file):
                    out.write('%s,%d\\n' % (row['id'], FACTOR * (known + int(row['x']))))
            """;

    @TempDir
    private Path folder;
    private Path data;
    private final Records records =
            DrivenRun.start(new MemoryStore(), "r", "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 1}", 0)
                    .untilTheEnd().records();
    private final ScriptRunner runner =
            new ScriptRunner(Sandboxes.of(Isolation.strongest(Sandboxes.PYTHON)), InstantSource.system());

    @BeforeEach
    void prepare() throws IOException {
        data = Files.createDirectories(folder.resolve("data"));
        Files.writeString(data.resolve("train.csv"), "id,x,y\n1,1,10\n2,2,20\n");
        Files.writeString(data.resolve("test.csv"), "id,x\n3,3\n4,4\n");
        Files.writeString(data.resolve("sample_submission.csv"), "id,y\n3,0\n4,0\n");
        Files.writeString(folder.resolve("new.csv"), "id,x\n70,7\n60,6\n50,5\n");
    }

    /// A run that ended with this script.
    private FinalResult ended(String script) {
        ObjectNode result = (ObjectNode) Json.tree(RunFiles.result(records, "r").orElseThrow());
        result.set("final_solution", Json.tree(SolutionScript.unscored(script, SolutionPhase.FINAL)));
        result.set("task", Json.tree(RunFiles.result(records, "r").orElseThrow().task().withDataDir(data.toString())));
        return Json.read(result, FinalResult.class);
    }

    private Prediction.Question asked(String script) {
        return Prediction.Question.of(records, new DataSets(Map.of()), ended(script), folder.resolve("new.csv"));
    }

    private String text(Prediction prediction) {
        return new String(records.store().read(prediction.submission()).orElseThrow(), StandardCharsets.UTF_8);
    }

    @Test
    void itTrainsOnAllDataAndPredictsTheNewRowsOnce() throws IOException {
        String script = SUMS.replace("FACTOR", "1");
        Prediction made = asked(script).answer(runner);

        assertThat(text(made)).isEqualTo("id,y\n70,37\n60,36\n50,35\n");
        assertThat(made.rows()).isEqualTo(3);
        assertThat(asked(script).known()).contains(made);
        assertThat(asked(SUMS.replace("FACTOR", "2")).known()).as("another script").isEmpty();

        Files.writeString(data.resolve("train.csv"), "id,x,y\n1,1,10\n2,2,21\n");
        assertThat(asked(script).known()).as("other data").isEmpty();
        Files.writeString(data.resolve("train.csv"), "id,x,y\n1,1,10\n2,2,20\n");
        Files.writeString(folder.resolve("new.csv"), "id,x\n70,7\n");
        assertThat(asked(script).known()).as("other rows").isEmpty();
    }

    @Test
    void aBlendTrainsItsMembersAndSaysWhichItLeftOut() {
        Prediction made = asked(
                WrittenBlend.of(SUMS.replace("FACTOR", "1"), "raise ValueError('no')\n", SUMS.replace("FACTOR", "3")))
                .answer(runner);

        assertThat(text(made)).isEqualTo("id,y\n70,74.0\n60,72.0\n50,70.0\n");
        assertThat(made.leftOut()).containsExactly("Left out of the blend: phase1/candidate0: ValueError: no");
    }

    @Test
    void aScriptThatFailsOrPredictsSomethingElseGivesNothing() {
        refusal(StepFailed.class, () -> asked("raise KeyError('x')\n").answer(runner))
                .isEqualTo("the final solution of run r gave no predictions: crashed: KeyError: 'x'");
        refusal(StepFailed.class, () -> asked("print(1)\n").answer(runner)).contains("was not created or is empty");
        refusal(StepFailed.class,
                () -> asked("open('final/submission.csv', 'w').write('id,y\\n3,1\\n4,1\\n')\n").answer(runner))
                .contains("not as sample_submission.csv", "ids are missing");
        assertThat(asked("print(1)\n").known()).isEmpty();
    }

    @Test
    void withoutTheDataNothingIsTrained() throws IOException {
        Files.move(data, folder.resolve("elsewhere"));
        refusal(() -> asked("")).contains("the data of run r, from which its final solution learns, are not in");
    }
}
