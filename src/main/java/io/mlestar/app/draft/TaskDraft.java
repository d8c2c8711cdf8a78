package io.mlestar.app.draft;

import io.mlestar.app.draft.DataShape.ColumnShape;
import io.mlestar.app.draft.DataShape.TableShape;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.survey.DataReading;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.show.grade.Metric;
import io.mlestar.show.render.Formats;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A task, with what each of its fields was told from.
///
/// @param task as it is written, with `data_dir` as the file names it
/// @param facts what was found or guessed: a word, and what is to be said of it
/// @param contradictions between the data, the metric and the description
/// @param isDescribed whether somebody has said by hand what the task is
public record TaskDraft(TaskDescription task, List<Told> facts, List<String> contradictions, boolean isDescribed) {
    private static final int SHOWN_COLUMNS = 40;
    private static final int SHOWN_TARGETS = 8;

    /// @param what e.g. `metric`
    public record Told(String what, String found) {}

    /// What the user says by hand; null where nothing.
    ///
    /// @param targets names of columns, with commas between
    public record Wishes(@Nullable String id, @Nullable String targets, @Nullable String metric, @Nullable MetricDirection direction,
            @Nullable String description) {}

    /// Answers what cannot be told from the data, or refuses to.
    public interface Questions {
        /// @param usual what is taken if the answer is empty; null if there is nothing
        String ask(String question, @Nullable String usual);
    }

    /// @param name of the folder
    /// @param dataDir as the task file names it
    /// @param questions empty if there is nobody to ask
    /// @throws Invalid naming what cannot be told
    public static TaskDraft of(DataShape data, String name, String dataDir, Wishes given, Optional<Questions> questions) {
        TableShape train = data.train();
        String said = given.description();
        ClassFolders classes = data.classes();
        if (classes != null && said == null) {
            classes.check();
        }
        if (train == null && classes == null && said == null) {
            throw new Invalid(data.tables().isEmpty()
                    ? (data.unread().isEmpty() ? "the data hold no table that tells what is to be predicted (csv, tsv, json or parquet)"
                            : data.unread().getFirst() + " cannot be read as a table; mlestar data card says why")
                            + "; or write the task file by hand, see docs/settings.md"
                    : "which table is the one for training cannot be told: " + String.join(", ", data.tables()) + "; call it train, e.g. train.csv");
        }
        TargetGuess target = target(data, train, given, questions);
        TaskGuess kind = classes != null ? classes.kind(data) : train == null || target.columns().isEmpty() ? TaskGuess.described(data)
                : TaskGuess.of(data, train, target.columns());
        Optional<DescribedMetric> read = said == null ? Optional.empty() : DescribedMetric.in(said);
        Optional<String> usual = read.map(DescribedMetric::name).or(() -> kind.metric().map(Metric::title));
        String metric = given.metric() != null ? given.metric()
                : questions.isPresent() ? questions.get().ask("By which metric are submissions scored?", usual.orElse(null))
                : usual.orElseThrow(() -> new Invalid("the metric cannot be told from the data" + (said == null ? "" : " or the description")
                        + "; say --metric NAME"));
        Optional<DescribedMetric> described = read.filter(found -> given.metric() == null && found.name().equals(metric));
        MetricDirection direction = described.filter(found -> given.direction() == null).map(DescribedMetric::direction)
                .orElseGet(() -> direction(metric, given, questions));
        boolean isGuessed = given.metric() == null && kind.metric().filter(known -> known.title().equals(metric)).isPresent();
        String why =
                described.map(found -> "the description says \"" + found.sentence() + "\"").orElse(isGuessed ? "a guess, " + kind.metricWhy() : "as you said");
        String text = said != null ? said : classes != null ? classes.description(data, kind.modality(), metric, direction)
                : description(data, Objects.requireNonNull(train), target.columns(), metric, direction);
        TaskDescription task = new TaskDescription(given.id() == null ? id(name) : given.id(), kind.type(), kind.modality(), metric, direction, text,
                dataDir, TaskDescription.OUTPUT);
        List<Told> facts = List.of(new Told("data", files(data, train)),
                new Told("target", target.columns().isEmpty() ? target.why() : shown(target.columns(), SHOWN_TARGETS) + ": " + target.why()),
                new Told("type", word(kind.type()) + ": " + kind.typeWhy()), new Told("modality", word(kind.modality()) + ": " + kind.modalityWhy()),
                new Told("metric", metric + ", " + word(direction) + ": " + why));
        return new TaskDraft(task, facts, Contradictions.of(data, target.columns(), metric, read), said != null);
    }

    /// Without columns if they cannot be told, which only a description makes good for.
    private static TargetGuess target(DataShape data, @Nullable TableShape train, Wishes given, Optional<Questions> questions) {
        if (data.classes() != null) {
            return data.classes().target(given.targets());
        }
        if (train == null) {
            return TargetGuess.DESCRIBED;
        }
        if (given.targets() != null) {
            return TargetGuess.given(given.targets(), train);
        }
        TargetGuess guessed = TargetGuess.of(data, train);
        if (guessed.columns().isEmpty() && questions.isPresent()) {
            return TargetGuess.given(questions.get().ask("Which column is to be predicted (" + Formats.line(String.join(", ", guessed.candidates()), 200)
                    + ")?", guessed.candidates().size() == 1 ? guessed.candidates().getFirst() : null), train);
        }
        return guessed.columns().isEmpty() && given.description() != null ? TargetGuess.DESCRIBED : guessed.known();
    }

    private static MetricDirection direction(String metric, Wishes given, Optional<Questions> questions) {
        if (given.direction() != null) {
            return given.direction();
        }
        Optional<MetricDirection> known = TaskGuess.direction(metric);
        if (known.isEmpty() && questions.isPresent()) {
            return direction(questions.get().ask("Which scores of " + metric + " are better (maximize, minimize)?", null));
        }
        return known.orElseThrow(() -> new Invalid("whether a higher or a lower " + DataReading.plain(metric)
                + " is better is not known; say --direction maximize or --direction minimize"));
    }

    /// @throws Invalid if it is neither word
    public static MetricDirection direction(String word) {
        return switch (word.strip().toLowerCase(Locale.ROOT)) {
            case "maximize" -> MetricDirection.MAXIMIZE;
            case "minimize" -> MetricDirection.MINIMIZE;
            case String other -> throw new Invalid("the direction of a metric is maximize or minimize, not \"" + other + "\"");
        };
    }

    private static String id(String name) {
        String id = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
        return id.isEmpty() ? "task" : id;
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static String shown(List<String> names, int most) {
        return String.join(", ", names.subList(0, Math.min(most, names.size()))) + (names.size() > most ? " and " + (names.size() - most) + " more" : "");
    }

    private static String files(DataShape data, @Nullable TableShape train) {
        List<String> said = new ArrayList<>(List.of(data.classes() != null ? data.classes().facts() : train == null ? data.files() + " files"
                : train.path() + " (" + train.rows() + " rows, " + train.width() + " columns)"));
        if (data.test() != null) {
            said.add(data.test().path() + " (" + data.test().rows() + " rows)");
        }
        if (data.submission() != null) {
            said.add(data.submission().path());
        }
        return String.join(", ", said) + (data.complete() ? "" : "; there was no time to look at all of it");
    }

    private static String ticked(List<String> columns) {
        return columns.stream().limit(SHOWN_COLUMNS).map(name -> "`" + name + "`").collect(Collectors.joining(", "));
    }

    /// What can be said of a task without knowing what it is about.
    private static String description(DataShape data, TableShape train, List<String> targets, String metric, MetricDirection direction) {
        String which = ticked(targets);
        String where = data.test() != null ? "each row of `" + data.test().path() + "`"
                : data.submission() != null ? "each row of `" + data.submission().path() + "`" : "rows that are like those of `" + train.path() + "`";
        StringBuilder text = new StringBuilder("Predict " + which + " for " + where + ".\n\n## Metric\n\nSubmissions are evaluated by " + metric + ". "
                + (direction == MetricDirection.MAXIMIZE ? "Higher" : "Lower") + " is better.\n\n## Files\n\n");
        text.append("- `").append(train.path()).append("`: ").append(train.rows()).append(" rows, with the target.\n");
        if (data.test() != null) {
            text.append("- `").append(data.test().path()).append("`: ").append(data.test().rows()).append(" rows, without the target.\n");
        }
        if (data.submission() != null) {
            text.append("- `").append(data.submission().path()).append("`: a submission in the right format.\n");
        }
        if (data.images() + data.sounds() > 0) {
            text.append("- ").append(data.images() > 0 ? data.images() + " images" : data.sounds() + " sounds").append(".\n");
        }
        text.append("\n## Columns\n\nIn `").append(train.path()).append("`: ")
                .append(ticked(train.names()))
                .append(train.width() > SHOWN_COLUMNS ? " and " + (train.width() - SHOWN_COLUMNS) + " more" : "").append(".\n");
        text.append("\n## Submission\n\nA file `submission.csv` with ");
        if (data.submission() == null) {
            text.append("a header, and for each row of the test data its identifier and the prediction.\n");
        } else {
            text.append("the header and the ids of `").append(data.submission().path()).append("`, ").append(data.submission().rows()).append(" rows: ")
                    .append(ticked(data.submission().columns().stream().map(ColumnShape::name).toList()))
                    .append(".\n");
        }
        return text.toString();
    }

    /// The task file: YAML, with what each field was told from.
    public String yaml() {
        StringBuilder text = new StringBuilder("# Made by `mlestar new`. Look at what was guessed; every field is explained in docs/settings.md.\n");
        field(text, "competition_id", scalar(task.competitionId()), "", "");
        field(text, "task_type", word(task.taskType()), "target, type",
                "classification, regression, image_classification, text_classification, audio_classification, image_to_image, sequence_to_sequence, tabular");
        field(text, "data_modality", word(task.dataModality()), "modality", "tabular, image, text, audio or mixed");
        field(text, "evaluation_metric", scalar(task.evaluationMetric()), "metric", "");
        field(text, "metric_direction", word(task.metricDirection()), "", "maximize or minimize");
        field(text, "data_dir", scalar(task.dataDir()), "data", "scripts see all of it, and nothing else, as ./input");
        if (!isDescribed) {
            text.append("# The agents know no more of the task than this text and the data. Say what a colleague would have to be told: what a row is,\n");
            text.append("# what is known when a prediction is made, groups and dates, how to hold out; or put the text of the competition here.\n");
        }
        if (isBlock(task.description())) {
            text.append("description: |\n");
            task.description().lines().forEach(line -> text.append(line.isEmpty() ? "" : "  " + line).append('\n'));
        } else {
            text.append("description: ").append(Json.line(task.description())).append('\n');
        }
        return text.toString();
    }

    /// @param told names of the facts that it was told from
    /// @param note empty for none
    private void field(StringBuilder text, String field, String value, String told, String note) {
        List<String> names = List.of(told.split(", ", -1));
        facts.stream().filter(fact -> names.contains(fact.what()))
                .forEach(fact -> text.append("# ").append(fact.what()).append(": ").append(DataReading.plain(fact.found())).append('\n'));
        text.append(field).append(": ").append(value).append(note.isEmpty() ? "" : "  # " + note).append('\n');
    }

    /// Whether a block of YAML says a text exactly.
    private static boolean isBlock(String text) {
        return text.endsWith("\n") && !text.endsWith("\n\n") && !text.startsWith("\n") && !text.startsWith(" ") && text.indexOf('\r') < 0
                && text.lines().allMatch(line -> line.chars().allMatch(TaskDraft::isPlain) && line.equals(line.stripTrailing()));
    }

    /// Of a block of YAML: what it takes as it is.
    private static boolean isPlain(int c) {
        return c >= ' ' && c < 0x7f || c >= 0xa0 && c < 0xd800 && c != '\u2028' && c != '\u2029';
    }

    /// A name as YAML takes it for nothing else.
    private static String scalar(String text) {
        return text.matches("[A-Za-z][A-Za-z0-9 _/.-]*[A-Za-z0-9]|\\./[A-Za-z0-9_/.-]+") && !text.matches("(?i)true|false|yes|no|on|off|null|nan") ? text
                : Json.line(text);
    }
}
