package io.mlestar.llm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.mlestar.step.Answer;
import io.mlestar.step.StepFailed;
import io.mlestar.step.StepPath;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import io.mlestar.task.Price;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// No language model: answers with what is written in a folder, by the step's path. A folder of Markdown files
/// (`phase1/retriever.md`, and `defaults/leakage.md` for all leakage checks without a file of their own), or the folder of an
/// earlier run. Costs are nominal: four characters count as a token.
public final class RecordedModel implements Model {
    private final Path folder;
    private final Price price;

    private RecordedModel(Path folder, JsonNode settings) {
        this.folder = folder;
        this.price = new Price(settings.path("input_usd_per_million_tokens").asDouble(0),
                settings.path("output_usd_per_million_tokens").asDouble(0), null, null);
    }

    /// @throws Invalid if the folder holds no recording
    static RecordedModel open(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new Invalid("model recorded:" + folder + ": there is no such folder");
        }
        try {
            Path settings = folder.resolve("recording.yaml");
            return new RecordedModel(folder, Files.exists(settings) ? new YAMLMapper().readTree(settings.toFile()) : Json.object());
        } catch (IOException e) {
            throw new Invalid("model recorded:" + folder + ": recording.yaml cannot be read: " + e.getMessage());
        }
    }

    @Override
    public Answer ask(ModelRequest question) {
        JsonNode stored = question.step().flatMap(this::stored).or(() -> question.step().flatMap(step -> file(step.inside())))
                .or(() -> file("defaults/" + question.agent()))
                .orElseThrow(() -> new StepFailed("the recording has no answer for "
                        + question.step().map(StepPath::inside).orElse("agent " + question.agent())));
        String text = stored.path("text").asText();
        long output = ModelRequest.tokens(text);
        Answer.Usage usage = new Answer.Usage("recorded:" + folder.getFileName(), question.inputTokens(), output, 0,
                price.of(question.inputTokens(), output, 0, 0), 0);
        return new Answer(text, usage, shortfall(stored), question.system(), question.prompt());
    }

    @Override
    public OptionalDouble estimate(ModelRequest question) {
        return OptionalDouble.of(question.estimate(price));
    }

    private static Answer.@Nullable Shortfall shortfall(JsonNode stored) {
        return stored.hasNonNull("shortfall") ? Json.read(stored.get("shortfall"), Answer.Shortfall.class) : null;
    }

    private Optional<JsonNode> file(String path) {
        return read(folder.resolve(path + ".md")).map(text -> Json.object().put("text", text));
    }

    /// The answer in the folder of an earlier run.
    private Optional<JsonNode> stored(StepPath step) {
        return read(folder.resolve("steps").resolve(step.inside() + ".result.json"))
                .map(json -> Json.parse(json).path("value")).filter(value -> value.path("text").isTextual());
    }

    private static Optional<String> read(Path file) {
        try {
            return Files.exists(file) ? Optional.of(Files.readString(file)) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }
}
