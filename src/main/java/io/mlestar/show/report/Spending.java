package io.mlestar.show.report;

import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.RunScript;
import io.mlestar.show.render.Formats;
import io.mlestar.show.view.StepView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The spending of a run, as tables by agent, kind of script and phase. Takes in the steps of the
/// run, phases before what is in them.
public final class Spending {
    private final String run;
    private final Map<String, Line> agents = new TreeMap<>();
    private final Map<String, Line> scripts = new TreeMap<>();
    private final Map<String, Line> phases = new LinkedHashMap<>();
    private final TreeSet<String> models = new TreeSet<>();

    Spending(String run) {
        this.run = run;
    }

    /// @param count answers, script runs, or steps of a phase
    /// @param failed of them
    /// @param costUsd null if a price is unknown
    /// @param seconds of work; of a phase, wall clock
    record Line(
            String name,
            int count,
            int failed,
            long inputTokens,
            long cachedTokens,
            long outputTokens,
            @Nullable Double costUsd,
            double seconds) {
        static Line of(String name, int failed, double seconds) {
            return new Line(name, 1, failed, 0, 0, 0, 0.0, seconds);
        }

        Line and(Line other) {
            return new Line(name, count + other.count, failed + other.failed,
                    inputTokens + other.inputTokens, cachedTokens + other.cachedTokens,
                    outputTokens + other.outputTokens,
                    costUsd == null || other.costUsd == null ? null : costUsd + other.costUsd,
                    seconds + other.seconds);
        }
    }

    /// Steps that another run paid for do not count.
    void add(StepView step, boolean failed) {
        if (step.result().isEmpty() || !step.isOwn(run)) {
            return;
        }
        StepResult result = step.result().get();
        String phase = step.path().top().inside();
        if (step.step() instanceof Phase<?> && step.path().isTop()) {
            phases.put(phase, new Line(phase, 0, 0, 0, 0, 0, result.costUsd(), step.seconds()));
        }
        if (step.step() instanceof Phase<?> || result.isStopped()) {
            return;
        }
        int failures = failed ? 1 : 0;
        phases.computeIfPresent(phase, (name, line) -> line.and(Line.of(name, failures, 0)));
        double seconds = result.took().toMillis() / 1000.0;
        if (step.step() instanceof RunScript script) {
            String kind = script.kind().name().toLowerCase(Locale.ROOT);
            scripts.merge(kind, Line.of(kind, failures, seconds), Line::and);
        } else if (step.step() instanceof Agent<?> agent) {
            agents.merge(agent.name(), asked(agent, step, failures, seconds), Line::and);
        }
    }

    private Line asked(Agent<?> agent, StepView step, int failures, double seconds) {
        if (!(step.found() instanceof StepView.Replied(var asked, Answer answer))) {
            return Line.of(agent.name(), 1, seconds);
        }
        Answer.Usage usage = answer.usage();
        models.add(usage.model());
        return new Line(agent.name(), 1, failures, usage.inputTokens(), usage.cachedTokens(),
                usage.outputTokens(), step.result().orElseThrow().costUsd(), seconds);
    }

    /// All calls of agents together.
    Line calls() {
        return agents.values()
                .stream()
                .reduce(new Line("all agents", 0, 0, 0, 0, 0, 0.0, 0), Line::and);
    }

    int scriptRuns() {
        return scripts.values().stream().mapToInt(Line::count).sum();
    }

    /// Names of the models that answered.
    Set<String> models() {
        return models;
    }

    /// The cells of a table with a line for each agent and variant, and one for their sum.
    public List<List<String>> byAgent() {
        return Stream.concat(agents.values().stream(), Stream.of(calls()))
                .map(line -> List.of(line.name(), String.valueOf(line.count()),
                        String.valueOf(line.failed()), Formats.tokens(line.inputTokens()),
                        Formats.tokens(line.cachedTokens()), Formats.tokens(line.outputTokens()),
                        Formats.tokens((line.inputTokens() + line.outputTokens())
                                / Math.max(1, line.count())),
                        Formats.dollars(line.costUsd()), Formats.duration(line.seconds())))
                .toList();
    }

    public List<List<String>> byScript() {
        return scripts.values()
                .stream()
                .map(
                        line -> List.of(line.name(), String.valueOf(line.count()),
                                String.valueOf(line.failed()), Formats.duration(line.seconds())))
                .toList();
    }

    public List<List<String>> byPhase() {
        return phases.values()
                .stream()
                .map(line -> List.of(line.name(), String.valueOf(line.count()),
                        String.valueOf(line.failed()), Formats.dollars(line.costUsd()),
                        Formats.duration(line.seconds())))
                .toList();
    }
}
