package io.mlestar.adapter.grade;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import de.siegmar.fastcsv.writer.CsvWriter;
import io.mlestar.adapter.grade.Grading.Calculation;
import io.mlestar.adapter.grade.Grading.Scorer;
import io.mlestar.adapter.grade.Metrics.WeightedScore;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.RunContexts;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.Blend.How;
import io.mlestar.core.step.Facts;
import io.mlestar.core.task.TaskDescription;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A task's own metric: a Python file with the function `score(solution, submission,
/// row_id_column_name)`, as Kaggle publishes metrics. All scores that are asked for at once come
/// from one process in the sandbox.
///
/// @param source of the file
/// @param runner where it runs
public record MetricProgram(String source, Runner runner) {
    /// Name of the file, in the task's data or beside them.
    public static final String FILE = TaskProgram.METRIC.file();
    private static final String ANSWER = "SCORES ";
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final int FRAME_ROWS = 5;
    private static final int FRAME_LENGTH = 3_000;
    private static final int MOST_CLASSES = 50;

    /// Runs a program in the sandbox, without the network.
    public interface Runner {
        /// @param files that it finds in `input`
        /// @param longest that it may take
        /// @return what it printed
        /// @throws Invalid with the reason if it failed
        String run(String program, Map<String, byte[]> files, Duration longest);

        /// The same that allows no more than so much.
        default Runner within(Duration most) {
            return (program, files, longest) -> run(program, files,
                    longest.compareTo(most) < 0 ? longest : most);
        }
    }

    /// @param seconds that the last of them took
    private record GivenScores(List<Object> scores, double seconds) {
        double score(int question) {
            return scores.get(question) instanceof Double score ? score : Double.NaN;
        }

        double sure(int question) {
            if (scores.get(question) instanceof Double score) {
                return score;
            }
            throw new Invalid(
                    FILE + " says " + Excerpt.line(String.valueOf(scores.get(question)), 300));
        }
    }

    /// The metric of a task: beside its data, or among them.
    public static Optional<String> find(Path data) {
        return TaskProgram.METRIC.find(data);
    }

    /// The program that scored the scripts of a run; empty if none did, or no rows were hidden. An
    /// agent may have written it.
    public static Optional<String> ofRun(Records records, String run) {
        return RunContexts.facts(records, run)
                .map(Facts::holdout)
                .flatMap(holdout -> new KeptHoldout(records.store(), KeptHoldout.folder(run),
                        holdout).metricProgram());
    }

    /// @param areLabels whether labels are predicted, not numbers
    Metric metric(TaskDescription task, boolean areLabels) {
        How blend = areLabels ? How.VOTE : How.MEAN;
        Calculation calculation = grading -> new ProgramScorer(this, grading);
        return Metric.ofProgram(task.evaluationMetric(), task.metricDirection(), blend,
                calculation);
    }

    /// True if these are labels of a few classes, which have no mean.
    static boolean areLabels(List<Table> predictions) {
        Set<String> values = predictions.stream()
                .flatMap(given -> given.rows()
                        .values()
                        .stream()
                        .flatMap(row -> IntStream.range(given.firstValue(), row.getFieldCount())
                                .mapToObj(column -> given.label(row, column))))
                .collect(Collectors.toSet());
        return values.size() <= MOST_CLASSES
                && values.stream()
                        .mapToDouble(Submissions::number)
                        .allMatch(value -> Double.isNaN(value) || value == Math.rint(value));
    }

    /// Scores predictions for certain rows.
    record ProgramScorer(MetricProgram program, Grading grading) implements Scorer {
        /// Seconds that one score takes, after a first one.
        double seconds(Predictions predicted) {
            return program.ask(grading, List.of(predicted),
                    Collections.nCopies(2, onAllRows(0))).seconds;
        }

        @Override
        public WeightedScore apply(Predictions predicted) {
            return new WeightedScore() {
                @Override
                public double score(double[] weights) {
                    return program.ask(grading, List.of(predicted), List.of(asked(0, weights)))
                            .sure(0);
                }

                @Override
                public double[] scores(List<double[]> weights) {
                    GivenScores answers = program.ask(grading, List.of(predicted),
                            weights.stream().map(each -> asked(0, each)).toList());
                    return IntStream.range(0, weights.size()).mapToDouble(answers::score).toArray();
                }
            };
        }

        @Override
        public double[] each(List<Predictions> many, double[] weights) {
            List<ObjectNode> asked =
                    IntStream.range(0, many.size())
                            .mapToObj(number -> asked(number, weights))
                            .toList();
            GivenScores answers = program.ask(grading, many, asked);
            return IntStream.range(0, many.size()).mapToDouble(answers::score).toArray();
        }

        /// A row of weight 2 is there twice.
        private static ObjectNode asked(int submission, double[] weights) {
            ObjectNode question = onAllRows(submission);
            if (Arrays.stream(weights).anyMatch(weight -> weight != 1)) {
                ArrayNode rows = question.putArray("rows");
                IntStream.range(0, weights.length)
                        .flatMap(row -> IntStream.range(0, (int) weights[row]).map(_ -> row))
                        .forEach(rows::add);
            }
            return question;
        }

        private static ObjectNode onAllRows(int submission) {
            return Json.object().put("submission", submission);
        }
    }

    private GivenScores ask(
            Grading grading,
            List<Predictions> predicted,
            List<ObjectNode> questions) {
        Map<String, byte[]> files = new LinkedHashMap<>();
        files.put(FILE, source.getBytes(StandardCharsets.UTF_8));
        files.put("kaggle_metric_utilities.py",
                resource("kaggle_metric_utilities.py").getBytes(StandardCharsets.UTF_8));
        String id = grading.labels().header().getFirst();
        files.put("solution.csv", csv(grading, grading.solution()));
        for (int number = 0; number < predicted.size(); number++) {
            files.put("submission" + number + ".csv",
                    csv(grading, columns(grading, predicted.get(number))));
        }
        files.put("questions.json",
                Json.line(Map.of("id", id, "submissions", predicted.size(), "questions", questions))
                        .getBytes(StandardCharsets.UTF_8));
        return answers(runner.run(resource("score.py"), files, LONGEST), questions.size());
    }

    private static GivenScores answers(String printed, int count) {
        String last = printed.lines()
                .filter(line -> line.startsWith(ANSWER))
                .reduce((_, line) -> line)
                .orElseThrow(() -> new Invalid(FILE + " ended without a score"));
        JsonNode said = Json.parse(last.substring(ANSWER.length()));
        List<Object> scores = new ArrayList<>();
        said.path("scores")
                .forEach(score -> scores
                        .add(score.isNumber() ? (Object) score.doubleValue() : score.asText()));
        if (scores.size() != count) {
            throw new Invalid(FILE + " ended without all scores");
        }
        return new GivenScores(scores, said.path("seconds").doubleValue());
    }

    /// The first lines of both frames, as CSV.
    static String frames(Grading grading, Predictions predicted) {
        return "solution:\n" + head(csv(grading, grading.solution())) + "\n\nsubmission:\n"
                + head(csv(grading, columns(grading, predicted)));
    }

    private static String head(byte[] csv) {
        String lines =
                new String(csv, StandardCharsets.UTF_8).lines()
                        .limit(1 + FRAME_ROWS)
                        .collect(Collectors.joining("\n"));
        return Excerpt.clip(lines.replace('`', '\''), FRAME_LENGTH);
    }

    private static Map<String, String[]> columns(Grading grading, Predictions predicted) {
        Map<String, String[]> columns = new LinkedHashMap<>();
        for (int column = 0; column < grading.columns().size(); column++) {
            columns.put(grading.columns().get(column), predicted.texts(column));
        }
        return columns;
    }

    private static byte[] csv(Grading grading, Map<String, String[]> columns) {
        String id = grading.labels().header().getFirst();
        List<String> ids = grading.truth().stream().map(row -> row.getField(0).strip()).toList();
        StringWriter text = new StringWriter();
        CsvWriter writer = CsvWriter.builder().bufferSize(0).build(text);
        writer.writeRecord(Stream.concat(Stream.of(id), columns.keySet().stream()).toList());
        for (int row = 0; row < ids.size(); row++) {
            int at = row;
            writer.writeRecord(Stream.concat(Stream.of(ids.get(row)),
                    columns.values().stream().map(column -> column[at])).toList());
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String resource(String name) {
        try (InputStream in =
                Objects.requireNonNull(MetricProgram.class.getResourceAsStream("/metric/" + name),
                        name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
