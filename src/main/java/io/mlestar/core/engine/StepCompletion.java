package io.mlestar.core.engine;

import io.mlestar.core.event.Publisher;
import io.mlestar.core.records.DailyBudget;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.result.Publication;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.StepPath;
import org.jspecify.annotations.Nullable;

/// Ends steps: stores their results, notifies the watchers, wakes the phases that asked, and
/// publishes how runs ended.
record StepCompletion(
        Records records,
        Publisher publisher,
        Watcher watcher,
        @Nullable DailyBudget day) {
    /// Stores a result, unless there is one, and wakes the phase that waits for it.
    void finish(RunHeader run, StepPath path, StepRequest request, StepResult result) {
        boolean root = path.inside().isEmpty();
        if (root) {
            publication().publish(run, result);
        }
        if (records.create(path, result)) {
            if (request.isAgent() && request.step(path.plainName()) instanceof Agent<?> agent
                    && result.outcome(
                            agent) instanceof Outcome.Failed<?>(String reason, boolean unreadable)
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

    /// Publishes the event that says how the run ended.
    void announce(RunHeader run) {
        publication().announce(run);
    }

    private Publication publication() {
        return new Publication(records, publisher, watcher);
    }

    void wakeParent(StepPath path, StepRequest request) {
        request.wakeUp(path).ifPresent(publisher::publish);
    }
}
