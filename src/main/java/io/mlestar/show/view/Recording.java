package io.mlestar.show.view;

import io.mlestar.adapter.model.RecordedModel;
import io.mlestar.core.agent.PromptCode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.Walk;
import io.mlestar.core.step.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The answers of a run as files that people can read and edit, in the layout that
/// `recorded:FOLDER` answers from.
public record Recording(Records records, String run) {
    /// Writes one Markdown file per answer, by the step's path, and which code each answers for.
    ///
    /// @throws Invalid if the folder cannot be written to
    public void export(Path folder) {
        try {
            Files.createDirectories(folder);
            StringBuilder writtenFor = new StringBuilder();
            Walk.OWN.steps(records, run).map(StepView::of).forEach(step -> {
                if (step.found() instanceof StepView.Replied(var agent, Answer answer)) {
                    write(folder.resolve(step.path().inside() + ".md"), answer.text());
                    String digest = PromptCode.digest(answer.prompt());
                    writtenFor.append(digest.isEmpty()
                            ? ""
                            : step.path().inside() + ": \"" + digest + "\"\n");
                }
            });
            write(folder.resolve(RecordedModel.WRITTEN_FOR), writtenFor.toString());
        } catch (IOException | UncheckedIOException e) {
            throw new Invalid("cannot write the recording to " + folder + ": " + e.getMessage());
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }
}
