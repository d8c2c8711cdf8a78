package io.mlestar.app.cli.draft;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.survey.DataReading;
import io.mlestar.core.survey.SurveyScripts;
import io.mlestar.core.task.DataModality;
import io.mlestar.core.task.TaskType;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The form of a task's data, as found by the program `survey/form-task.py`. Names come from the
/// data and are hostile: [#read] makes them fit for one line.
///
/// @param lines the form, for people
/// @param data which tables and files there are
/// @param target what is to be predicted, and why; empty if the data do not tell
/// @param metric that tasks of this type usually have; empty if there is none
/// @param text sentences for a description: what to predict, and what a submission is
/// @param wrong why no task can be made of the data; null if one can
/// @param words of each target that holds words, a clause
/// @param numbers of each target that is surely no class, a clause
/// @param doubts sentences
@RegisterForReflection(targets = {DataForm.class, DataForm.Obstacle.class})
public record DataForm(
        List<String> lines,
        String data,
        String target,
        TaskType type,
        String typeWhy,
        DataModality modality,
        String modalityWhy,
        Optional<String> metric,
        String metricWhy,
        List<String> text,
        @Nullable Obstacle wrong,
        List<String> words,
        List<String> numbers,
        List<String> doubts) {
    /// The program prints much less.
    private static final int LONGEST = 1 << 20;

    /// @param isFinal whether a description does not help
    /// @param candidates columns that may be to be predicted, if a user who names one helps
    public record Obstacle(String why, boolean isFinal, List<String> candidates) {}

    /// Nothing, where the data could not be looked at.
    public static DataForm unknown(String why) {
        String unseen = "the data could not be looked at";
        return new DataForm(List.of(), unseen, "", TaskType.TABULAR, unseen, DataModality.TABULAR,
                unseen, Optional.empty(), "", List.of(),
                new Obstacle(why + "; without a look at the data say --description and --metric",
                        false, List.of()),
                List.of(), List.of(), List.of(why));
    }

    /// Reads the last line of what the program printed.
    ///
    /// @return empty if it is not of this form
    public static Optional<DataForm> read(String printed) {
        try {
            return SurveyScripts.printed(printed, LONGEST)
                    .filter(said -> said.path("task").isObject())
                    .map(said -> Json.readStrictly(
                            plain(((ObjectNode) said.get("task")).set("lines", said.path("lines"))),
                            DataForm.class));
        } catch (Invalid e) {
            return Optional.empty();
        }
    }

    private static JsonNode plain(JsonNode said) {
        switch (said) {
            case ObjectNode fields ->
                fields.properties().forEach(field -> field.setValue(plain(field.getValue())));
            case ArrayNode list ->
                IntStream.range(0, list.size()).forEach(i -> list.set(i, plain(list.get(i))));
            default -> {}
        }
        return said.isTextual() ? TextNode.valueOf(DataReading.plain(said.textValue())) : said;
    }
}
