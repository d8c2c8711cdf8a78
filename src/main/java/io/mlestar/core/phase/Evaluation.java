package io.mlestar.core.phase;

import io.mlestar.core.base.Telling;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport.PhaseText;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Results.Leak;
import io.mlestar.core.task.SolutionScript;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// h(s): checks a script for leakage, runs it, debugs it, and takes its score (Section 3.4).
///
/// @param kind [Kind#SOLUTION], or [Kind#SUBMISSION] for the last script
public record Evaluation(SolutionScript script, Kind kind) implements Phase<Evaluation.Evaluated> {
    private static final int PRINTED = 1_900;

    /// @param script the version that ran last, with its score
    /// @param failure why it counts as failed; null if it did not
    /// @param submission what it left in `./final`; null if nothing
    /// @param leaks found in any version
    /// @param repairs how often the debugger was asked
    /// @param repaired how often it changed `script`, and why; null if it did not, or if the script failed
    public record Evaluated(SolutionScript script, @Nullable String failure, double durationSeconds, Execution.@Nullable Submission submission,
            List<Leak> leaks, int repairs, @Nullable String repaired) implements PhaseResult {
        public Evaluated {
            leaks = leaks == null ? List.of() : List.copyOf(leaks);
        }

        /// Why there is no score.
        String shortly() {
            return failure == null ? "it has no score" : failure;
        }
    }

    @Override
    public Evaluated run(Steps steps) {
        PipelineConfig config = steps.context().config();
        int timeout = kind == Kind.SUBMISSION ? config.limits().timeLimitSeconds() : config.limits().solutionTimeoutSeconds();
        DebugLoop.Ran ran = DebugLoop.run(script, kind, timeout, steps);
        double seconds = ran.execution().evaluation().durationSeconds();
        // Of a blend it says which members are left out.
        String printed = ran.execution().evaluation().validation() != null || Ensemble.BLEND.equals(script.step())
                || config.search().isByScript() && kind == Kind.SOLUTION ? Telling.of(ran.execution().evaluation().stdout(), PRINTED) : null;
        return switch (ran.execution()) {
            case Execution.Failed failed -> new Evaluated(ran.script().failed(), failed.reason(kind), seconds, null, ran.leaks(), ran.repairs(), null);
            case Execution.Silent silent ->
                new Evaluated(ran.script().scored(null).ranFor(seconds).printing(printed), silent.isWithoutScore(kind) ? silent.reason(kind) : null,
                        seconds, silent.submission(), ran.leaks(), ran.repairs(), ran.repaired());
            case Execution.Scored scored -> new Evaluated(ran.script().scored(scored.score()).ranFor(seconds).validated(scored.evaluation().validation())
                    .printing(printed), null, seconds, scored.submission(),
                    ran.leaks(), ran.repairs(), ran.repaired());
        };
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
    public PhaseReport report(Evaluated result) {
        String failure = result.failure() == null ? "" : result.failure();
        PhaseReport report =
                PhaseReport.of(result.script()).saying(failure).revising(script.content(), result.script().content()).with(PhaseText.FAILURE, failure);
        return kind == Kind.SOLUTION ? report.required() : report;
    }
}
