package io.mlestar.llm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.mlestar.step.Answer;
import io.mlestar.step.StepFailed;
import io.mlestar.step.StepPath;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/// No language model: answers with what is written in a folder, by the step's path. A folder of Markdown files
/// (`phase1/retriever.md`, and `defaults/leakage.md` for all leakage checks without a file of their own), or the folder of an
/// earlier run. Costs are nominal: four characters count as a token.
public final class RecordedModel implements Model {
    private static final int CHARACTERS_PER_TOKEN = 4;

    private final Path folder;
    private final double usdPerInputToken;
    private final double usdPerOutputToken;

    private RecordedModel(Path folder, JsonNode settings) {
        this.folder = folder;
        this.usdPerInputToken = settings.path("input_usd_per_million_tokens").asDouble(0) / 1e6;
        this.usdPerOutputToken = settings.path("output_usd_per_million_tokens").asDouble(0) / 1e6;
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
    public Answer ask(Question question) {
        String text = Stream.of(question.step().flatMap(this::stored), question.step().flatMap(step -> file(step.inside())), file("defaults/" + question.agent()))
                .flatMap(Optional::stream).findFirst()
                .orElseThrow(() -> new StepFailed("the recording has no answer for "
                        + question.step().map(StepPath::inside).orElse("agent " + question.agent())));
        long input = (question.system().length() + question.prompt().length()) / CHARACTERS_PER_TOKEN;
        long output = text.length() / CHARACTERS_PER_TOKEN;
        return new Answer(text, new Answer.Usage("recorded:" + folder.getFileName(), input, output, 0,
                input * usdPerInputToken + output * usdPerOutputToken, 0), question.system(), question.prompt());
    }

    private Optional<String> file(String path) {
        return read(folder.resolve(path + ".md"));
    }

    /// The answer in the folder of an earlier run.
    private Optional<String> stored(StepPath step) {
        return read(folder.resolve("steps").resolve(step.inside() + ".result.json"))
                .map(json -> Json.parse(json).path("value").path("text")).filter(JsonNode::isTextual).map(JsonNode::asText);
    }

    private static Optional<String> read(Path file) {
        try {
            return Files.exists(file) ? Optional.of(Files.readString(file)) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }
}
