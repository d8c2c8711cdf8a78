package io.mlestar.show.telemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.mlestar.adapter.broker.EmbeddedBroker;
import io.mlestar.core.base.BestEffort;
import io.mlestar.core.event.Event;
import io.mlestar.core.event.Functions;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Walk;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.StoreUnavailable;
import io.mlestar.core.task.ModelSettings;
import io.mlestar.show.view.StepView;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/// Counts what happens in this process, for `/q/metrics`. No label holds text made up by a user, a
/// model or a script: runs and paths are in the logs and traces. A step's cost is counted where its
/// result is first stored, so all processes together count it once.
@Singleton
public class ProcessMetrics implements Watcher, EmbeddedBroker.Listener {
    private static final Logger LOG = Logger.getLogger("mle_star.metrics");
    private static final Duration[] CALLS = seconds(0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600);
    private static final Duration[] WORK =
            seconds(1, 5, 15, 60, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 86_400);
    private static final Duration[] QUEUE =
            seconds(0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600);
    private static final int MOST_NAMES = 32;
    private static final int LONGEST_NAME = 64;
    private static final String PREFIX = "io.mlestar.";
    private static final Set<String> TYPES = Stream
            .concat(Functions.ALL.stream().map(Functions.Spec::type),
                    Stream.of(Event.RUN_COMPLETED, Event.RUN_FAILED))
            .collect(Collectors.toUnmodifiableSet());

    private final MeterRegistry registry;
    private final Records records;
    private final Set<String> models = ConcurrentHashMap.newKeySet();
    private final Set<String> tools = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> troubles = new ConcurrentHashMap<>();

    ProcessMetrics(MeterRegistry registry, Records records) {
        this.registry = registry;
        this.records = records;
    }

    @Override
    public void unreadable(RunHeader run, StepPath step, String reason) {
        count("mlestar.answers.unreadable", "Answers that the phase could not read", 1, "agent",
                step.plainName());
    }

    @Override
    public void ended(RunHeader run, StepPath step, StepRequest request, StepResult result) {
        if (request.isPhase()) {
            steps("phase", request.kind(), request, result);
            if (isOwn(result)) {
                time("mlestar.phase.duration", "Phases, from asked to ended", WORK, result.took(),
                        "phase", request.kind());
            }
            scripts(step);
        } else if (request.isAgent()) {
            steps("agent", request.kind(), request, result);
            if (isOwn(result)) {
                queued("agent", request, result);
            }
            if (isOwn(result) && result.ending() instanceof StepResult.Done done) {
                answered(request.kind(), done.answer().usage(), result.took());
            }
        }
    }

    /// Scripts are counted with the phase that asked for them: in a cluster they run in Jobs, which
    /// end before their counts could be scraped.
    private void scripts(StepPath phase) {
        try {
            Walk.scripts(records, phase).map(StepView::of).forEach(this::script);
        } catch (StoreUnavailable e) {
            LOG.warnf("the scripts of %s are not counted: %s", phase, e.getMessage());
        }
    }

    private void script(StepView step) {
        if (step.result().isEmpty() || !(step.step() instanceof RunScript script)) {
            return;
        }
        StepResult result = step.result().get();
        StepRequest request = step.known().request();
        String kind = script.kind().name().toLowerCase(Locale.ROOT);
        steps("script", kind, request, result);
        if (isOwn(result)) {
            String ran = ran(step);
            queued("script", request, result);
            count("mlestar.script.runs", "Scripts that were run", 1, "kind", kind, "result", ran);
            time("mlestar.script.duration", "Scripts, from started to ended", WORK, result.took(),
                    "kind", kind, "result", ran);
        }
    }

    /// True if this run itself performed the step, or tried to.
    private static boolean isOwn(StepResult result) {
        return result.sharedWith() == null && !result.isStopped();
    }

    private void steps(String kind, String name, StepRequest request, StepResult result) {
        count("mlestar.steps", "Steps that ended", 1, "kind", kind, "name", name, "outcome",
                Tracing.outcome(request, result));
    }

    private void queued(String kind, StepRequest request, StepResult result) {
        time("mlestar.step.queue", "Steps, from asked to started", QUEUE,
                Duration.between(request.askedAt(), result.startedAt()), "kind", kind);
    }

    private void answered(String agent, Answer.Usage usage, Duration took) {
        String model = bounded(models,
                ModelSettings.isRecorded(usage.model()) ? "recorded" : usage.model());
        time("mlestar.model.call.duration", "Questions to models, with their tools and retries",
                CALLS, took, "agent", agent, "model", model);
        Map.of("input", usage.inputTokens(), "output", usage.outputTokens(), "cached",
                usage.cachedTokens())
                .forEach((type, tokens) -> count("mlestar.tokens",
                        "Tokens; cached ones are part of the input", (double) tokens, "agent",
                        agent, "model", model, "type", type));
        if (usage.costUsd() != null) {
            count("mlestar.cost.usd", "Dollars paid for answers", usage.costUsd(), "agent", agent,
                    "model", model);
        } else {
            count("mlestar.answers.unpriced", "Answers of models whose price is unknown", 1,
                    "agent", agent, "model", model);
        }
    }

    private static String ran(StepView script) {
        if (!(script.found() instanceof StepView.Executed(var asked, Execution execution))) {
            return "not_run";
        }
        return switch (execution) {
            case Execution.Scored scored -> "scored";
            case Execution.Silent silent -> "no_score";
            case Execution.TimedOut timedOut -> "timed_out";
            case Execution.Crashed crashed -> "crashed";
            case Execution.Doubtful doubtful -> doubtful.isError() ? "crashed" : "rejected";
            case Execution.Killed killed -> "crashed";
        };
    }

    /// Users name models and tool servers; names beyond a limit are counted as `other`.
    private static String bounded(Set<String> known, String name) {
        boolean fits =
                name.length() <= LONGEST_NAME
                        && (known.contains(name) || known.size() < MOST_NAMES && known.add(name));
        return fits ? name : "other";
    }

    @Override
    public void published(Event event) {
        events("mlestar.events.published", "Events given to the broker", event.type());
    }

    @Override
    public void delivered(Event event) {
        events("mlestar.events.delivered", "Events that a subscriber took", event.type());
    }

    @Override
    public void retried(Event event) {
        events("mlestar.event.retries", "Deliveries that failed and are tried again", event.type());
    }

    @Override
    public void buried(Event event) {
        events("mlestar.events.dead.lettered",
                "Events that no subscriber took, sent to the dead letters", event.type());
    }

    @Override
    public void lost(Event event) {
        events("mlestar.events.lost", "Events that no subscriber took, not even the dead letters",
                event.type());
    }

    /// Counts an event that a broker gave up and sent here.
    public void deadLetter(String type) {
        events("mlestar.dead.letters.received",
                "Events that a broker gave up and that were taken here", type);
    }

    /// Counts the lost steps that the sweep found.
    public void resent(int steps) {
        count("mlestar.steps.resent", "Events that the sweep sent again", steps);
    }

    /// Shows what the last sweep found that a person may have to do something about. A gauge, since
    /// the sweep's pod goes away after each minute's look.
    public void troubles(String kind, int count) {
        if (troubles.put(kind, count) == null) {
            BestEffort.LOGGED.run("a metric failed",
                    () -> Gauge.builder("mlestar.troubles", troubles, found -> found.get(kind))
                            .description("Runs and scripts that a person may have to look after")
                            .tags("kind", kind)
                            .register(registry));
        }
    }

    /// Counts a call to a model that failed and is retried.
    public void modelRetried(String provider, String reason) {
        count("mlestar.model.retries", "Calls to models that failed and are made again", 1,
                "provider", provider, "reason", reason);
    }

    /// Counts the use of a tool.
    public void toolUsed(String tool, boolean done) {
        count("mlestar.tool.calls", "Uses of tools by models", 1, "tool", bounded(tools, tool),
                "outcome",
                done ? "done" : "failed");
    }

    private void events(String name, String description, String type) {
        String known = TYPES.contains(type) ? type : "other";
        count(name, description, 1, "type",
                known.startsWith(PREFIX) ? known.substring(PREFIX.length()) : known);
    }

    private void count(String name, String description, double amount, String... labels) {
        BestEffort.LOGGED.run("a metric failed",
                () -> Counter.builder(name)
                        .description(description)
                        .tags(Tags.of(labels))
                        .register(registry)
                        .increment(amount));
    }

    private void time(
            String name,
            String description,
            Duration[] buckets,
            Duration took,
            String... labels) {
        BestEffort.LOGGED.run("a metric failed",
                () -> Timer.builder(name)
                        .description(description)
                        .tags(Tags.of(labels))
                        .serviceLevelObjectives(buckets)
                        .register(registry)
                        .record(took));
    }

    private static Duration[] seconds(double... bounds) {
        return DoubleStream.of(bounds)
                .mapToObj(bound -> Duration.ofMillis((long) (bound * 1_000)))
                .toArray(Duration[]::new);
    }
}
