package io.mlestar.show.view;

import io.mlestar.core.records.Records;
import io.mlestar.core.records.Walk;
import io.mlestar.core.result.RunFiles;
import io.mlestar.core.step.Answer;
import io.mlestar.core.task.ModelSettings;
import io.mlestar.core.task.Results.FinalResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Recorded answers that were written for other code than the run asked about: the run has left its
/// recording.
///
/// @param steps that got them, inside the run
/// @param submission whether one of them made the submission, which then is of a script that the
///   run did not find
public record MisplacedAnswers(List<String> steps, boolean submission) {
    public static final MisplacedAnswers NONE = new MisplacedAnswers(List.of(), false);

    public static MisplacedAnswers of(Records records, String run) {
        if (records.header(run)
                .filter(header -> header.config()
                        .models()
                        .used()
                        .stream()
                        .anyMatch(ModelSettings::isRecorded))
                .isEmpty()) {
            return NONE;
        }
        List<String> steps = new ArrayList<>();
        Walk.SHARED.steps(records, run).map(StepView::of).forEach(step -> {
            if (step.found() instanceof StepView.Replied(var agent, Answer answer)
                    && answer.shortfall() == Answer.Shortfall.MISPLACED) {
                steps.add(step.path().inside());
            }
        });
        boolean submission = steps.stream()
                .anyMatch(step -> step.startsWith(FinalResult.FINALIZATION + "/"))
                && RunFiles.result(records, run)
                        .filter(ended -> ended.submissionSource() == null
                                || ended.submissionSource().equals(FinalResult.FINALIZATION))
                        .isPresent();
        return new MisplacedAnswers(steps, submission);
    }

    /// A sentence; empty if there are none.
    public Optional<String> said() {
        if (submission) {
            return Optional.of(
                    "this submission replays an answer recorded for another script; its score does not count");
        }
        return steps.stream()
                .findFirst()
                .map(first -> steps.size()
                        + " recorded answers were written for other code than this run asked about, first "
                        + first);
    }
}
