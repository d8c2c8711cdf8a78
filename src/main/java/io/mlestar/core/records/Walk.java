package io.mlestar.core.records;

import io.mlestar.core.agent.Agents;
import io.mlestar.core.step.Arithmetic;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import java.util.Map;
import java.util.stream.Stream;

/// A walk over the steps of a run, each phase before the steps inside it, in the order in which
/// they were asked for. Keeps nothing.
public enum Walk {
    /// The steps of the run itself.
    OWN,
    /// Also those in phases that another run shares with it. They have the other run's name in
    /// their paths.
    SHARED,
    /// The run's own, without those that have a damaged record.
    READABLE;

    /// The steps below a phase.
    ///
    /// @throws io.mlestar.core.store.DamagedRecord while they are gone through, unless it is
    ///   [#READABLE]
    public Stream<KnownStep> steps(Records records, StepPath phase) {
        return (this == READABLE ? records.readable(phase) : records.below(phase)).stream()
                .flatMap(step -> enters(step)
                        ? Stream.concat(Stream.of(step), steps(records, step.place()))
                        : Stream.of(step));
    }

    public Stream<KnownStep> steps(Records records, String run) {
        return steps(records, StepPath.root(run));
    }

    private boolean enters(KnownStep step) {
        return step.request().isPhase() && switch (this) {
            case OWN, READABLE -> step.place().equals(step.path());
            case SHARED -> true;
        };
    }

    /// The evaluations below a phase, each once. A phase that is open or was ended from outside
    /// does not say it, nor do the phases around it: then those in it do.
    public static Stream<Scoring> scorings(Records records, StepPath phase) {
        Map<StepPath, Boolean> listed = records.listed(phase);
        listed.keySet().removeIf(step -> !mayBePhase(step));
        return records.each(listed, (step, ended) -> ended
                ? scorings(records, step, records.result(step).orElseThrow())
                : scorings(records, step)).stream().flatMap(found -> found);
    }

    /// The same of a step that has ended.
    public static Stream<Scoring> scorings(Records records, StepPath step, StepResult ended) {
        if (ended.scorings() != null) {
            return ended.scorings().stream();
        }
        return mayBePhase(step) ? scorings(records, ended.place(step)) : Stream.empty();
    }

    /// The scripts right below a phase.
    public static Stream<KnownStep> scripts(Records records, StepPath phase) {
        return records.below(phase).stream().filter(step -> step.request().isScript());
    }

    public static boolean isAgent(StepPath step) {
        return Agents.BY_NAME.containsKey(step.plainName());
    }

    /// True if its name is neither a script's, arithmetic's nor an agent's.
    public static boolean mayBePhase(StepPath step) {
        String name = step.plainName();
        return !Agents.BY_NAME.containsKey(name) && !RunScript.NAMES.contains(name)
                && !Arithmetic.KINDS.containsKey(name);
    }
}
