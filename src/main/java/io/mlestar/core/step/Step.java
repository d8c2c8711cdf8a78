package io.mlestar.core.step;

/// Something that costs money or time: asking an agent, running a script, running a phase. Steps are records; their
/// JSON form is what the store keeps of the question.
///
/// @param <R> what comes back
public sealed interface Step<R> permits Agent, RunScript, Phase {
    /// Last part of the step's path; a phase that uses a name twice gets `name-2` the second time.
    String name();

    /// Whether there is no result of the run without it: then it may take all the time until finalization, whatever share the phase
    /// has that asks for it.
    default boolean indispensable() {
        return false;
    }

    /// Whether what it finds is true only where and when it is done: then no run takes it over from another.
    default boolean isLocal() {
        return false;
    }
}
