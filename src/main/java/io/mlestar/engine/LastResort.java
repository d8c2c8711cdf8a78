package io.mlestar.engine;

import io.mlestar.step.Execution;
import io.mlestar.step.RunScript.Kind;
import io.mlestar.step.RunScript;
import io.mlestar.step.StepPath;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import io.mlestar.task.MetricDirection;
import io.mlestar.task.SolutionScript;
import java.util.Optional;
import java.util.stream.Stream;

/// Finds a submission for a run whose finalization gave none: a file that a script wrote by itself while it was evaluated as a solution.
record LastResort(Records records) {
    /// A script that scored and left a submission with rows in it.
    record Found(StepPath step, String script, double score, Execution.Submission submission) {}

    /// The one that the chosen script wrote; else that of the best script that wrote one, the last of equals.
    ///
    /// @param chosen null if the run did not come to choose
    Optional<Found> of(RunHeader run, SolutionScript chosen) {
        MetricDirection direction = run.task().metricDirection();
        return below(StepPath.root(run.runId())).reduce((best, next) -> isOf(best, chosen) != isOf(next, chosen)
                ? (isOf(best, chosen) ? best : next)
                : direction.isImprovementOrEqual(next.score(), best.score()) ? next : best);
    }

    private static boolean isOf(Found found, SolutionScript chosen) {
        return chosen != null && found.script().equals(chosen.content());
    }

    private Stream<Found> below(StepPath phase) {
        return records.readable(phase).stream().flatMap(step -> step.request().isPhase() ? below(step.path())
                : step.request().isScript() ? found(step).stream() : Stream.<Found>empty());
    }

    private static Optional<Found> found(Records.Known step) {
        try {
            RunScript script = (RunScript) step.request().step(step.path().plainName());
            return step.result().filter(result -> script.kind() == Kind.SOLUTION && result.status() == StepResult.Status.DONE)
                    .map(result -> Json.read(result.value(), Execution.class))
                    .filter(ran -> ran.score() != null && ran.submission() != null && ran.submission().rowCount() > 0)
                    .map(ran -> new Found(step.path(), script.content(), ran.score(), ran.submission()));
        } catch (Invalid e) {
            // Another program wrote it: perhaps that is why the run has failed. It must end all the same.
            return Optional.empty();
        }
    }
}
