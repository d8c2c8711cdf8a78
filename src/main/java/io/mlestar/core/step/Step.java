package io.mlestar.core.step;

/// Something that costs money or time: asking an agent, running a script, computing with
/// predictions, running a phase. Steps are records; their JSON form is what the store keeps of the
/// question.
///
/// @param <R> what comes back
public sealed interface Step<R> permits Agent, RunScript, Arithmetic, Phase {
    /// Last part of the step's path; a phase that uses a name twice gets `name-2` the second time.
    String name();

    /// True if the step may take all the time until finalization, whatever share the phase has that
    /// asks for it: without it the run has no result.
    default boolean ignoresPhaseShare() {
        return false;
    }

    /// True if another run may take over its result; false if the result depends on the machine and
    /// the time.
    default boolean isReusable() {
        return true;
    }
}
