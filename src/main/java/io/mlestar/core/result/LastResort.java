package io.mlestar.core.result;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Scoring;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Walk;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.DamagedRecord;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.SolutionScript;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Finds a submission for a run whose finalization gave none: a file that a script wrote by itself while it was evaluated as a solution.
public record LastResort(Records records) {
    /// A script whose score stands, and that left a submission with rows in it.
    public record Salvaged(StepPath step, String script, double score, Execution.Submission submission) {}

    /// The one that the chosen script wrote; else that of the best script that wrote one, the last of equals. One of the right form comes first.
    ///
    /// @param chosen null if the run did not come to choose
    public Optional<Salvaged> of(RunHeader run, @Nullable SolutionScript chosen) {
        MetricDirection direction = run.task().metricDirection();
        List<Salvaged> found = Walk.READABLE.steps(records, run.runId()).flatMap(step -> step.result().map(StepResult::scorings).stream().flatMap(List::stream))
                .filter(told -> told.score() != null).distinct().sorted(Comparator.comparing(Scoring::endedAt))
                .flatMap(told -> found(told.path()).stream()).toList();
        List<Salvaged> valid = either(found, one -> one.submission().wrong() == null);
        return direction.best(either(valid, one -> chosen != null && one.script().equals(chosen.content())).reversed(), Salvaged::score);
    }

    /// The elements that pass the test, or all if none does.
    private static List<Salvaged> either(List<Salvaged> found, Predicate<Salvaged> wanted) {
        List<Salvaged> some = found.stream().filter(wanted).toList();
        return some.isEmpty() ? found : some;
    }

    private Optional<Salvaged> found(StepPath path) {
        try {
            return records.known(path).flatMap(step -> step.step() instanceof RunScript script
                    && step.done().map(done -> done.execution().trusted()).orElse(null) instanceof Execution.Scored ran
                    && ran.submission() != null && ran.submission().rowCount() > 0
                            ? Optional.of(new Salvaged(path, script.content(), ran.score(), ran.submission())) : Optional.empty());
        } catch (Invalid | DamagedRecord e) {
            // Another program wrote it: perhaps that is why the run has failed. It must end all the same.
            return Optional.empty();
        }
    }
}
