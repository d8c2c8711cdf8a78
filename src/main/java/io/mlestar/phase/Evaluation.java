package io.mlestar.phase;

import io.mlestar.step.Execution;
import io.mlestar.step.Phase;
import io.mlestar.step.RunScript.Kind;
import io.mlestar.step.Steps;
import io.mlestar.task.PipelineConfig;
import io.mlestar.task.Results.Leak;
import io.mlestar.task.SolutionScript;
import java.util.List;

/// h(s): checks a script for leakage, runs it, debugs it, and takes its score (Section 3.4).
///
/// @param kind [Kind#SOLUTION], or [Kind#SUBMISSION] for the last script
public record Evaluation(SolutionScript script, Kind kind) implements Phase<Evaluation.Evaluated> {
    /// @param script the version that ran last, with its score
    /// @param failure why it counts as failed; null if it did not
    /// @param submission what it left in `./final`; null if nothing
    /// @param leaks what became of the leaks that were found
    /// @param repairs how often the debugger was asked
    public record Evaluated(SolutionScript script, String failure, double durationSeconds, Execution.Submission submission,
            List<Leak> leaks, int repairs) {
        public Evaluated {
            leaks = leaks == null ? List.of() : List.copyOf(leaks);
        }

        /// Why there is no score, shortened; for those who count it as a failure.
        String shortly() {
            return failure == null ? "it has no score" : failure;
        }
    }

    @Override
    public Evaluated run(Steps steps) {
        PipelineConfig config = steps.brief().config();
        int timeout = kind == Kind.SUBMISSION ? config.timeLimitSeconds() : config.solutionTimeoutSeconds();
        DebugLoop.Ran ran = DebugLoop.run(script, kind, timeout, steps);
        Execution execution = ran.execution();
        double seconds = execution.evaluation().durationSeconds();
        if (execution.evaluation().isError()) {
            return new Evaluated(ran.script().failed(), Execution.lastLine(execution.bug()), seconds, null,
                    ran.leaks(), ran.repairs());
        }
        boolean silent = kind == Kind.SOLUTION && execution.score() == null;
        return new Evaluated(ran.script().scored(execution.score()), silent ? "it ran, but printed no score" : null, seconds,
                execution.submission(), ran.leaks(), ran.repairs());
    }

    @Override
    public String name() {
        return "evaluation";
    }

    @Override
    public Class<Evaluated> resultType() {
        return Evaluated.class;
    }
}
