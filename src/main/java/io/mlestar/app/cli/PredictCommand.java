package io.mlestar.app.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.bucket.DataSets;
import io.mlestar.adapter.bucket.Stores;
import io.mlestar.adapter.script.Sandbox;
import io.mlestar.adapter.script.ScriptRunner;
import io.mlestar.app.cli.draft.DataPlace;
import io.mlestar.app.console.Terminal;
import io.mlestar.app.program.CompositionRoot;
import io.mlestar.app.program.StartupCheck;
import io.mlestar.app.start.Prediction;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.Records;
import io.mlestar.core.task.Results.FinalResult;
import io.mlestar.show.render.Formats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Applies the final solution of a run to new rows.
@Command(name = "predict",
        description = "Train the final solution of a run once more, let it predict new rows, and keep what it predicts.",
        mixinStandardHelpOptions = true)
final class PredictCommand extends StoreCommand.OneRunCommand {
    private static final int LONGEST = 500;

    @Option(names = "--rows", paramLabel = "FILE", required = true,
            description = "table with the columns of the task's test table")
    Path rows;

    @Option(names = "--out", paramLabel = "FILE",
            description = "where to write the predictions (default: stdout)")
    @Nullable
    Path out;

    @Override
    public Integer call() {
        OpenedRun opened = open();
        FinalResult result = opened.completed();
        if (out != null) {
            Stores.checkOutside(out, store.address);
            free(out);
        }
        CompositionRoot root = CompositionRoot.ofProcess();
        Prediction.Question question =
                Prediction.Question.of(opened.records(), new DataSets(root.environment()), result,
                        rows);
        List<String> remarks = new ArrayList<>(question.rows().remarks());
        if (result.submissionReplaced() != null) {
            remarks.add("the run did not hand in what this script predicts, but what "
                    + result.submissionSource()
                    + " predicted when it was scored: "
                    + Formats.line(result.submissionReplaced(), LONGEST));
        }
        remarks.forEach(PredictCommand::warn);
        Optional<Prediction> known = question.known();
        Prediction prediction = known.orElseGet(() -> trained(root, question));
        prediction.leftOut().forEach(PredictCommand::warn);
        hand(opened.records(), prediction, remarks, known.isPresent());
        return 0;
    }

    private static void warn(String remark) {
        System.err.println("mlestar: warning: " + remark);
    }

    private static void free(Path file) {
        DataPlace.checkFree(file);
        Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent());
        if (!Files.isDirectory(folder)) {
            throw new Invalid("there is no folder " + folder + " for --out " + file);
        }
    }

    private static Prediction trained(CompositionRoot root, Prediction.Question question) {
        FinalResult result = question.result();
        new StartupCheck(root).check(result.config());
        Sandbox sandbox = root.sandbox();
        if (!sandbox.missing().isEmpty()) {
            warn(sandbox.missing());
        }
        Double seconds = result.finalSolution().durationSeconds();
        System.err.println("training the final solution of run " + result.runId() + " to predict "
                + question.rows().count() + " rows"
                + (seconds == null ? "" : "; in the run it took " + Formats.duration(seconds)));
        return question.answer(new ScriptRunner(sandbox, InstantSource.system()));
    }

    private void hand(
            Records records,
            Prediction prediction,
            List<String> remarks,
            boolean isKnown) {
        byte[] predicted = records.store()
                .read(prediction.submission())
                .orElseThrow(() -> new Invalid("the store has no " + prediction.submission()));
        String lies = records.store().address(prediction.submission());
        if (out != null) {
            try {
                Files.write(out, predicted, StandardOpenOption.CREATE_NEW);
            } catch (IOException e) {
                throw new Invalid(
                        "cannot write " + out + ": " + Invalid.reason(e)
                                + "; the predictions are in " + lies);
            }
        }
        if (json) {
            ObjectNode all = Json.object()
                    .put("run_id", run)
                    .put("rows", prediction.rows())
                    .put("predictions", lies)
                    .put("out", out == null ? null : out.toString())
                    .put("seconds", prediction.seconds())
                    .put("reused", isKnown);
            all.set("warnings", Json.tree(remarks));
            all.set("left_out", Json.tree(prediction.leftOut()));
            System.out.println(Json.text(all));
        } else if (out == null) {
            System.out.writeBytes(Terminal.shown(predicted, Terminal.isAt(1)));
            System.out.flush();
        } else {
            System.out.println(out);
        }
    }
}
