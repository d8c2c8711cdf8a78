package io.mlestar.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.mlestar.core.base.Json;
import io.mlestar.core.task.DataModality;
import io.mlestar.core.task.TaskDescription;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// The dated list of `proven-models.yaml`: what has done well on which data, for a retriever that
/// cannot search.
final class ProvenModels {
    private static final JsonNode LIST = read();

    private ProvenModels() {}

    /// What a retriever's prompt holds in place of a search.
    static String section(TaskDescription task) {
        return "# Models that have proven themselves\n\nNothing can be searched here: answer from what you know. As of "
                + LIST.path("as_of").asText()
                + " these have done well on data like this. They are a hint; take others where you know better ones.\n\n"
                + hint(task);
    }

    /// One line each: those for the data and the problem of the task, in the order of the list.
    static String hint(TaskDescription task) {
        String modality = Json.tree(task.dataModality()).asText();
        String type = Json.tree(task.taskType()).asText();
        List<JsonNode> fitting = elements(LIST.path("models"))
                .filter(model -> task.dataModality() == DataModality.MIXED || names(model.path("modalities"), modality))
                .toList();
        List<JsonNode> best =
                fitting.stream().filter(model -> !model.has("tasks") || names(model.path("tasks"), type)).toList();
        return (best.isEmpty() ? fitting : best).stream()
                .map(model -> "- " + model.path("name").asText() + " (`" + model.path("package").asText() + "`): "
                        + model.path("good_for").asText())
                .collect(Collectors.joining("\n"));
    }

    private static boolean names(JsonNode list, String word) {
        return elements(list).anyMatch(element -> element.asText().equals(word));
    }

    private static Stream<JsonNode> elements(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }

    private static JsonNode read() {
        try {
            return new YAMLMapper().readTree(Prompts.resource("/proven-models.yaml"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
