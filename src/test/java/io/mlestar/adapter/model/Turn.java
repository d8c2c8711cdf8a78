package io.mlestar.adapter.model;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// One message of a conversation, as far as tools go.
///
/// @param calls ids of the calls that the model makes in it
/// @param results ids of the calls that it brings the results of
record Turn(List<String> calls, List<String> results) {
    /// Every call is answered by the very next message, and nothing is answered that was not
    /// called.
    static void check(List<Turn> turns, Consumer<String> violations) {
        for (int i = 0; i <= turns.size(); i++) {
            List<String> called = i == 0 ? List.of() : turns.get(i - 1).calls();
            List<String> answered = i == turns.size() ? List.of() : turns.get(i).results();
            if (!Set.copyOf(called).equals(Set.copyOf(answered)) || called.size() != answered.size()) {
                violations.accept("messages[" + i + "]: tool calls " + called
                        + " must be answered here, but the results are of " + answered);
            }
        }
    }
}
