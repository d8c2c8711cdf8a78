package io.mlestar.core.step;

import io.mlestar.core.task.AgentType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One question to one of the fourteen agents. The record's fields are the agent's inputs, by the
/// names of the requirements.
///
/// @param <R> what the answer means
public non-sealed interface Agent<R> extends Step<R> {
    AgentType type();

    /// The agent's prompt template; empty is its main one (REQ-DM-034, REQ-DM-035).
    default Optional<String> variant() {
        return Optional.empty();
    }

    /// Values of the variables that the prompt template declares.
    ///
    /// @param context of the run, or of the task of a single call
    Map<String, String> variables(RunContext context);

    /// Reads the model's raw answer. Pure: it runs again whenever a stored run is replayed.
    ///
    /// @throws UnreadableAnswer if the answer does not hold what was asked for
    R read(String answer);

    /// True if an answer that was cut at its end can still be used. Prose can, half a program
    /// cannot.
    default boolean acceptsTruncated(String cut) {
        return true;
    }

    /// The variable up to which other questions have the same prompt, so that providers can cache
    /// that part.
    default Optional<String> cachePrefix() {
        return Optional.empty();
    }

    /// A program that the agent's looks at the data may import as the module `best`; null if there
    /// is none.
    default @Nullable String module() {
        return null;
    }

    /// True if the agent makes plans: its prompt then holds the notes that people give the run.
    default boolean receivesNotes() {
        return false;
    }

    @Override
    default String name() {
        return type().id() + variant().map(variant -> "-" + variant).orElse("");
    }
}
