package io.mlestar.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.mlestar.core.base.Json;
import io.mlestar.core.task.DataModality;
import io.mlestar.core.task.TaskDescription;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// The dated list of `proven-models.yaml`: what has done well on which data, for a retriever that
/// cannot search.
final class ProvenModels {
    private static final JsonNode LIST = read();

    private ProvenModels() {}

    /// The section of a retriever's prompt in place of a search.
    static String section(TaskDescription task) {
        return Prompts.part("proven-models", Map.of("date", LIST.path("as_of").asText())) + "\n\n"
                + hint(task);
    }

    /// One line each: those for the data and the problem of the task, in the order of the list.
    static String hint(TaskDescription task) {
        String modality = Json.tree(task.dataModality()).asText();
        String type = Json.tree(task.taskType()).asText();
        List<JsonNode> fitting = LIST.path("models")
                .valueStream()
                .filter(model -> task.dataModality() == DataModality.MIXED
                        || names(model.path("modalities"), modality))
                .toList();
        List<JsonNode> best =
                fitting.stream()
                        .filter(model -> !model.has("tasks") || names(model.path("tasks"), type))
                        .toList();
        return (best.isEmpty() ? fitting : best).stream()
                .map(model -> "- " + model.path("name").asText() + " (`"
                        + model.path("package").asText() + "`): "
                        + model.path("good_for").asText())
                .collect(Collectors.joining("\n"));
    }

    private static boolean names(JsonNode list, String word) {
        return list.valueStream().anyMatch(element -> element.asText().equals(word));
    }

    private static JsonNode read() {
        try {
            return new YAMLMapper().readTree(Prompts.resourceText("/proven-models.yaml"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
