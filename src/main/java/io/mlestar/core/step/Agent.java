package io.mlestar.core.step;

import io.mlestar.core.task.AgentType;
import java.util.Map;
import java.util.Optional;

/// One question to one of the fourteen agents. The record's fields are the agent's inputs, by the names of the requirements.
///
/// @param <R> what the answer means
public non-sealed interface Agent<R> extends Step<R> {
    AgentType type();

    /// Which of the agent's templates is used; empty is its main one (REQ-DM-034, REQ-DM-035).
    default Optional<String> variant() {
        return Optional.empty();
    }

    /// Values of the variables that the prompt template declares.
    ///
    /// @param brief of the run, or of a task made up for a single call
    Map<String, String> variables(Brief brief);

    /// Reads the model's raw answer. Pure: it runs again whenever a stored run is replayed.
    ///
    /// @throws UnreadableAnswer if the answer does not hold what was asked for
    R read(String answer);

    /// Whether an answer that was cut at its end still holds what was asked for. Prose does, half a program does not.
    default boolean acceptsTruncated(String cut) {
        return true;
    }

    /// The variable whose text other questions have, too, and early in their prompts: providers need not read it twice.
    default Optional<String> cachePrefix() {
        return Optional.empty();
    }

    /// Whether it makes plans, and so is told what people say to the run.
    default boolean receivesNotes() {
        return false;
    }

    @Override
    default String name() {
        return type().id() + variant().map(variant -> "-" + variant).orElse("");
    }
}
