package io.mlestar.report;

import io.mlestar.engine.Records;
import io.mlestar.engine.StepResult.Status;
import io.mlestar.step.StepPath;
import io.mlestar.task.Invalid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The answers of a run as files that people can read and edit, in the layout that `recorded:FOLDER` answers from.
public record Recording(Records records, String run) {
    /// Writes one Markdown file per answer, by the step's path.
    ///
    /// @throws Invalid if the folder cannot be written to
    public void export(Path folder) {
        try {
            export(StepPath.root(run), Files.createDirectories(folder));
        } catch (IOException e) {
            throw new Invalid("cannot write the recording to " + folder + ": " + e.getMessage());
        }
    }

    private void export(StepPath phase, Path folder) throws IOException {
        for (Records.Known step : records.below(phase)) {
            if (step.request().isPhase()) {
                export(step.path(), folder);
            } else if (step.request().isAgent()
                    && step.result().filter(result -> result.status() == Status.DONE).isPresent()) {
                Path file = folder.resolve(step.path().inside() + ".md");
                Files.createDirectories(file.getParent());
                Files.writeString(file, step.result().orElseThrow().value().path("text").asText());
            }
        }
    }
}
