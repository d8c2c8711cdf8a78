package io.mlestar.adapter.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.mlestar.core.agent.PromptCode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.Price;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// No language model: answers with what is written in a folder, by the step's path. A folder of
/// Markdown files (`phase1/retriever.md`, and `defaults/leakage.md` for all leakage checks without
/// a file of their own), or the folder of an earlier run. Costs are nominal: four characters count
/// as a token.
public final class RecordedModel implements Model {
    /// Maps the paths of steps to [PromptCode#digest] of the prompts that their answers were
    /// written for, as far as that is known.
    public static final String WRITTEN_FOR = "written-for.yaml";
    /// The most levels of folders, which are those of a run's steps.
    private static final int DEEPEST = 12;
    private static final Logger LOG = Logger.getLogger("mle_star.llm");

    private final Path folder;
    private final Price price;
    private final JsonNode writtenFor;

    private RecordedModel(Path folder, JsonNode settings, JsonNode writtenFor) {
        this.folder = folder;
        this.writtenFor = writtenFor;
        this.price = new Price(settings.path("input_usd_per_million_tokens").asDouble(0),
                settings.path("output_usd_per_million_tokens").asDouble(0));
    }

    /// @throws Invalid if the folder holds no recording
    static RecordedModel open(Path folder) {
        if (folder.toString().isEmpty()) {
            throw new Invalid("model recorded: names no folder; give recorded:FOLDER");
        }
        if (!Files.isDirectory(folder)) {
            throw new Invalid("model recorded:" + folder + ": there is no such folder");
        }
        try (Stream<Path> answers = Files.find(folder, DEEPEST,
                (path, _) -> path.toString().endsWith(".md") && !folder.equals(path.getParent())
                        || path.toString().endsWith(".result.json"))) {
            if (answers.findFirst().isEmpty()) {
                throw new Invalid(
                        "model recorded:" + folder
                                + ": there are no answers in it, such as phase1/retriever.md; mlestar run --record FOLDER writes some");
            }
        } catch (IOException e) {
            throw new Invalid("model recorded:" + folder + " cannot be read: " + Invalid.reason(e));
        }
        return new RecordedModel(folder, yaml(folder, "recording.yaml"), yaml(folder, WRITTEN_FOR));
    }

    private static JsonNode yaml(Path folder, String name) {
        try {
            return Files.exists(folder.resolve(name))
                    ? new YAMLMapper().readTree(folder.resolve(name).toFile())
                    : Json.object();
        } catch (IOException e) {
            throw new Invalid("model recorded:" + folder + ": " + name + " cannot be read: "
                    + e.getMessage());
        }
    }

    @Override
    public Answer ask(ModelRequest question) {
        JsonNode stored =
                question.step()
                        .flatMap(this::stored)
                        .or(() -> question.step().flatMap(step -> file(step.inside())))
                        .or(() -> file("defaults/" + question.agent()))
                        .orElseThrow(() -> new StepFailed("the recording has no answer for "
                                + question.step()
                                        .map(StepPath::inside)
                                        .orElse("agent " + question.agent())));
        String text = stored.path("text").asText();
        Answer.Shortfall shortfall = shortfall(stored, question);
        long output = ModelRequest.tokens(text);
        Answer.Usage usage =
                new Answer.Usage("recorded:" + folder.getFileName(), question.inputTokens(), output,
                        0, price.of(question.inputTokens(), output, 0, 0), 0);
        return new Answer(text, usage, shortfall, question.system(), question.prompt());
    }

    @Override
    public OptionalDouble estimate(ModelRequest question) {
        return OptionalDouble.of(question.estimate(price));
    }

    /// The one that is recorded, or [Answer.Shortfall#MISPLACED] if the code that was asked about
    /// then is not that of the question.
    private static Answer.@Nullable Shortfall shortfall(JsonNode stored, ModelRequest question) {
        if (stored.hasNonNull("shortfall")) {
            return Json.read(stored.get("shortfall"), Answer.Shortfall.class);
        }
        String writtenFor = stored.hasNonNull("prompt")
                ? PromptCode.digest(stored.get("prompt").asText())
                : stored.path("written_for").asText();
        if (writtenFor.isEmpty() || writtenFor.equals(PromptCode.digest(question.prompt()))) {
            return null;
        }
        LOG.infof("%s: %s", question.step().map(StepPath::toString).orElse(question.agent()),
                Answer.Shortfall.MISPLACED);
        return Answer.Shortfall.MISPLACED;
    }

    private Optional<JsonNode> file(String path) {
        return read(folder.resolve(path + ".md")).map(text -> Json.object()
                .put("text", text)
                .put("written_for", writtenFor.path(path).asText()));
    }

    /// The answer in the folder of an earlier run.
    private Optional<JsonNode> stored(StepPath step) {
        return read(folder.resolve("steps").resolve(step.inside() + ".result.json"))
                .map(json -> Json.parse(json).path("value"))
                .filter(value -> value.path("text").isTextual());
    }

    private static Optional<String> read(Path file) {
        try {
            return Files.exists(file)
                    ? Optional.of(Files.readString(Invalid.file(file.toString(), file)))
                    : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }
}
