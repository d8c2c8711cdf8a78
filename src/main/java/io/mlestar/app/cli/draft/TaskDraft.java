package io.mlestar.app.cli.draft;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator.Feature;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.mlestar.adapter.grade.Metric;
import io.mlestar.app.cli.draft.DataForm.Obstacle;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.survey.DataReading;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.TaskDescription;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A task, and the source of each of its fields.
///
/// @param task as it is written, with `data_dir` as the file names it
/// @param facts what was found or guessed, in the order to show: a word such as `metric`, and a
///   clause about it
/// @param contradictions between the data, the metric and the description, a sentence each
/// @param isDescribed whether the user has described the task
public record TaskDraft(
        TaskDescription task,
        SequencedMap<String, String> facts,
        List<String> contradictions,
        boolean isDescribed) {
    private static final YAMLMapper YAML =
            YAMLMapper.builder()
                    .enable(Feature.LITERAL_BLOCK_STYLE, Feature.MINIMIZE_QUOTES)
                    .disable(Feature.WRITE_DOC_START_MARKER, Feature.SPLIT_LINES)
                    .build();

    /// The options of the user; null where not given.
    ///
    /// @param targets names of columns, with commas between
    public record Wishes(
            @Nullable String id,
            @Nullable String targets,
            @Nullable String metric,
            @Nullable MetricDirection direction,
            @Nullable String description) {
        public Wishes describedBy(String text) {
            return new Wishes(id, targets, metric, direction, text);
        }
    }

    /// Asks the user for what the data do not show.
    public interface Questions {
        /// @param usual the answer if the user enters nothing; empty if there is none
        String ask(String question, Optional<String> usual);
    }

    /// @param name of the folder
    /// @param dataDir as the task file names it
    /// @param questions empty if there is no user to ask
    /// @param isProgrammed whether a metric.py lies with the data, which computes any metric
    /// @throws Invalid naming what the data do not show
    public static TaskDraft of(
            DataForm data,
            String name,
            String dataDir,
            Wishes given,
            Optional<Questions> questions,
            boolean isProgrammed) {
        String said = given.description();
        Obstacle wrong = data.wrong();
        if (wrong != null && (said == null || wrong.isFinal())) {
            throw new Invalid(wrong.why());
        }
        Optional<DescribedMetric> read = said == null ? Optional.empty() : DescribedMetric.in(said);
        Optional<String> usual = read.map(DescribedMetric::name).or(data::metric);
        String metric = given.metric() != null ? given.metric() : metric(usual, said, questions);
        MetricDirection direction =
                given.direction() != null
                        ? checked(given.direction(), metric)
                        : direction(metric, said, questions);
        String why = given.metric() != null ? "from --metric" : why(metric, usual, read, data);
        TaskDescription task = new TaskDescription(given.id() == null ? id(name) : given.id(),
                data.type(), data.modality(), metric, direction,
                said != null ? said : text(data, metric, direction), dataDir,
                TaskDescription.OUTPUT);
        SequencedMap<String, String> facts = new LinkedHashMap<>();
        facts.put("data", data.data());
        facts.put("target",
                data.target().isEmpty()
                        ? "what the description says; the data do not tell"
                        : data.target());
        facts.put("type", word(data.type()) + ": " + data.typeWhy());
        facts.put("modality", word(data.modality()) + ": " + data.modalityWhy());
        facts.put("metric", metric + ", " + word(direction) + ": " + why);
        return new TaskDraft(task, facts, new Contradictions(data, task, said != null,
                given.direction() != null, isProgrammed, read).all(), said != null);
    }

    private static String metric(
            Optional<String> usual,
            @Nullable String said,
            Optional<Questions> questions) {
        if (questions.isPresent()) {
            return questions.get().ask("By which metric are submissions scored?", usual);
        }
        return usual.orElseThrow(() -> new Invalid("the metric cannot be told from the data"
                + (said == null ? "" : " or the description") + "; say --metric NAME"));
    }

    private static String why(
            String metric,
            Optional<String> usual,
            Optional<DescribedMetric> read,
            DataForm data) {
        if (usual.filter(metric::equals).isEmpty()) {
            return "your answer";
        }
        return read.map(found -> "the description says \"" + found.sentence() + "\"")
                .orElse("a guess, " + data.metricWhy());
    }

    /// A description by the data alone, for a user who gives none.
    private static String text(DataForm data, String metric, MetricDirection direction) {
        return String.format(Locale.ROOT, """
                %s

                ## Metric

                Submissions are evaluated by %s. %s is better.

                ## Data

                %s
                ## Submission

                %s
                """, data.text().getFirst(), metric,
                direction == MetricDirection.MAXIMIZE ? "Higher" : "Lower",
                data.lines().stream().map(line -> "- " + line + "\n").collect(Collectors.joining()),
                data.text().getLast());
    }

    /// @throws Invalid if the metric is known, and the other direction is its own
    private static MetricDirection checked(MetricDirection given, String metric) {
        DescribedMetric.own(metric).filter(own -> own != given).ifPresent(own -> {
            throw new Invalid("--direction " + word(given) + " contradicts --metric "
                    + DataReading.plain(metric)
                    + ", of which a "
                    + Contradictions.better(own)
                    + " score is better; leave --direction out");
        });
        return given;
    }

    private static MetricDirection direction(
            String metric,
            @Nullable String description,
            Optional<Questions> questions) {
        return DescribedMetric.direction(metric)
                .or(() -> Optional.ofNullable(description).flatMap(DescribedMetric::directionIn))
                .or(() -> questions.map(user -> direction(
                        user.ask("Which scores of " + metric + " are better (maximize, minimize)?",
                                Optional.empty()))))
                .orElseThrow(() -> new Invalid("whether a higher or a lower "
                        + DataReading.plain(metric)
                        + " is better is not known; say --direction maximize or --direction minimize"));
    }

    /// @throws Invalid if it is neither word
    public static MetricDirection direction(String word) {
        return switch (word.strip().toLowerCase(Locale.ROOT)) {
            case "maximize" -> MetricDirection.MAXIMIZE;
            case "minimize" -> MetricDirection.MINIMIZE;
            case String other ->
                throw new Invalid(
                        "the direction of a metric is maximize or minimize, not \"" + other + "\"");
        };
    }

    /// The same with one more fact.
    public TaskDraft with(String what, String found) {
        SequencedMap<String, String> more = new LinkedHashMap<>(facts);
        more.put(what, found);
        return new TaskDraft(task, more, contradictions, isDescribed);
    }

    private static String id(String name) {
        String id =
                name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
        return id.isEmpty() ? "task" : id;
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /// The task file: YAML, with the source of each field.
    public String yaml() {
        StringBuilder text = new StringBuilder(
                "# Made by `mlestar new`. Look at what was guessed; every field is explained in docs/settings.md.\n");
        field(text, "competition_id", task.competitionId(), List.of(), "");
        field(text, "task_type", word(task.taskType()), List.of("target", "type"),
                "classification, regression, image_classification, text_classification, audio_classification, image_to_image, sequence_to_sequence, tabular");
        field(text, "data_modality", word(task.dataModality()), List.of("modality"),
                "tabular, image, text, audio or mixed");
        field(text, "evaluation_metric", task.evaluationMetric(), List.of("metric"), "");
        field(text, "metric_direction", word(task.metricDirection()), List.of(),
                "maximize or minimize");
        field(text, "data_dir", task.dataDir(), List.of("data"),
                "scripts see all of it, and nothing else, as ./input");
        if (!isDescribed) {
            text.append(
                    "# The agents know no more of the task than this text and the data. Say what a colleague would have to be told: what a row is,\n");
            text.append(
                    "# what is known when a prediction is made, groups and dates, how to hold out; or put the text of the competition here.\n");
        }
        field(text, "description", task.description(), List.of(), "");
        return text.toString();
    }

    /// @param from the facts that are its source
    /// @param choices for a comment beside it; empty for none
    private void field(
            StringBuilder text,
            String field,
            String value,
            List<String> from,
            String choices) {
        from.forEach(fact -> text.append("# ")
                .append(fact)
                .append(": ")
                .append(DataReading.plain(facts.getOrDefault(fact, "")))
                .append('\n'));
        try {
            String line = YAML.writeValueAsString(Map.of(field, value));
            text.append(choices.isEmpty() ? line : line.stripTrailing() + "  # " + choices + "\n");
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
