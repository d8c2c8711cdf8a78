package io.mlestar.core.records;

import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.Scheduling.Load;
import io.mlestar.core.step.StepPath;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The time and money that the answers and scripts of a run, or of a part of it, have taken so far.
/// The next ones, and finalization, may take as much.
///
/// @param answers by name of the agent, the most that an answer of it has taken
/// @param longestScriptSeconds of the scripts that scored; null if none has
public record Measurements(
        Map<String, DearestAnswer> answers,
        @Nullable Double longestScriptSeconds) {
    public static final Measurements NOTHING = new Measurements(Map.of(), null);
    /// Finalization looks for what subsamples, takes it out, asks for the submission script, which
    /// is longer than most answers, and has it checked for leakage. The submission script trains on
    /// all data, so it counts twice.
    private static final Load LAST = new Load(6, 2);
    private static final List<String> LAST_AGENTS =
            List.of("test-subsampling_extract", "test-subsampling_remove", "test", "leakage");

    /// The most that an answer of an agent has cost, and taken.
    ///
    /// @param usd 0 if no price was known
    public record DearestAnswer(double usd, double seconds) {
        DearestAnswer and(DearestAnswer other) {
            return new DearestAnswer(Math.max(usd, other.usd), Math.max(seconds, other.seconds));
        }
    }

    public Measurements {
        answers = answers == null ? Map.of() : Map.copyOf(answers);
    }

    /// The measures of one step. Its name says whether it is an agent, a script or a phase, so that
    /// no request has to be read.
    static Measurements of(StepPath path, StepResult result) {
        if (!(result.ending() instanceof StepResult.Done done)) {
            return NOTHING;
        }
        double seconds = result.took().toMillis() / 1000.0;
        if (Walk.isAgent(path)) {
            // Not the step's cost, which is nothing if it is shared, and more if earlier attempts
            // failed.
            return new Measurements(
                    Map.of(path.plainName(), new DearestAnswer(
                            done.value().at("/usage/cost_usd").asDouble(), seconds)),
                    null);
        }
        return RunScript.NAMES.contains(path.plainName()) && hasScored(done.execution())
                ? new Measurements(Map.of(), seconds)
                : NOTHING;
    }

    private static boolean hasScored(Execution execution) {
        return execution instanceof Execution.Scored
                || execution instanceof Execution.Doubtful doubtful
                        && doubtful.trusted() instanceof Execution.Scored;
    }

    Measurements and(Measurements other) {
        Map<String, DearestAnswer> both = new HashMap<>(answers);
        other.answers.forEach((agent, most) -> both.merge(agent, most, DearestAnswer::and));
        Double longest = Stream.of(this, other)
                .map(Measurements::longestScriptSeconds)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(null);
        return new Measurements(both, longest);
    }

    public boolean hasScored() {
        return longestScriptSeconds != null;
    }

    /// The likely cost of an answer: the most that one of the same agent has cost. For an agent
    /// that has not answered yet it is the mean of the others.
    double likelyUsd(String agent) {
        DearestAnswer own = answers.get(agent);
        return own != null ? own.usd : mean().usd;
    }

    /// The likely cost of all answers that finalization needs if nothing crashes.
    public double lastUsd() {
        return LAST_AGENTS.stream().mapToDouble(this::likelyUsd).sum();
    }

    /// The time that finalization may take.
    Duration lastTime() {
        return time(LAST);
    }

    private Duration time(Load load) {
        return Duration.ofMillis((long) (1000 * (load.answers() * mean().seconds
                + load.scripts() * Objects.requireNonNullElse(longestScriptSeconds, 0.0))));
    }

    /// The time that the rest of a run may take: twice what it takes if nothing crashes, and
    /// finalization.
    ///
    /// @param later what is still to be done before finalization
    public Duration rest(Load later) {
        return time(later).multipliedBy(2).plus(lastTime());
    }

    private DearestAnswer mean() {
        return new DearestAnswer(
                answers.values().stream().mapToDouble(DearestAnswer::usd).average().orElse(0),
                answers.values().stream().mapToDouble(DearestAnswer::seconds).average().orElse(0));
    }
}
