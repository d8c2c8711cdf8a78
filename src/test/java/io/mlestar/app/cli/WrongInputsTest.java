package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.store.FolderStore;
import module java.base;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/// The mistakes that people make, command by command: one line says so, in our own words, and
/// nothing is left behind.
class WrongInputsTest {
    private static final String CONFIG = "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 1}";
    private static final Pattern MACHINES_WORDS =
            Pattern.compile(
                    "\\b\\w+(Exception|Error)\\b|\\bat [a-z]+\\.[a-z]+\\.|picocli|java\\.|Optional\\[|@[0-9a-f]{6,}");

    @TempDir
    private static Path folder;

    @BeforeAll
    static void prepare() throws IOException {
        DrivenRun.start(new FolderStore(folder.resolve("kept")), "going", CONFIG, 0).until("phase1");
        DrivenRun.start(new FolderStore(folder.resolve("kept")), "ended", CONFIG, 0).untilTheEnd();
        Files.createDirectories(folder.resolve("empty"));
        String task = Files.readString(Program.MINI.resolve("task.yaml"));
        Map<String, String> files = Map.ofEntries(Map.entry("not-yaml", "competition_id: ["),
                Map.entry("list.yaml", "- a\n- b\n"),
                Map.entry("no-data.yaml", task + "data_dir: ./nowhere\n"),
                Map.entry("empty-data.yaml", task + "data_dir: ./empty\n"),
                Map.entry("store.yaml", task + "data_dir: ./kept\n"), Map.entry("above.yaml", task + "data_dir: .\n"),
                Map.entry("below.yaml", task + "data_dir: ./kept/runs/going\n"),
                Map.entry("extra.yaml", task + "colour: blue\n"), Map.entry("missing.yaml", "competition_id: x\n"),
                Map.entry("direction.yaml", task.replaceFirst("metric_direction: .*", "metric_direction: up")),
                Map.entry("nothing", ""),
                Map.entry("config.yaml", "outer_loop_step: 2\n"), Map.entry("types.yaml", "outer_loop_steps: many\n"),
                Map.entry("shares.yaml",
                        "phase_time_budget: {phase1: -0.9, phase2: 0.9, phase3: 0.1, finalization: 0.1}\n"),
                Map.entry("submission.csv", "id,y\n1,0\n"), Map.entry("plan.json", "{\"code\": 1}"),
                Map.entry("data.zip", "no zip"),
                Map.entry("wrong-way.yaml", task.replaceFirst("evaluation_metric: .*", "evaluation_metric: RMSE")
                        .replaceFirst("metric_direction: .*", "metric_direction: maximize")),
                Map.entry("labels.csv", "id,target\n7,1\n"), Map.entry("shop.task.yaml", task),
                Map.entry("shop/train.csv", "id,x,y\n1,2,0\n2,3,1\n"),
                Map.entry("shop/test.csv", "id,x\n3,2\n"), Map.entry("blank/train.csv", ""),
                Map.entry("header/train.csv", "id,x,y\n"),
                Map.entry("twice/train.csv", "id,x,x\n1,2,0\n2,3,1\n"), Map.entry("parquet/train.parquet", "PAR1"),
                Map.entry("excel/train.xlsx", "PK"),
                Map.entry("parquet/sample_submission.csv", "id,y\n1,0\n"),
                Map.entry("type.yaml", with(task, "task_type", "tabel")),
                Map.entry("modality.yaml", with(task, "data_modality", "video")),
                Map.entry("no-id.yaml", task.replaceFirst("competition_id: .*", "")),
                Map.entry("no-metric.yaml", with(task, "evaluation_metric", "")),
                Map.entry("no-text.yaml", task.replaceFirst("description: .*", "")),
                Map.entry("data-file.yaml", task + "data_dir: ./labels.csv\n"),
                Map.entry("data-list.yaml", task + "data_dir: [a]\n"),
                Map.entry("data-s3.yaml", task + "data_dir: s3://\n"),
                Map.entry("tab.yaml", task + "\tdata_dir: x\n"), Map.entry("camel.yaml", task + "dataDir: x\n"),
                Map.entry("text.md", "Predict y."),
                Map.entry("two/a.csv", "id,x,y\n1,2,0\n2,3,1\n"), Map.entry("two/b.csv", "id,x,y\n1,2,0\n2,3,1\n"),
                Map.entry("words/train.csv", "no table\n"), Map.entry("test-only/test.csv", "id,x\n3,2\n"));
        for (String folders : List.of("shop", "blank", "header", "twice", "parquet", "excel", "two", "words",
                "test-only")) {
            Files.createDirectories(folder.resolve(folders));
        }
        Files.createDirectories(folder.resolve("unopened"));
        Files.write(folder.resolve("unopened/data.zip"), new byte[] {1, 2, 3});
        Files.write(folder.resolve("latin.txt"), "Die Größe".getBytes(StandardCharsets.ISO_8859_1));
        for (Map.Entry<String, String> file : files.entrySet()) {
            Files.writeString(folder.resolve(file.getKey()), file.getValue());
        }
    }

    /// In `arguments`, `T/` is a folder with what was prepared, `MINI` a task, `ANSWERS` a model,
    /// `KEPT` and `NONE` stores, `''` an empty word and `_` a space.
    @ParameterizedTest
    @CsvFileSource(resources = "/wrong-inputs.csv", delimiter = '|', quoteCharacter = '`', numLinesToSkip = 1)
    @Requirement({"REQ-OR-002", "REQ-OR-029", "REQ-OR-046"})
    void oneLineSaysWhatIsWrongAndNothingIsLeftBehind(String arguments, int exitCode, String said) throws IOException {
        String[] words = Stream.of(arguments.split(" +"))
                .map(word -> word.equals("''") ? ""
                        : word.replace("MINI", Program.MINI + "/task.yaml")
                                .replace("ANSWERS", Program.ANSWERS)
                                .replace("KEPT", folder.resolve("kept").toString())
                                .replace("NONE", folder.resolve("none").toString())
                                .replace("T/", folder + "/").replace('_', ' ').replace("%5F", "_"))
                .toArray(String[]::new);
        Map<String, Long> before = there();
        Typed typed = Typed.run(words);
        String line = typed.err().strip();
        assertThat(line).startsWith("mlestar: ").hasLineCount(1).contains(said).doesNotContainPattern(MACHINES_WORDS);
        assertThat(typed.exitCode()).as(line).isEqualTo(exitCode);
        assertThat(typed.out()).isEmpty();
        assertThat(there()).isEqualTo(before);
    }

    private static String with(String task, String field, String value) {
        return task.replaceFirst(field + ": .*", field + ": \"" + value + "\"");
    }

    /// Every file, with when it was changed.
    private static Map<String, Long> there() throws IOException {
        Map<String, Long> all = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.toList()) {
                all.put(file.toString(), Files.isDirectory(file) ? 0 : Files.getLastModifiedTime(file).toMillis());
            }
        }
        return all;
    }
}
