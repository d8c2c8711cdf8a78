package io.mlestar.core.step;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What the survey of a run found, for all steps after it. What could not be read is left out.
///
/// @param machine where scripts run
/// @param data what lies in the task's data
/// @param holdout rows that the harness hides; null without `validation: harness` or `folds`, or if it could hide none
/// @param unvalidated why it could hide none; null if it did, or was not to
public record Facts(MachineFacts machine, DataCard data, @Nullable Holdout holdout, @Nullable String unvalidated) {
    /// The facts of a run without a survey, or before its survey has ended.
    public static final Facts NONE = new Facts(MachineFacts.UNKNOWN, DataCard.NONE);

    public Facts {
        machine = machine == null ? MachineFacts.UNKNOWN : machine;
        data = data == null ? DataCard.NONE : data;
    }

    /// Without rows that the harness hides.
    public Facts(MachineFacts machine, DataCard data) {
        this(machine, data, null, null);
    }

    /// Warnings before models are paid.
    public List<String> warnings() {
        return Stream
                .of(machine.warning(), data.warning(), Optional.ofNullable(holdout).map(Holdout::leftOut).map(files -> "only the last script sees " + files),
                        Optional.ofNullable(unvalidated).map(why -> "the harness hides no rows, so scores are the scripts' own: " + why))
                .flatMap(Optional::stream)
                .toList();
    }
}
