package io.mlestar.app.start;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.Waiting;
import io.mlestar.adapter.bucket.DataSets;
import io.mlestar.adapter.script.DataViews;
import io.mlestar.adapter.script.MemoryPressure;
import io.mlestar.adapter.script.Sandboxes;
import io.mlestar.adapter.script.ScriptRunner;
import io.mlestar.adapter.script.isolation.Isolation;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.Harness;
import io.mlestar.core.engine.RunningOutputs;
import io.mlestar.core.engine.World;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Facts;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.Window;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.survey.HoldoutReading.FoundHoldout;
import io.mlestar.core.survey.HoldoutReading;
import io.mlestar.core.survey.SurveyScripts;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.TaskDescription;
import module java.base;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Data with rows that the harness hides: 1,000 rows of 100 days, y = x + 1, and a test of other
/// days.
@Timeout(300)
abstract class HeldOutDays {
    static final StepPath STEP = StepPath.parse("r/phase1/candidate0/evaluation/script");
    static final int ROWS = 1000;
    static final int TEST = 60;

    @TempDir
    Path folder;

    final DataViews views = new DataViews();
    final Records records = new Records(new MemoryStore());
    Path data;
    RunContext context;

    @BeforeEach
    void makeData() throws IOException {
        data = Files.createDirectories(folder.resolve("data"));
        StringBuilder train = new StringBuilder("id,day,x,y\n");
        IntStream.range(0, ROWS).forEach(i -> train.append(
                "%d,2024-%02d-%02d,%d.5,%d.5\n".formatted(i, 1 + i / 10 / 25, 1 + i / 10 % 25, i % 37, i % 37 + 1)));
        StringBuilder test = new StringBuilder("id,day,x\n");
        StringBuilder sample = new StringBuilder("id,y\n");
        IntStream.range(0, TEST)
                .forEach(i -> test.append("%d,2024-%02d-%02d,%d.5\n".formatted(5000 + i, 1 + i / 20, 26, i)));
        IntStream.range(0, TEST).forEach(i -> sample.append("%d,0\n".formatted(5000 + i)));
        Files.writeString(data.resolve("train.csv"), train);
        Files.writeString(data.resolve("test.csv"), test);
        Files.writeString(data.resolve("sample_submission.csv"), sample);
        Files.writeString(Files.createDirectory(data.resolve("more")).resolve("notes.txt"), "weather");
        task("RMSE", true, "d", Json.object());
    }

    /// Begins a task on the data.
    void task(String metric, boolean isMinimized, String description, JsonNode config) {
        TaskDescription made = World.header("r", "{}").task();
        TaskDescription task = new TaskDescription("t", made.taskType(), made.dataModality(), metric,
                isMinimized ? MetricDirection.MINIMIZE : MetricDirection.MAXIMIZE, description, data.toString(), null);
        context = new RunContext(task, PipelineConfig.resolve(config, Map.of("MLE_STAR_MODEL", "made:up")), "no GPU");
    }

    /// The settings of a strong run with two folds.
    static ObjectNode twoFolds() {
        return Json.object().put("search", "strong").put("folds", 2);
    }

    ScriptJob job(Isolation isolation) {
        return new ScriptJob(records, new DataSets(Map.of()),
                () -> new ScriptRunner(Sandboxes.of(isolation), InstantSource.system()), views,
                new MemoryPressure(folder), new RunningOutputs());
    }

    Execution run(Isolation isolation, RunScript script) {
        return run(STEP, isolation, script);
    }

    Execution run(StepPath step, Isolation isolation, RunScript script) {
        Instant end = Instant.now().plus(Waiting.MOST);
        return job(isolation).run(step, script, context, new Window(end, end), () -> 1);
    }

    /// A script that has nothing to do with hidden rows, behind the best wall.
    Execution run(String content, Kind kind) {
        return run(strongest(), new RunScript(content, kind, 60));
    }

    /// A script that is to be scored by the hidden rows.
    RunScript onHidden(String content, Kind kind, int fold) {
        return new RunScript(content, kind, 60, context.hiddenRows(), fold, null, null);
    }

    /// A solution that must be scored, by one fold.
    Execution.Scored scored(String content, int fold) {
        return scored(STEP, content, fold);
    }

    Execution.Scored scored(StepPath step, String content, int fold) {
        Execution ran = run(step, strongest(), onHidden(content, Kind.SOLUTION, fold));
        assertThat(ran).as(String.valueOf(ran)).isInstanceOf(Execution.Scored.class);
        return (Execution.Scored) ran;
    }

    Harness harness() {
        return job(strongest()).harness(STEP, context);
    }

    static FoundHoldout reading(Execution hid) {
        return (FoundHoldout) HoldoutReading.of(new Outcome.Done<>(hid));
    }

    void hide() {
        assertThat(hide(1)).contains("whole groups of one \\\"day\\\"", "\"rows\": [100], \"select\": 100");
    }

    /// The program that hides rows of the task's data.
    String hiding(int folds) {
        return cheap(SurveyScripts.holdout(60, folds, context.task().description()));
    }

    /// The same program; only guesses of the labels cost less.
    static String cheap(String hiding) {
        String slow = "\nGUESSING = 1000000 ";
        assertThat(hiding).contains(slow);
        return hiding.replace(slow, "\nGUESSING = 1 ");
    }

    String hide(int folds) {
        Execution hid = run(hiding(folds), Kind.HOLDOUT);
        hidden(reading(hid).holdout());
        return hid.evaluation().stdout();
    }

    void hidden(Holdout holdout) {
        context = new RunContext(context.task(), context.config(), "no GPU", Facts.NONE.hiding(holdout));
    }

    static Isolation strongest() {
        return Isolation.strongest(Sandboxes.PYTHON);
    }

    String text(String key) {
        return new String(records.store().read(key).orElseThrow(), StandardCharsets.UTF_8);
    }

    /// The JSON that a program of the tests prints.
    ///
    /// @param question what it is given on its standard input
    static JsonNode python(Path program, byte[] question, String... arguments)
            throws IOException, InterruptedException {
        Process python = new ProcessBuilder(
                Stream.concat(Stream.of("python3", program.toString()), Stream.of(arguments)).toList()).start();
        try (var to = python.getOutputStream()) {
            to.write(question);
        }
        String said = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(python.waitFor()).as(new String(python.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
                .isZero();
        return Json.parse(said);
    }

    /// The most rows in succession with the same value in the last column. In 120 hidden rows
    /// sorted by two classes some 60 are alike.
    static int longestRun(String table) {
        int longest = 0;
        int run = 0;
        String before = "";
        for (String line : table.lines().toList()) {
            String value = line.substring(line.lastIndexOf(',') + 1);
            run = value.equals(before) ? run + 1 : 1;
            longest = Math.max(longest, run);
            before = value;
        }
        return longest;
    }

    /// Each file is shown as the task has it or as the test's are called, and no others are shown.
    ///
    /// @param gone files that hidden examples have and the test has not
    void eachFileIsShownOnce(int gone) throws IOException {
        Path shown = job(strongest()).shown(STEP, context, Holdout.FIRST);
        List<Object> files = new ArrayList<>();
        try (Stream<Path> all = Files.walk(shown)) {
            for (Path file : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
                files.add(Files.readAttributes(file, BasicFileAttributes.class).fileKey());
            }
        }
        try (Stream<Path> all = Files.walk(data)) {
            assertThat(files).doesNotHaveDuplicates().hasSize((int) all.filter(Files::isRegularFile).count() - gone);
        }
    }
}
