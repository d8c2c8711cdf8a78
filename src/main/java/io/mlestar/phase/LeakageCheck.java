package io.mlestar.phase;

import io.mlestar.agent.Leakage;
import io.mlestar.agent.LeakageCorrection;
import io.mlestar.step.Steps;
import io.mlestar.task.Answers.LeakageAnswer;
import io.mlestar.task.LeakageStatus;
import io.mlestar.task.SolutionScript;
import java.util.List;
import java.util.Optional;

/// A_leakage at work (Section 3.4, REQ-SF-020): detection, and one correction for each block that leaks.
final class LeakageCheck {
    private LeakageCheck() {}

    /// The script without the leaks that were found; the script itself if there is none, or the agent failed.
    static SolutionScript of(SolutionScript script, Steps steps) {
        List<LeakageAnswer> answers = steps.attempt(new Leakage(script.content())).map(found -> found.answers()).orElse(List.of());
        SolutionScript current = script;
        for (LeakageAnswer answer : answers) {
            if (answer.leakageStatus() == LeakageStatus.YES) {
                current = corrected(current, answer.codeBlock(), steps);
            }
        }
        return current;
    }

    private static SolutionScript corrected(SolutionScript script, String claimed, Steps steps) {
        Optional<String> block = Blocks.locate(claimed, script.content());
        if (block.isEmpty()) {
            return script;
        }
        return steps.attempt(new LeakageCorrection(script.content()))
                .map(reply -> reply.codeBlock())
                .filter(corrected -> isBlockFor(corrected, block.get(), script.content()))
                .map(corrected -> script.replaceBlock(block.get(), corrected))
                .orElse(script);
    }

    /// Refuses an answer that changes nothing, or that is the whole script where only a part was asked for: put in the place
    /// of the part, it would nest the script in itself.
    private static boolean isBlockFor(String corrected, String block, String script) {
        List<String> whole = lines(script);
        List<String> part = lines(block);
        List<String> answer = lines(corrected);
        boolean wholeForPart = answer.getFirst().equals(whole.getFirst())
                && (!part.getFirst().equals(whole.getFirst())
                        || answer.getLast().equals(whole.getLast()) && !part.getLast().equals(whole.getLast()));
        return !corrected.equals(block) && !wholeForPart;
    }

    private static List<String> lines(String code) {
        return code.strip().lines().map(String::strip).toList();
    }
}
