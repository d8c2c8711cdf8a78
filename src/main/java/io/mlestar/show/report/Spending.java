package io.mlestar.show.report;

import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.RunScript;
import io.mlestar.show.view.StepView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

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
    public record Line(String name, int count, int failed, long inputTokens, long cachedTokens, long outputTokens, @Nullable Double cost, double seconds) {
        Line and(Line other) {
            return new Line(name, count + other.count, failed + other.failed, inputTokens + other.inputTokens, cachedTokens + other.cachedTokens,
                    outputTokens + other.outputTokens, cost == null || other.cost == null ? null : cost + other.cost, seconds + other.seconds);
        }
    }

    /// Takes in the steps of a run, phases before what is in them.
    static final class SpendingCollector {
        private final String run;
        private final Map<String, Line> agents = new TreeMap<>();
        private final Map<String, Line> scripts = new TreeMap<>();
        private final Map<String, Line> phases = new LinkedHashMap<>();
        private final TreeSet<String> models = new TreeSet<>();

        SpendingCollector(String run) {
            this.run = run;
        }

        /// What another run has paid for does not count.
        void add(StepView step, boolean failed) {
            if (step.result().isEmpty() || !step.isOwn(run)) {
                return;
            }
            StepResult result = step.result().get();
            String phase = step.path().top().inside();
            if (step.step() instanceof Phase<?> && step.path().isTop()) {
                phases.put(phase, new Line(phase, 0, 0, 0, 0, 0, result.costUsd(), step.seconds()));
            }
            if (step.step() instanceof Phase<?> || result instanceof StepResult.Stopped) {
                return;
            }
            int failures = failed ? 1 : 0;
            phases.computeIfPresent(phase, (name, line) -> line.and(new Line(name, 1, failures, 0, 0, 0, 0.0, 0)));
            double seconds = result.took().toMillis() / 1000.0;
            switch (step.step()) {
                case RunScript script -> {
                    String kind = script.kind().name().toLowerCase(Locale.ROOT);
                    scripts.merge(kind, new Line(kind, 1, failures, 0, 0, 0, 0.0, seconds), Line::and);
                }
                case Agent<?> agent -> agents.merge(agent.type().id(), asked(agent, step, failures, seconds), Line::and);
                case Phase<?> above -> {}
            }
        }

        private Line asked(Agent<?> agent, StepView step, int failures, double seconds) {
            if (!(step.found() instanceof StepView.Replied(var asked, Answer answer))) {
                return new Line(agent.type().id(), 1, 1, 0, 0, 0, 0.0, seconds);
            }
            Answer.Usage usage = answer.usage();
            models.add(usage.model());
            return new Line(agent.type().id(), 1, failures, usage.inputTokens(), usage.cachedTokens(), usage.outputTokens(),
                    step.result().orElseThrow().costUsd(), seconds);
        }

        Spending spending() {
            return new Spending(List.copyOf(agents.values()), List.copyOf(scripts.values()), List.copyOf(phases.values()), List.copyOf(models));
        }
    }

    Line total() {
        return agents.stream().reduce(new Line("all agents", 0, 0, 0, 0, 0, 0.0, 0), Line::and);
    }
}
