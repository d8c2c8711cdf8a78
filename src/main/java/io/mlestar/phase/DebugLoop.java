package io.mlestar.phase;

import io.mlestar.agent.Debugger;
import io.mlestar.agent.Reply;
import io.mlestar.step.Execution;
import io.mlestar.step.Outcome;
import io.mlestar.step.RunScript.Kind;
import io.mlestar.step.RunScript;
import io.mlestar.step.Steps;
import io.mlestar.task.Results.Leak;
import io.mlestar.task.SolutionScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Runs a script and lets A_debugger repair it until it runs or the attempts are used up (REQ-EX-021, REQ-SF-006, REQ-SF-007).
public final class DebugLoop {
    private static final String SCORE_LINE = "print(f\"Final Validation Performance: {final_validation_score}\")";

    /// The last version of the script, with what running it showed.
    ///
    /// @param leaks what became of the leaks that were found in any version
    /// @param repairs how often the debugger was asked
    record Ran(SolutionScript script, Execution execution, List<Leak> leaks, int repairs) {}

    private DebugLoop() {}

    /// Runs `script`; whatever is run has passed the leakage check before, except ablation studies, which nobody scores.
    static Ran run(SolutionScript script, Kind kind, int timeoutSeconds, Steps steps) {
        List<Leak> leaks = new ArrayList<>();
        SolutionScript current = checked(script, kind, leaks, steps);
        Execution execution = steps.call(new RunScript(current.content(), kind, timeoutSeconds));
        int repairs = 0;
        while (execution instanceof Execution.Failed failed && repairs < steps.brief().config().maxDebugAttempts()) {
            repairs++;
            Outcome<Reply.Code> reply = steps.outcome(new Debugger(current.content(), failed.bug(), kind));
            if (reply instanceof Outcome.Failed<Reply.Code>(String reason, boolean unreadable) && !unreadable) {
                break; // Out of reach: the same question would find it there again.
            }
            Optional<SolutionScript> repaired = repaired(current, reply.value(), kind, leaks, steps);
            if (repaired.isPresent()) {
                current = repaired.get();
                execution = steps.call(new RunScript(current.content(), kind, timeoutSeconds));
            }
        }
        return new Ran(current, execution, leaks, repairs);
    }

    /// The repaired script, checked for leakage; empty if the debugger gave no code or nothing has changed in the end: then
    /// nothing is gained by running again.
    private static Optional<SolutionScript> repaired(
            SolutionScript script, Optional<Reply.Code> reply, Kind kind, List<Leak> leaks, Steps steps) {
        return reply.map(given -> kind == Kind.SOLUTION ? withScoreLine(given.code()) : given.code())
                .filter(code -> !code.equals(script.content()))
                .map(code -> checked(script.rewritten(code), kind, leaks, steps))
                .filter(changed -> !changed.content().equals(script.content()));
    }

    private static SolutionScript checked(SolutionScript script, Kind kind, List<Leak> leaks, Steps steps) {
        if (kind == Kind.ABLATION) {
            return script;
        }
        LeakageCheck.Checked checked = LeakageCheck.of(script, steps);
        leaks.addAll(checked.leaks());
        return checked.script();
    }

    public static boolean hasScoreLine(String code) {
        return code.contains("Final Validation Performance");
    }

    /// REQ-SF-010: a repaired solution still has to print its score.
    static String withScoreLine(String code) {
        if (hasScoreLine(code)) {
            return code;
        }
        int main = code.indexOf("\nif __name__");
        return main < 0 ? code.stripTrailing() + "\n" + SCORE_LINE + "\n"
                : code.substring(0, main + 1) + SCORE_LINE + "\n" + code.substring(main + 1);
    }
}
