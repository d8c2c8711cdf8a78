package io.mlestar.core.event;

import io.mlestar.core.phase.Phases;
import io.mlestar.core.task.AgentType;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The one list of functions. The doors declare each with its annotations (a test compares), the
/// manifests are made from it, and a process that serves one function hides the others by it.
public final class Functions {
    /// The kind of work that a function does. It decides what the function may reach in the
    /// cluster.
    public enum FunctionKind {
        /// Asks a language model; the only kind that sees model keys and the internet.
        AGENT,
        /// Replays a phase.
        PHASE,
        /// Begins, watches over and ends runs.
        RUN,
        /// Takes a script; in the cluster a Job per event instead of a server.
        SCRIPT
    }

    /// @param export name of the Funqy function: its path, and the value of `QUARKUS_FUNQY_EXPORT`
    /// @param type of the events it works on
    public record Spec(String export, String type, FunctionKind kind) {
        /// Name in the cluster, where an underscore is not allowed.
        public String kubernetesName() {
            return export.replace('_', '-');
        }

        /// The longest that one request may last. A script's is answered at once: the work is done
        /// elsewhere.
        public Duration longestRequest() {
            return switch (kind) {
                // Waits for a model with all its retries.
                case AGENT -> Duration.ofMinutes(10);
                case PHASE -> Duration.ofMinutes(2);
                // A sweep looks at all runs.
                case RUN -> Duration.ofMinutes(type.equals(Event.SWEEP) ? 5 : 2);
                case SCRIPT -> Duration.ZERO;
            };
        }
    }

    private static final Spec DEAD_LETTER =
            new Spec("dead-letter", Event.DEAD_LETTER, FunctionKind.RUN);

    /// Agents, phases by name, and the functions around a run.
    public static final List<Spec> ALL = Stream.of(
            Stream.of(AgentType.values())
                    .map(agent -> new Spec(agent.id(), Event.agentType(agent.id()),
                            FunctionKind.AGENT)),
            Phases.BY_KIND.keySet()
                    .stream()
                    .map(kind -> new Spec(kind, Event.phaseType(kind), FunctionKind.PHASE))
                    .sorted(Comparator.comparing(Spec::export)),
            Stream.of(new Spec("run-requested", Event.RUN_REQUESTED, FunctionKind.RUN),
                    new Spec("run-cancelled", Event.RUN_CANCELLED, FunctionKind.RUN),
                    new Spec("sweep", Event.SWEEP, FunctionKind.RUN), DEAD_LETTER,
                    new Spec("script", Event.SCRIPT, FunctionKind.SCRIPT)))
            .flatMap(functions -> functions)
            .toList();

    private Functions() {}

    /// The function that takes dead letters: all that a broker could not deliver.
    public static Spec deadLetter() {
        return DEAD_LETTER;
    }

    public static Optional<Spec> exported(String export) {
        return ALL.stream().filter(function -> function.export().equals(export)).findFirst();
    }
}
