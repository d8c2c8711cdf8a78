package io.mlestar.core.records;

import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.AgentType;
import java.util.Collection;
import java.util.Optional;

/// The facts about a run that the names of its objects tell: one listing instead of a request per
/// question and event.
///
/// @param names of the objects right below `runs/<run>`
public record RunMarks(Collection<String> names) {
    static final String RESULT = "steps" + Records.RESULT;
    static final String FIRST_EXTENSION = "extension-1.json";
    static final String CANCELLED = "cancelled.json";
    private static final String HALTED = "halted-";
    private static final String PROMPTED = "prompted-";
    private static final String CLOSED = "closed-";
    private static final String JSON = ".json";

    /// True if the run has a result, good or bad.
    public boolean hasEnded() {
        return names.contains(RESULT);
    }

    /// True if it has more time or money than it began with.
    public boolean isExtended() {
        return names.contains(FIRST_EXTENSION);
    }

    /// True if the run is to finish with the best so far.
    public boolean isCancelled() {
        return names.contains(CANCELLED);
    }

    /// Name of the object that says why steps of an agent stand still; empty if none do.
    public Optional<String> halt() {
        return names.stream()
                .filter(name -> name.startsWith(HALTED)
                        && !names.contains(name.replace(HALTED, PROMPTED)))
                .findFirst();
    }

    /// True if the run has asked the agent, with whatever prompts.
    public boolean isPrompted(AgentType agent) {
        return names.stream().anyMatch(name -> name.startsWith(prompted(agent)));
    }

    /// True if it may be asked with prompts of that digest.
    boolean isPrompted(AgentType agent, String digest) {
        return names.contains(prompted(agent, digest));
    }

    static String prompted(AgentType agent, String digest) {
        return prompted(agent) + digest + JSON;
    }

    private static String prompted(AgentType agent) {
        return PROMPTED + agent.id() + "-";
    }

    static String halted(AgentType agent, String digest) {
        return HALTED + agent.id() + "-" + digest + JSON;
    }

    /// True if the sweep ended the step, or a phase that it is part of: see [Records#close].
    public boolean isClosed(StepPath step) {
        for (Optional<StepPath> at = Optional.of(step); at.isPresent(); at = at.get().parent()) {
            if (names.contains(closed(at.get()))) {
                return true;
            }
        }
        return false;
    }

    /// No name of a step holds a dot.
    static String closed(StepPath step) {
        return CLOSED + step.inside().replace('/', '.') + JSON;
    }
}
