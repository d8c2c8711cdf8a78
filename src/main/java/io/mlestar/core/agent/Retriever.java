package io.mlestar.core.agent;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.UnreadableAnswer;
import io.mlestar.core.task.Answers.RetrievedModel;
import io.mlestar.core.task.Answers.RetrieverOutput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A_retriever: finds M models for the task, each with example code (Algorithm 1 line 1; Figure 9).
///
/// @param studied what a study of many kinds of models printed; null if there was none
public record Retriever(
        String taskDescription,
        @JsonProperty("M") int models,
        @Nullable String studied) implements CatalogueAgent<RetrieverOutput> {
    /// REQ-P1-004 wants this much of a bad answer shown.
    private static final int EXCERPT = 500;
    /// Matches dots and the words that stand in the shape that the prompt shows: a model that
    /// copies them names no model.
    private static final Pattern PLACEHOLDER =
            Pattern.compile("\\W*+(?:model_name|example_code|str(?:ing)?)?+\\W*+");

    public Retriever {
        Invalid.text("task_description", taskDescription);
        Invalid.count("M", models, 100);
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        return Map.of("competition", ValidationRules.competition(context, taskDescription), "M",
                Integer.toString(models), "studied", Sections.studied(studied, ""), "choice",
                Prompts.part(isStudied() ? "models-studied" : "models-recent"));
    }

    /// True if a study has told which models do well here.
    boolean isStudied() {
        return studied != null && !studied.isBlank();
    }

    /// Keeps the first M models that are whole; drops those without a name or code (REQ-P1-005,
    /// REQ-P1-006).
    @Override
    public RetrieverOutput read(String answer) {
        List<JsonNode> lists = lists(answer);
        if (lists.isEmpty()) {
            throw UnreadableAnswer.of("no JSON list of models in the answer", answer, EXCERPT);
        }
        return lists.stream()
                .map(Retriever::whole)
                .filter(whole -> !whole.isEmpty())
                .findFirst()
                .map(whole -> new RetrieverOutput(whole.subList(0, Math.min(models, whole.size()))))
                .orElseThrow(() -> UnreadableAnswer.of("A_retriever returned zero models", answer,
                        EXCERPT));
    }

    /// The reasons why models of the list that counts were dropped; empty if all were whole
    /// (REQ-P1-006).
    public List<String> dropped(String answer) {
        List<String> why = new ArrayList<>();
        lists(answer).stream()
                .filter(list -> !whole(list).isEmpty())
                .findFirst()
                .ifPresent(list -> list.forEach(
                        model -> read(model, fault -> why
                                .add(model.path("model_name").asText() + ": " + fault))));
        return why;
    }

    private static List<JsonNode> lists(String answer) {
        return Reading.trees(answer)
                .stream()
                .map(tree -> Reading.wrapped(tree, "models").path("models"))
                .filter(JsonNode::isArray)
                .toList();
    }

    /// Drops models that have no name or no code: the retrieval is complete without them.
    private static List<RetrievedModel> whole(JsonNode list) {
        return list.valueStream().flatMap(model -> read(model, fault -> {}).stream()).toList();
    }

    private static Optional<RetrievedModel> read(JsonNode model, Consumer<String> faults) {
        try {
            Optional<RetrievedModel> read =
                    Optional.ofNullable(Json.read(model, RetrievedModel.class));
            if (read.filter(
                    one -> Stream.of(one.modelName(), one.exampleCode())
                            .anyMatch(PLACEHOLDER.asMatchPredicate()))
                    .isPresent()) {
                throw new Invalid("the shape of an answer, not one");
            }
            return read;
        } catch (Invalid e) {
            faults.accept(e.getMessage());
            return Optional.empty();
        }
    }

    @Override
    public boolean ignoresPhaseShare() {
        return true;
    }
}
