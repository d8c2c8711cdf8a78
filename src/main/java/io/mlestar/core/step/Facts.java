package io.mlestar.core.step;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What the survey of a run found, for all steps after it. What could not be read is left out.
///
/// @param machine where scripts run
/// @param data what lies in the task's data
public record Facts(MachineFacts machine, DataCard data) {
    /// Of a run without a survey, or before it has ended.
    public static final Facts NONE = new Facts(MachineFacts.UNKNOWN, DataCard.NONE);

    public Facts {
        machine = machine == null ? MachineFacts.UNKNOWN : machine;
        data = data == null ? DataCard.NONE : data;
    }

    /// Warnings before models are paid.
    public List<String> warnings() {
        return Stream.of(machine.warning(), data.warning()).flatMap(Optional::stream).toList();
    }
}
