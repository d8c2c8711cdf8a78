package io.mlestar.adapter.tool;

import com.fasterxml.jackson.databind.JsonNode;

/// Something a model may ask to be done for it while it answers.
public interface Tool {
    /// The name by which agents and models ask for it, e.g. `Read`.
    String name();

    /// The description that the model reads.
    String description();

    /// JSON Schema of the arguments: an object that lists them all and allows no others.
    JsonNode parameters();

    /// Looks at the arguments before anything is done.
    ///
    /// @throws ToolRefused if they are not what [#parameters] says
    default void check(JsonNode arguments) {}

    /// Does it.
    ///
    /// @return text for the model
    /// @throws ToolRefused if it is not allowed or did not work; the message is for the model
    String call(JsonNode arguments);
}
