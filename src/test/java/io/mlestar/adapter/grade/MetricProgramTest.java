package io.mlestar.adapter.grade;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mlestar.adapter.grade.HiddenRows.Draws;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.engine.World;
import io.mlestar.core.step.TableFormat;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.core.task.Validation;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A metric.py, run by Python with a module in place of pandas that knows as much of it as these
/// metrics use.
class MetricProgramTest {
    private static final Path PANDAS = Path.of("src/test/resources/metric/pandas.py");
    private static final String MAE =
            """
                    from kaggle_metric_utilities import ParticipantVisibleError
                    def score(solution, submission, row_id_column_name, power=1):
                        print("looking at", len(solution))
                        if solution.column(row_id_column_name) != submission.column(row_id_column_name): raise ValueError("other rows")
                        given = [float(value) for value in submission.column("y")]
                        if min(given) < 0: raise ParticipantVisibleError("negative")
                        return sum(abs(float(a) - b) ** power for a, b in zip(solution.column("y"), given)) / len(given)
                    """;
    private static final int ROWS = 400;

    @TempDir
    private Path folder;

    private final AtomicInteger runs = new AtomicInteger();

    private String run(String program, Map<String, byte[]> files, Duration longest) {
        try {
            Path place = Files.createDirectories(folder.resolve("run" + runs.incrementAndGet()).resolve("input"))
                    .getParent();
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                Files.write(place.resolve("input").resolve(file.getKey()), file.getValue());
            }
            Files.copy(PANDAS, place.resolve("input/pandas.py"));
            Files.writeString(place.resolve("program.py"), program);
            Process process = new ProcessBuilder("python3", "program.py").directory(place.toFile())
                    .redirectError(place.resolve("err").toFile()).start();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new Invalid(Files.readString(place.resolve("err")).strip().lines().reduce("", (_, line) -> line));
            }
            return printed;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private HiddenLabels labels(String source, int draws) {
        return HiddenLabels.of(truth(), TableFormat.USUAL,
                new MetricProgram(source, this::run).metric(task("data"), false), new Draws(draws, true), "d1",
                OptionalInt.of(0));
    }

    private static TaskDescription task(String data) {
        TaskDescription made = World.header("r", "{}").task();
        return new TaskDescription("t", made.taskType(), made.dataModality(), "glory", MetricDirection.MINIMIZE, "d",
                data, null);
    }

    private static byte[] truth() {
        return IntStream.range(0, ROWS)
                .mapToObj(i -> "r" + i + "," + i % 7 + "," + i + "," + (i % 2 == 0 ? "0" : "select"))
                .collect(Collectors.joining("\n", "id,y,group,part\n", "\n")).getBytes(StandardCharsets.UTF_8);
    }

    private static Table given(double more) {
        return Table.of("./final/submission.csv",
                IntStream.range(0, ROWS).mapToObj(i -> "r" + i + "," + (i % 7 + i % 3 * more))
                        .collect(Collectors.joining("\n", "id,y\n", "\n")).getBytes(StandardCharsets.UTF_8),
                1);
    }

    @Test
    void allScoresComeFromOneProcessAndAreThoseOfTheSameMetricByName() {
        Validation scored = labels(MAE, 50).validate(given(0.5), "key");
        HiddenLabels named = HiddenLabels.of(truth(), TableFormat.USUAL, "MAE", "d1", OptionalInt.of(0));
        Validation same = named.validate(given(0.5), "key");

        assertThat(runs).hasValue(1);
        assertThat(scored.search()).isCloseTo(same.search(), within(1e-9));
        assertThat(scored.select()).isCloseTo(same.select(), within(1e-9));
        assertThat(scored.searchDraws()).hasSize(50);
        assertThat(scored.searchError()).as("halves vary as resamples do").isBetween(0.7 * same.searchError(),
                1.4 * same.searchError());
    }

    @Test
    void blendIsFoundInAFewProcesses() {
        HiddenLabels labels = labels(MAE, 12);
        List<Table> members = List.of(given(0.2), given(-0.01), given(0.3));
        int before = runs.get();
        GreedyBlend.ValidatedBlend blended = GreedyBlend.of(labels, members.subList(0, 1), List.of("a"));
        assertThat(blended.validation().search()).isCloseTo(0.2, within(0.01));
        assertThat(GreedyBlend.of(labels, List.of(given(0.2), given(0.3)), List.of("a", "b")).validation().search())
                .isLessThan(0.21);
        assertThat(runs.get() - before).isLessThan(40);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            raise ParticipantVisibleError("no such class") | metric.py says ParticipantVisibleError: no such class
            return float("nan")                            | metric.py says the score is nan
            return None                                    | metric.py says TypeError
            return 1e160                                   | metric.py says the score is 1e+160
            return -1e308                                  | metric.py says the score is -1e+308
            """)
    void whatTheMetricSaysOfPredictionsIsForTheirAuthor(String body, String said) {
        String source =
                "from kaggle_metric_utilities import ParticipantVisibleError\ndef score(solution, submission, row_id_column_name):\n    "
                        + body + "\n";
        refusal(() -> labels(source, 6).validate(given(1), "key")).contains(said);
    }

    @Test
    void aProgramThatCannotRunSaysWhy() {
        refusal(() -> labels("import nothing_like_it\ndef score(a, b, c): return 1\n", 6).validate(given(1), "key"))
                .contains("nothing_like_it");
    }

    @Test
    void theFileLiesAmongTheDataOrBesideThem() throws IOException {
        Path data = Files.createDirectories(folder.resolve("task/input"));
        assertThat(MetricProgram.find(data)).isEmpty();
        Files.writeString(folder.resolve("task/metric.py"), MAE);
        assertThat(MetricProgram.find(data)).contains(MAE);
        Files.writeString(data.resolve("metric.py"), "x = 1\n");
        refusal(() -> MetricProgram.find(data)).contains("must have the function score(");
    }

    /// Lines that an agent may write, in place of the last one.
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "good",
            textBlock = """
                    return mae                                       | good
                    print("SCORES {}"); return mae                   | good
                    return -mae                                      | have the score -0.0 and those in a wrong order -2
                    return 1.0                                       | labels in a wrong order have the score of the right ones, 1.0
                    return float("nan")                              | metric.py says the score is nan
                    return "much"                                    | metric.py says ValueError
                    import random; return mae + random.random()      | the same labels have the score
                    times.append(1); return mae + len(times)         | the same labels have the score
                    import os; os._exit(0)                           | metric.py ended without a score
                    raise SystemExit                                 | metric.py ended without a score
                    """)
    void whatNobodyHasReadIsTried(String last, String refused) {
        String source = MAE.replace("return sum", "mae = sum") + "    " + last + "\ntimes = []\n";
        if (refused == null) {
            labels(source, 3).tryMetric(List.of("y"));
        } else {
            refusal(() -> labels(source, 3).tryMetric(List.of("y"))).contains(refused);
        }
    }
}
