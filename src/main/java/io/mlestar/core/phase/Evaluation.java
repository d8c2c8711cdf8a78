package io.mlestar.core.phase;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.OutputExcerpt;
import io.mlestar.core.step.Arithmetic.CombinedFolds;
import io.mlestar.core.step.Execution.Submission;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.PhaseReport.PhaseText;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.Scheduling.Load;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Results.Leak;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.StrongSearch;
import io.mlestar.core.task.Validation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// h(s): checks a script for leakage, runs it, debugs it, and takes its score (Section 3.4).
///
/// @param kind [Kind#SOLUTION], or [Kind#SUBMISSION] for the last script
/// @param rival which the script would take the place of, by folds of hidden rows: one that is
///   surely worse on the first is not run on the others; null if there is none
public record Evaluation(
        SolutionScript script,
        Kind kind,
        @Nullable Rival rival) implements Phase<Evaluation.Result> {
    private static final int PRINTED = 1_900;
    /// The share of the time limit for scripts; the rest is for answers, and for what takes longer
    /// than thought.
    private static final double SHARE = 0.7;
    /// The last script, which learns from all rows.
    private static final int LAST = 2;

    /// A script whose score is not raced against that of another.
    public Evaluation(SolutionScript script, Kind kind) {
        this(script, kind, null);
    }

    /// @param script the version that ran last, with its score
    /// @param failure why it counts as failed; null if it did not
    /// @param submission what it left in `./final`; null if nothing
    /// @param leaks found in any version
    /// @param repairs how often the debugger was asked
    /// @param repaired how often it changed `script`, and why; null if it did not, or if the script
    ///   failed
    /// @param lost why it was stopped after the first fold: it has no score then, but the
    ///   validation on that; null if it was not
    public record Result(
            SolutionScript script,
            @Nullable String failure,
            double durationSeconds,
            @Nullable Submission submission,
            List<Leak> leaks,
            int repairs,
            @Nullable String repaired,
            @Nullable String lost) implements PhaseResult {
        public Result {
            leaks = Invalid.optional(leaks);
        }

        /// The result of a script that did not run to its end, or was never run.
        static Result failed(
                SolutionScript script,
                String why,
                double seconds,
                List<Leak> leaks,
                int repairs) {
            return new Result(script.failed(), why, seconds, null, leaks, repairs, null, null);
        }

        /// The remark that planners get beside the score, or in its place.
        @Nullable
        String remark() {
            return lost == null ? repaired : lost;
        }

        /// The reason why there is no score, in a few words.
        public String shortly() {
            if (failure != null) {
                return failure;
            }
            return lost != null ? lost : "it has no score";
        }
    }

    /// Evaluates the script; if that fails as a step, the script counts as failed.
    ///
    /// @throws io.mlestar.core.step.StepStopped if the run has to finish
    Result by(Steps steps) {
        return steps.attempt(this)
                .orElseGet(() -> Result.failed(script, "the evaluation failed", 0, List.of(), 0));
    }

    @Override
    public Result run(Steps steps) {
        PipelineConfig config = steps.context().config();
        int timeout =
                kind == Kind.SUBMISSION
                        ? config.limits().timeLimitSeconds()
                        : config.limits().solutionTimeoutSeconds();
        DebugLoop.Result ran = DebugLoop.run(script, kind, timeout, steps);
        // The paper's agents read no output.
        boolean isRead = config.search() instanceof StrongSearch;
        SolutionScript timed = ran.script()
                .ranFor(ran.seconds())
                .printing(isRead ? OutputExcerpt.of(ran.stdout(), PRINTED) : null);
        return switch (ran.execution()) {
            case Execution.Failed failed -> failed(ran, failed.reason(kind));
            case Execution.Silent silent ->
                ended(ran, timed.scored(Score.NONE), silent.submission());
            case Execution.Scored scored -> scored(ran, timed, scored, timeout, steps);
        };
    }

    private Result scored(
            DebugLoop.Result ran,
            SolutionScript timed,
            Execution.Scored scored,
            int timeout,
            Steps steps) {
        Score score = scored.evaluation().score();
        Validation first = score.validation();
        if (first == null) {
            return ended(ran, timed.scored(score), scored.submission());
        }
        return switch (Folds.of(timed, first, ran.seconds(), timeout, rival, steps)) {
            case Folds.FirstAlone _ -> ended(ran, timed.scored(score), scored.submission());
            case Folds.OnAll(CombinedFolds all) ->
                ended(ran, timed.scored(Score.by(all.validation())), all.submission());
            case Folds.FailedOn(String why) -> failed(ran, why);
            case Folds.Lost(String why) ->
                new Result(timed.scored(Score.withoutValue(first)), null, ran.seconds(), null,
                        ran.leaks(), ran.repairs(), ran.repaired(), why);
        };
    }

    private Result ended(
            DebugLoop.Result ran,
            SolutionScript script,
            @Nullable Submission submission) {
        Execution execution = ran.execution();
        String failure = execution.isWithoutScore(kind) ? execution.reason(kind) : null;
        return new Result(script, failure, ran.seconds(), submission, ran.leaks(), ran.repairs(),
                ran.repaired(), null);
    }

    private static Result failed(DebugLoop.Result ran, String why) {
        return Result.failed(ran.script(), why, ran.seconds(), ran.leaks(), ran.repairs());
    }

    /// True if a run has time for all folds, if each of its scripts takes as long as this one did.
    public static boolean affords(double seconds, int folds, int slots, PipelineConfig config) {
        StrongSearch strong = config.strong();
        Load later = ScriptSearch.load(strong, folds).plus(BlendedEnsemble.load(folds));
        int scripts = strong.numRetrievedModels() * folds + later.scripts() + LAST;
        return seconds * scripts / slots <= SHARE * config.limits().timeLimitSeconds();
    }

    @Override
    public String name() {
        return "evaluation";
    }

    @Override
    public String title() {
        return "Evaluation";
    }

    @Override
    public PhaseReport report(Result result) {
        String failure = result.failure() == null ? "" : result.failure();
        PhaseReport report =
                PhaseReport.of(result.script())
                        .saying(result.lost() == null ? failure : result.lost())
                        .revising(script.content(), result.script().content())
                        .with(PhaseText.FAILURE, failure);
        return kind == Kind.SOLUTION ? report.required() : report;
    }
}
