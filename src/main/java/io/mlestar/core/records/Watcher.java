package io.mlestar.core.records;

import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.Results.FinalResult;

/// Receives what happens in this process, for progress, logs and metrics. Must not throw.
public interface Watcher {
    /// A step was asked for, for the first time.
    default void asked(RunHeader run, StepPath step, StepRequest request) {}

    /// This process begins a step.
    default void started(RunHeader run, StepPath step, StepRequest request) {}

    /// An agent's answer was stored, but cannot be parsed.
    default void unreadable(RunHeader run, StepPath step, String reason) {}

    /// A provider of models does not answer, or answers again; concerns all runs.
    ///
    /// @param line what happened and what comes next, for users
    default void outage(String line) {}

    /// A step's result was stored, for the first time.
    default void ended(RunHeader run, StepPath step, StepRequest request, StepResult result) {}

    /// A run's last event is about to be published; another process may publish it again.
    default void published(RunHeader run, FinalResult result) {}

    /// A run's last event is about to be published, as in [#published], but it has no result.
    default void failed(RunHeader run, String reason) {}
}
