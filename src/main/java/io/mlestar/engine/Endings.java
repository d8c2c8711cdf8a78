package io.mlestar.engine;

import io.mlestar.event.Publisher;
import io.mlestar.records.DailyBudget;
import io.mlestar.records.Records;
import io.mlestar.records.RunHeader;
import io.mlestar.records.StepRequest;
import io.mlestar.records.StepResult;
import io.mlestar.records.Watcher;
import io.mlestar.step.Agent;
import io.mlestar.step.Outcome;
import io.mlestar.step.StepPath;
import org.jspecify.annotations.Nullable;

/// Ends steps: keeps their results, tells who looks on, wakes the phases that asked, and publishes what runs ended with.
final class Endings {
    private final Records records;
    private final Publisher publisher;
    private final Watcher watcher;
    private final KnownRuns runs;
    private final Publication publication;
    private final @Nullable DailyBudget day;

    Endings(Records records, Publisher publisher, Watcher watcher, KnownRuns runs, @Nullable DailyBudget day) {
        this.records = records;
        this.publisher = publisher;
        this.watcher = watcher;
        this.runs = runs;
        this.day = day;
        this.publication = new Publication(records, publisher, watcher);
    }

    /// Stores a result, unless there is one, and wakes whoever waits for it.
    void finish(RunHeader run, StepPath path, StepRequest request, StepResult result) {
        boolean root = path.inside().isEmpty();
        if (root) {
            // The result tells of the limits that the run began with, whoever writes it.
            publication.publish(runs.header(run.runId()), result);
        }
        if (records.create(path, result)) {
            if (request.isAgent() && request.step(path.plainName()) instanceof Agent<?> agent
                    && result.outcome(agent) instanceof Outcome.Failed<?>(String reason, boolean unreadable)
                    && unreadable) {
                watcher.unreadable(run, path, reason);
            }
            watcher.ended(run, path, request, result);
        }
        if (root) {
            if (day != null) {
                day.endsRun(run.runId(), result.endedAt());
            }
            announce(run);
        } else {
            wakeParent(path, request);
        }
    }

    /// Tells the world how the run ended.
    void announce(RunHeader run) {
        publication.announce(run);
    }

    void wakeParent(StepPath path, StepRequest request) {
        request.wakeUp(path).ifPresent(publisher::publish);
    }
}
