package io.mlestar.core.engine;

import io.mlestar.core.base.BestEffort;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.Results.FinalResult;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/// All watchers of this process: the log, the metrics and the traces, progress and pages. A failing
/// watcher never fails a run: see [BestEffort].
public class Watchers implements Watcher {
    private final List<Watcher> watchers;

    /// @param always those that are there from the beginning
    public Watchers(Watcher... always) {
        watchers = new CopyOnWriteArrayList<>(always);
    }

    public void add(Watcher watcher) {
        watchers.add(watcher);
    }

    @Override
    public void asked(RunHeader run, StepPath step, StepRequest request) {
        tell(watcher -> watcher.asked(run, step, request));
    }

    @Override
    public void started(RunHeader run, StepPath step, StepRequest request) {
        tell(watcher -> watcher.started(run, step, request));
    }

    @Override
    public void unreadable(RunHeader run, StepPath step, String reason) {
        tell(watcher -> watcher.unreadable(run, step, reason));
    }

    @Override
    public void ended(RunHeader run, StepPath step, StepRequest request, StepResult result) {
        tell(watcher -> watcher.ended(run, step, request, result));
    }

    @Override
    public void published(RunHeader run, FinalResult result) {
        tell(watcher -> watcher.published(run, result));
    }

    @Override
    public void failed(RunHeader run, String reason) {
        tell(watcher -> watcher.failed(run, reason));
    }

    @Override
    public void outage(String line) {
        tell(watcher -> watcher.outage(line));
    }

    private void tell(Consumer<Watcher> news) {
        for (Watcher watcher : watchers) {
            BestEffort.LOGGED.run(watcher.getClass().getSimpleName() + " failed",
                    () -> news.accept(watcher));
        }
    }
}
