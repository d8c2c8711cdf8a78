package io.mlestar.core.records;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.phase.Evaluation;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.Score;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A script that ran for its score, h(s) of Section 3: one evaluation on the curve of a run. Made
/// when the phase [Evaluation] has ended, since only the score that it kept counts: not that of a
/// script that was repaired later, or whose evaluation failed.
///
/// @param step its path, which is in another run where the phase shares steps with that
/// @param score null if it has none that counts
/// @param error standard error of the score; null unless the harness computed it
public record Scoring(
        String step,
        @Nullable Double score,
        @Nullable Double error,
        Instant endedAt) {
    /// @throws Invalid if the step or the time is missing
    public Scoring {
        if (step == null || endedAt == null) {
            throw new Invalid("an evaluation without step or ended_at");
        }
        StepPath.parse(step);
    }

    public StepPath path() {
        return StepPath.parse(step);
    }

    /// @param kept the result of the evaluation that ran the script; null if it has none
    /// @return empty if the step is not the run of a solution
    static Optional<Scoring> of(KnownStep step, Evaluation.@Nullable Result kept) {
        Optional<StepResult> result = step.result();
        if (result.isEmpty() || result.get().isStopped()
                || !(step.request().isScript() && step.step() instanceof RunScript script)
                || script.kind() != Kind.SOLUTION || script.fold() != 0) {
            return Optional.empty();
        }
        StepResult ended = result.get();
        Score score = standing(script, ended, kept);
        return Optional.of(
                new Scoring(step.path().toString(), score.value(), score.error(), ended.endedAt()));
    }

    /// The score that counts; none if the script did not stay. That of several folds is none that
    /// one of them gave.
    private static Score standing(
            RunScript script,
            StepResult ended,
            Evaluation.@Nullable Result kept) {
        if (kept == null || !kept.script().content().equals(script.content())
                || !(ended.ending() instanceof StepResult.Done done)
                || !(done.execution().trusted() instanceof Execution.Scored ran)) {
            return Score.NONE;
        }
        Score score = kept.script().score();
        return score.isFolded() || Objects.equals(ran.evaluation().score().value(), score.value())
                ? score
                : Score.NONE;
    }
}
