package io.mlestar.plan;

import io.mlestar.records.KnownStep;
import io.mlestar.records.Records;
import io.mlestar.records.StepResult;
import io.mlestar.step.Phase;
import io.mlestar.step.StepPath;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a run had to wait for, one thing after the other: the steps of which none could have ended later without the run ending later.
/// Read backwards: what a phase did last it did when the step ended that it had waited for.
///
/// @param parts by the run's parts, in their order
public record CriticalPath(Map<String, Waited> parts) {
    /// What a part waited for.
    ///
    /// @param gpus for a script to get a GPU or a slot, before it began
    /// @param engine for whatever is neither: events, and the program itself
    public record Waited(Duration scripts, Duration models, Duration gpus, Duration engine) {
        static final Waited NONE = new Waited(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);

        Waited plus(Waited more) {
            return new Waited(scripts.plus(more.scripts), models.plus(more.models), gpus.plus(more.gpus), engine.plus(more.engine));
        }

        Waited idle(Instant from, Instant to) {
            return plus(new Waited(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.between(from, to)));
        }

        /// Without what the engine took: the length of the critical path.
        public Duration path() {
            return scripts.plus(models).plus(gpus);
        }
    }

    /// All parts together.
    public Waited all() {
        return parts.values().stream().reduce(Waited.NONE, Waited::plus);
    }

    /// @param run one that has ended
    static CriticalPath of(Records records, String run) {
        StepPath root = StepPath.root(run);
        Instant end = records.result(root).orElseThrow().endedAt();
        Map<String, Waited> parts = new LinkedHashMap<>();
        Instant after = records.request(root).orElseThrow().askedAt();
        String part = root.name();
        for (KnownStep step : path(records.below(root), end)) {
            part = step.step() instanceof Phase<?> phase ? phase.part() : step.path().name();
            parts.merge(part, of(records, step).idle(after, step.request().askedAt()), Waited::plus);
            after = end(step);
        }
        parts.merge(part, Waited.NONE.idle(after, end), Waited::plus);
        return new CriticalPath(parts);
    }

    private static Waited of(Records records, KnownStep step) {
        Instant asked = step.request().askedAt();
        StepResult result = step.result().orElseThrow();
        if (!step.request().isPhase()) {
            Duration before = Duration.between(asked, result.startedAt());
            return step.request().isScript() ? new Waited(result.took(), Duration.ZERO, before, Duration.ZERO)
                    : new Waited(Duration.ZERO, result.took(), Duration.ZERO, before);
        }
        Waited sum = Waited.NONE;
        Instant after = asked;
        for (KnownStep below : path(records.below(step.path()), result.endedAt())) {
            sum = sum.plus(of(records, below)).idle(after, below.request().askedAt());
            after = end(below);
        }
        return sum.idle(after, result.endedAt());
    }

    /// The steps of one phase that follow each other to its end, from the first.
    private static List<KnownStep> path(List<KnownStep> steps, Instant end) {
        List<KnownStep> path = new ArrayList<>();
        Optional<KnownStep> last = lastBefore(steps, end);
        while (last.isPresent()) {
            path.addFirst(last.get());
            Instant asked = last.get().request().askedAt();
            last = lastBefore(steps, asked);
        }
        return path;
    }

    private static Optional<KnownStep> lastBefore(List<KnownStep> steps, Instant instant) {
        return steps.stream().filter(step -> step.result().isPresent() && step.request().askedAt().isBefore(instant) && !end(step).isAfter(instant))
                .max(Comparator.comparing(CriticalPath::end));
    }

    private static Instant end(KnownStep step) {
        return step.result().orElseThrow().endedAt();
    }
}
