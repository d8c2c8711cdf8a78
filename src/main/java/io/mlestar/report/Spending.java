package io.mlestar.report;

import io.mlestar.engine.Records;
import io.mlestar.engine.StepResult.Status;
import io.mlestar.engine.StepResult;
import io.mlestar.event.Event;
import io.mlestar.step.Answer;
import io.mlestar.task.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// What a run was spent on.
///
/// @param agents by type
/// @param scripts by what they were for
/// @param phases in the order in which they began
/// @param models that answered
public record Spending(List<Line> agents, List<Line> scripts, List<Line> phases, List<String> models) {
    /// @param count answers, script runs, or steps of a phase
    /// @param failed of them
    /// @param cost null if a price is unknown
    /// @param seconds of work; of a phase, wall clock
    public record Line(String name, int count, int failed, long inputTokens, long cachedTokens, long outputTokens, Double cost, double seconds) {
        Line and(Line other) {
            return new Line(name, count + other.count, failed + other.failed, inputTokens + other.inputTokens, cachedTokens + other.cachedTokens,
                    outputTokens + other.outputTokens, cost == null || other.cost == null ? null : cost + other.cost, seconds + other.seconds);
        }
    }

    /// Takes in the steps of a run, phases before what is in them.
    static final class Collector {
        private final String run;
        private final Map<String, Line> agents = new TreeMap<>();
        private final Map<String, Line> scripts = new TreeMap<>();
        private final Map<String, Line> phases = new java.util.LinkedHashMap<>();
        private final TreeSet<String> models = new TreeSet<>();

        Collector(String run) {
            this.run = run;
        }

        /// What another run has paid for does not count.
        void add(Records.Known step, boolean failed) {
            if (step.result().isEmpty() || !step.path().run().equals(run) || step.result().get().sharedWith() != null) {
                return;
            }
            StepResult result = step.result().get();
            String phase = step.path().inside().split("/", 2)[0];
            boolean top = phase.equals(step.path().inside());
            if (step.request().isPhase()) {
                if (top) {
                    phases.put(phase, new Line(phase, 0, 0, 0, 0, 0, result.costUsd(),
                            Duration.between(step.request().askedAt(), result.endedAt()).toMillis() / 1000.0));
                }
                return;
            }
            if (result.status() == Status.STOPPED) {
                return;
            }
            phases.computeIfPresent(phase, (name, line) -> line.and(new Line(name, 1, failed ? 1 : 0, 0, 0, 0, 0.0, 0)));
            double seconds = Duration.between(result.startedAt(), result.endedAt()).toMillis() / 1000.0;
            if (step.request().isScript()) {
                String kind = step.request().input().path("kind").asText().toLowerCase(java.util.Locale.ROOT);
                scripts.merge(kind, new Line(kind, 1, failed ? 1 : 0, 0, 0, 0, 0.0, seconds), Line::and);
                return;
            }
            String agent = step.request().type().substring(Event.agentType("").length());
            Answer.Usage usage = result.status() != Status.DONE ? null : Json.read(result.value(), Answer.class).usage();
            if (usage != null) {
                models.add(usage.model());
            }
            agents.merge(agent, usage == null ? new Line(agent, 1, 1, 0, 0, 0, 0.0, seconds)
                    : new Line(agent, 1, failed ? 1 : 0, usage.inputTokens(), usage.cachedTokens(), usage.outputTokens(), result.costUsd(), seconds),
                    Line::and);
        }

        Spending spending() {
            return new Spending(List.copyOf(agents.values()), List.copyOf(scripts.values()), List.copyOf(phases.values()), List.copyOf(models));
        }
    }

    Line total() {
        return agents.stream().reduce(new Line("all agents", 0, 0, 0, 0, 0, 0.0, 0), Line::and);
    }
}
