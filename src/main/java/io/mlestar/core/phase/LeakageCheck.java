package io.mlestar.core.phase;

import io.mlestar.core.agent.Leakage;
import io.mlestar.core.agent.LeakageCorrection;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.Answers.LeakageAnswer;
import io.mlestar.core.task.Blocks;
import io.mlestar.core.task.Results.Leak;
import io.mlestar.core.task.SolutionScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A_leakage at work (Section 3.4, REQ-SF-020): detection, and one correction for each block that
/// leaks.
///
/// @param script without the leaks that were corrected; as it was if there is none, or the agent
///   failed
/// @param leaks found in any version
record LeakageCheck(SolutionScript script, List<Leak> leaks) {
    static LeakageCheck of(SolutionScript script, Steps steps) {
        if (steps.context().scoresAreTrusted()) {
            // No script sees the target of a row that it is scored by. One that fools itself scores
            // worse there, which tells as much.
            return new LeakageCheck(script, List.of());
        }
        List<LeakageAnswer> answers =
                steps.attempt(new Leakage(script.content()))
                        .map(found -> found.answers())
                        .orElse(List.of());
        SolutionScript current = script;
        List<Leak> leaks = new ArrayList<>();
        for (LeakageAnswer answer : answers.stream().filter(LeakageAnswer::leaks).toList()) {
            Optional<String> located = Blocks.locate(answer.codeBlock(), current.content());
            if (located.isEmpty()) {
                leaks.add(new Leak(answer.codeBlock(), answer.reason(), Leak.NOT_FOUND));
                continue;
            }
            String block = located.get();
            Optional<String> corrected =
                    steps.attempt(new LeakageCorrection(current.content(), block, answer.reason()))
                            .map(reply -> Blocks.fitted(block, reply.codeBlock()));
            String wrong = wrong(corrected, block, current.content());
            leaks.add(new Leak(block, answer.reason(), wrong));
            if (wrong == null) {
                current = current.replaceBlock(block, corrected.orElseThrow());
            }
        }
        return new LeakageCheck(current, leaks);
    }

    /// The reason why the block cannot be corrected; null if it can.
    private static @Nullable String wrong(Optional<String> corrected, String block, String script) {
        if (corrected.isEmpty()) {
            return "no correction was given";
        }
        return isBlockFor(corrected.get(), block, script)
                ? null
                : "the correction changes nothing, or is not of the block alone";
    }

    /// Refuses an answer that changes nothing, or that is the whole script where only a part was
    /// asked for: put in the place of the part, it would nest the script in itself.
    private static boolean isBlockFor(String corrected, String block, String script) {
        List<String> whole = lines(script);
        List<String> part = lines(block);
        List<String> answer = lines(corrected);
        boolean wholeForPart = answer.getFirst().equals(whole.getFirst())
                && (!part.getFirst().equals(whole.getFirst())
                        || answer.getLast().equals(whole.getLast())
                                && !part.getLast().equals(whole.getLast()));
        return !corrected.equals(block) && !wholeForPart;
    }

    private static List<String> lines(String code) {
        return code.strip().lines().map(String::strip).toList();
    }
}
