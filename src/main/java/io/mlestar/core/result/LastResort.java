package io.mlestar.core.result;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.phase.EnsemblePhase;
import io.mlestar.core.phase.Evaluation;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Scoring;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Walk;
import io.mlestar.core.step.Arithmetic.CombineFolds;
import io.mlestar.core.step.Arithmetic.ScoredBlend;
import io.mlestar.core.step.Arithmetic;
import io.mlestar.core.step.Execution.Submission;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.DamagedRecord;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionScript;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Finds a submission for a run whose finalization gave none: a file that a script wrote by itself
/// while it was evaluated as a solution.
public record LastResort(Records records) {
    /// A script whose score stands, and that left a submission with rows in it.
    public record SalvagedSubmission(
            StepPath step,
            String script,
            double score,
            Submission submission) {}

    /// The submission of the best script that wrote one, the last of equals. One of the right form
    /// comes first.
    public Optional<SalvagedSubmission> of(RunHeader run) {
        return best(run, _ -> true);
    }

    /// The predictions of the chosen script from when it was scored; else as for a run that did not
    /// come to choose.
    public Optional<SalvagedSubmission> of(RunHeader run, SolutionScript chosen) {
        return blend(run.root(), chosen)
                .or(() -> best(run, one -> one.script().equals(chosen.content())));
    }

    private Optional<SalvagedSubmission> best(
            RunHeader run,
            Predicate<SalvagedSubmission> preferred) {
        List<SalvagedSubmission> found = Walk.READABLE.steps(records, run.runId())
                .flatMap(step -> step.result()
                        .map(StepResult::scorings)
                        .stream()
                        .flatMap(List::stream))
                .filter(told -> told.score() != null)
                .distinct()
                .sorted(Comparator.comparing(Scoring::endedAt))
                .flatMap(told -> found(told.path()).stream())
                .toList();
        List<SalvagedSubmission> valid = either(found, one -> one.submission().wrong() == null);
        return run.task()
                .metricDirection()
                .best(either(valid, preferred).reversed(), SalvagedSubmission::score);
    }

    /// No script wrote what a blend predicts.
    private Optional<SalvagedSubmission> blend(StepPath root, SolutionScript chosen) {
        return records.known(root.child(EnsemblePhase.NAME))
                .stream()
                .flatMap(phase3 -> records.readable(phase3.place()).stream())
                .filter(step -> step.step() instanceof Arithmetic.BlendPredictions)
                .flatMap(step -> step.done()
                        .map(done -> done.of(ScoredBlend.class))
                        .filter(blend -> blend.validation().equals(chosen.score().validation()))
                        .map(blend -> new SalvagedSubmission(step.path(), chosen.content(),
                                blend.validation().search(), blend.submission()))
                        .stream())
                .findFirst();
    }

    /// The elements that pass the test, or all if none does.
    private static List<SalvagedSubmission> either(
            List<SalvagedSubmission> found,
            Predicate<SalvagedSubmission> wanted) {
        List<SalvagedSubmission> some = found.stream().filter(wanted).toList();
        return some.isEmpty() ? found : some;
    }

    /// The submission that an evaluation kept of its script. For a script that was run on several
    /// folds it is the mean of their predictions.
    private Optional<SalvagedSubmission> found(StepPath script) {
        try {
            StepPath evaluation = script.parent().orElseThrow();
            return records.result(evaluation)
                    .flatMap(StepResult::done)
                    .map(done -> done.of(Evaluation.Result.class))
                    .flatMap(kept -> of(kept, script, evaluation));
        } catch (Invalid | DamagedRecord e) {
            // Another program wrote it: perhaps that is why the run has failed. It must end all the
            // same.
            return Optional.empty();
        }
    }

    private static Optional<SalvagedSubmission> of(
            Evaluation.Result kept,
            StepPath script,
            StepPath evaluation) {
        Score score = kept.script().score();
        Submission submission = kept.submission();
        if (submission == null || submission.rowCount() == 0 || !score.isKnown()) {
            return Optional.empty();
        }
        StepPath step = score.isFolded() ? evaluation.child(CombineFolds.NAME) : script;
        return Optional.of(
                new SalvagedSubmission(step, kept.script().content(), score.known(), submission));
    }
}
