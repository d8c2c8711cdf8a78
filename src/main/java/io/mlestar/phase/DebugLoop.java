package io.mlestar.phase;

import io.mlestar.agent.Debugger;
import io.mlestar.step.Execution;
import io.mlestar.step.RunScript;
import io.mlestar.step.RunScript.Kind;
import io.mlestar.step.Steps;
import io.mlestar.task.SolutionScript;
import java.util.Optional;

/// Runs a script and lets A_debugger repair it until it runs or the attempts are used up (REQ-EX-021, REQ-SF-006, REQ-SF-007).
final class DebugLoop {
    private static final String SCORE_LINE = "print(f\"Final Validation Performance: {final_validation_score}\")";

    /// The last version of the script, with what running it showed.
    record Ran(SolutionScript script, Execution execution) {}

    private DebugLoop() {}

    /// Runs `script`; whatever is run has passed the leakage check before, except ablation studies, which nobody scores.
    static Ran run(SolutionScript script, Kind kind, int timeoutSeconds, Steps steps) {
        SolutionScript current = checked(script, kind, steps);
        Execution execution = steps.call(new RunScript(current.content(), kind, timeoutSeconds));
        for (int attempt = 1; execution.evaluation().isError() && attempt <= steps.brief().config().maxDebugAttempts(); attempt++) {
            Optional<SolutionScript> repaired = repaired(current, execution.bug(), kind, steps);
            if (repaired.isPresent()) {
                current = repaired.get();
                execution = steps.call(new RunScript(current.content(), kind, timeoutSeconds));
            }
        }
        return new Ran(current, execution);
    }

    /// The repaired script, checked for leakage; empty if the debugger gave no code or nothing has changed in the end: then
    /// nothing is gained by running again.
    private static Optional<SolutionScript> repaired(SolutionScript script, String bug, Kind kind, Steps steps) {
        return steps.attempt(new Debugger(script.content(), bug, kind))
                .map(reply -> kind == Kind.SOLUTION ? withScoreLine(reply.code()) : reply.code())
                .filter(code -> !code.equals(script.content()))
                .map(code -> checked(script.rewritten(code), kind, steps))
                .filter(changed -> !changed.content().equals(script.content()));
    }

    private static SolutionScript checked(SolutionScript script, Kind kind, Steps steps) {
        return kind == Kind.ABLATION ? script : LeakageCheck.of(script, steps);
    }

    /// REQ-SF-010: a repaired solution still has to print its score.
    static String withScoreLine(String code) {
        if (code.contains("Final Validation Performance")) {
            return code;
        }
        int main = code.indexOf("\nif __name__");
        return main < 0 ? code.stripTrailing() + "\n" + SCORE_LINE + "\n"
                : code.substring(0, main + 1) + SCORE_LINE + "\n" + code.substring(main + 1);
    }
}
