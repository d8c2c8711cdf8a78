package io.mlestar.app.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Waiting;
import io.mlestar.adapter.grade.HoldoutFiles;
import io.mlestar.adapter.script.Sandboxes;
import io.mlestar.adapter.script.ScriptListener;
import io.mlestar.adapter.script.ScriptRunner;
import io.mlestar.core.step.Arithmetic.BlendPredictions;
import io.mlestar.core.step.Arithmetic.CombineFolds;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.Window;
import io.mlestar.core.survey.HoldoutReading.FoundHoldout;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.Validation;
import module java.base;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A `metric.py` that an agent wrote, in the sandbox, from its trials to the scores of scripts and
/// a blend. In place of pandas stands a module of the tests.
class WrittenMetricTest extends HeldOutDays {
    private static final Path PANDAS = Path.of("src/test/resources/metric/pandas.py");
    private static final String GOOD =
            """
                    def score(solution, submission, row_id_column_name, power=1):
                        weights = [float(value) for value in solution.column("x")]
                        wrong = [abs(float(a) - float(b)) ** power for a, b in zip(solution.column("y"), submission.column("y"))]
                        value = sum(w * weight for w, weight in zip(wrong, weights)) / sum(weights)
                        return value
                    """;

    @BeforeEach
    void noKnownMetric() {
        task("glory", true, "Be exact where x is large.", twoFolds());
    }

    private ScriptRunner runner() {
        return new ScriptRunner(Sandboxes.of(strongest()), InstantSource.system());
    }

    @Override
    HoldoutFiles harness() {
        return new HoldoutFiles(records.store(), STEP, context, () -> data, (program, files, longest) -> {
            Map<String, byte[]> all = new HashMap<>(files);
            try {
                all.put("pandas.py", Files.readAllBytes(PANDAS));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return runner().beside(program, all, longest);
        });
    }

    private Execution ran(RunScript script) {
        Instant end = Instant.now().plus(Waiting.MOST);
        return runner().run(script, data, new Window(end, end), ScriptListener.NONE, Optional.of(harness()));
    }

    private FoundHoldout hiddenHere() {
        return reading(ran(new RunScript(hiding(2), Kind.HOLDOUT, 60)));
    }

    private Execution tried(String metric, FoundHoldout rows, int seconds) {
        return ran(new RunScript(metric, Kind.METRIC, seconds, rows.holdout().digest(), 0, null, null));
    }

    @Test
    void itScoresScriptsAndBlends() throws IOException {
        FoundHoldout rows = hiddenHere();
        assertThat(rows.reason()).contains("cannot compute glory where a lower one is better");
        assertThat(rows.frames()).startsWith("solution:\nid,y\n").contains("submission:\nid,y\n",
                "further columns of solution, if metric.py names them in quotes:\n").containsPattern("day,x|x,day");

        Execution taken = tried(GOOD, rows, 60);
        assertThat(taken).as(taken.toString()).isInstanceOf(Execution.Silent.class);
        FoundHoldout measured = (FoundHoldout) rows.measured(new Outcome.Done<>(taken), "");
        assertThat(measured.holdout().digest()).isNotEqualTo(rows.holdout().digest());
        assertThat(measured.holdout().foldRows()).isEqualTo(rows.holdout().foldRows());
        assertThat(text("runs/r/holdout/" + measured.holdout().digest() + "/metric.py")).isEqualTo(GOOD);
        hidden(measured.holdout());

        String exact = all(0);
        String wrong = all(1);
        assertThat(harness().compute(new BlendPredictions(List.of(exact, wrong), context.hiddenRows(), true))
                .validation().search()).isZero();
    }

    /// The predictions of a script for all folds that are wrong by so much.
    private String all(double by) throws IOException {
        List<String> kept = new ArrayList<>();
        for (int fold = 0; fold < 2; fold++) {
            Path view = Files.createTempDirectory(folder, "view");
            harness().show(view, "fold" + fold);
            Map<String, String> x = new HashMap<>();
            List<String> test = Files.readAllLines(view.resolve("test.csv"));
            int at = List.of(test.getFirst().split(",")).indexOf("x");
            test.stream().skip(1).map(line -> line.split(",")).forEach(line -> x.put(line[0], line[at]));
            StringBuilder predicted = new StringBuilder("id,y\n");
            x.forEach((id, value) -> predicted.append(id).append(',').append(Double.parseDouble(value) + 1 + by)
                    .append('\n'));
            Score score = harness().validate(Files.writeString(folder.resolve("submission.csv"), predicted), fold);
            assertThat(score.value()).isEqualTo(fold == 0 ? by : null);
            kept.add(score.trusted().predictions());
        }
        Validation all = harness().compute(new CombineFolds(kept, context.hiddenRows())).validation();
        assertThat(all.search()).isEqualTo(by);
        assertThat(all.select()).isEqualTo(by);
        return all.predictions();
    }

    @Test
    void whatBreaksTheContractIsRefused() {
        FoundHoldout rows = hiddenHere();
        """
                def score(   | def scores(                                                     | metric.py must have the function score(
                return value | return -value                                                   | but of this task a lower score is better
                return value | return float("nan")                                             | metric.py says the score is nan
                return value | import socket; socket.create_connection(("127.0.0.1", 9), 5)    | metric.py says
                return value | import urllib.request; urllib.request.urlopen("http://1.1.1.1") | metric.py says URLError
                return value | open("input/metric.py", "w").write("")                          | metric.py says
                return value | return open("/etc/shadow").read()                               | metric.py says
                """
                .lines().map(row -> row.split(" *\\| ")).forEach(row -> assertThat(
                        ((Execution.Failed) tried(GOOD.replace(row[0], row[1]), rows, 60)).error()).as(row[1])
                        .startsWith("MetricError: ").contains(row[2]));
        assertThat(((Execution.Failed) tried(GOOD.replace("return value", "while True: pass"), rows, 3)).error())
                .isEqualTo("MetricError: it took more than 3 seconds");
    }
}
