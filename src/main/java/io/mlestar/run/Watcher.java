package io.mlestar.run;

import io.mlestar.step.StepPath;

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
}
