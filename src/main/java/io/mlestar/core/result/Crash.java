package io.mlestar.core.result;

import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Walk;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunScript;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The most frequent ending of the scripts of a failed run, which mostly is why it failed.
///
/// @param step the first of them, as a path inside the run
/// @param ending how, e.g. `crashed: ValueError: …`
/// @param others how many more ended so
public record Crash(String step, String ending, int others) {
    private static final int LONGEST = 200;

    public Crash {
        Invalid.text("step", step);
        Invalid.text("ending", ending);
    }

    /// Endings that differ in numbers only count as one. Empty if no script failed.
    static Optional<Crash> mostOften(Records records, String run) {
        Map<String, Crash> found = new LinkedHashMap<>();
        Walk.READABLE.steps(records, run)
                .flatMap(Crash::of)
                .forEach(one -> found.merge(one.ending.replaceAll("\\d+", "0"), one,
                        (first, next) -> new Crash(first.step, first.ending, first.others + 1)));
        return found.values().stream().max(Comparator.comparingInt(Crash::others));
    }

    private static Stream<Crash> of(KnownStep step) {
        try {
            if (step.step() instanceof RunScript script && !script.kind().isProbe()) {
                return step.done()
                        .map(StepResult.Done::execution)
                        .filter(ran -> ran instanceof Execution.Failed
                                || ran.isWithoutScore(script.kind()))
                        .map(ran -> new Crash(step.path().inside(),
                                Excerpt.line(ran.words(script.kind()), LONGEST), 0))
                        .stream();
            }
        } catch (Invalid e) {
            // Another program wrote it: perhaps that is why the run has failed.
        }
        return Stream.empty();
    }

    public String words() {
        String scripts = others == 1 ? " other script" : " other scripts";
        return step + " " + ending + (others == 0 ? "" : ", as did " + others + scripts);
    }
}
