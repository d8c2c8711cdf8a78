package io.mlestar.core.records;

import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.Results.FinalResult;

/// Is told what happens in this process: for progress, logs and metrics. Must not throw.
public interface Watcher {
    /// A step was asked for, for the first time.
    default void asked(RunHeader run, StepPath step, StepRequest request) {}

    /// A step begins to be done here.
    default void started(RunHeader run, StepPath step, StepRequest request) {}

    /// An agent's answer was stored, and the phase that asked will not be able to read it.
    default void unreadable(RunHeader run, StepPath step, String reason) {}

    /// A provider of models does not answer, or does again; no run's own business.
    ///
    /// @param line what happened and what comes next, for people
    default void outage(String line) {}

    /// A step's result was stored, for the first time.
    default void ended(RunHeader run, StepPath step, StepRequest request, StepResult result) {}

    /// A run's last event is about to be published; may be told again by a process that finishes what another began.
    default void published(RunHeader run, FinalResult result) {}

    /// The same of a run that ends without a result.
    default void failed(RunHeader run, String reason) {}
}
