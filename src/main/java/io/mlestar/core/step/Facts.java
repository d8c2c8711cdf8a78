package io.mlestar.core.step;

import io.mlestar.core.base.Json;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The findings of a run's survey, for all steps after it. Facts that could not be read are left
/// out.
///
/// @param machine where scripts run
/// @param data what lies in the task's data
/// @param holdout rows that the harness hides; null without `validation: harness` or `folds`, or if
///   it could hide none
/// @param unvalidated why it could hide none; null if it did, or was not to
/// @param tables null without a data card
public record Facts(
        MachineFacts machine,
        DataCard data,
        @Nullable Holdout holdout,
        @Nullable String unvalidated,
        @Nullable DataTables tables) {
    /// The facts of a run without a survey, or before its survey has ended.
    public static final Facts NONE = Json.read(Json.object(), Facts.class);

    public Facts {
        machine = machine == null ? MachineFacts.UNKNOWN : machine;
        data = data == null ? DataCard.NONE : data;
    }

    public Facts on(MachineFacts where) {
        return new Facts(where, data, holdout, unvalidated, tables);
    }

    public Facts with(DataCard card, @Nullable DataTables found) {
        return new Facts(machine, card, holdout, unvalidated, found);
    }

    public Facts hiding(@Nullable Holdout rows) {
        return new Facts(machine, data, rows, unvalidated, tables);
    }

    /// The same where no rows could be hidden.
    public Facts hidingNone(String why) {
        return new Facts(machine, data, holdout, why, tables);
    }

    /// Digest of the hold-out; null if there is none.
    public @Nullable String hiddenRows() {
        return holdout == null ? null : holdout.digest();
    }

    /// Parts of the hidden rows, of which each run of a script is scored on one; 1 if none are
    /// hidden.
    public int folds() {
        return holdout == null ? 1 : holdout.folds();
    }

    /// One line on who computes the scores: which rows the harness hides, or why it hides none;
    /// empty if it is not to.
    public String scoredBy() {
        if (holdout == null) {
            return unvalidated == null
                    ? ""
                    : "scores are the scripts' own, since no rows could be hidden: " + unvalidated;
        }
        String folds = holdout.folds() == 1 ? "" : " in " + holdout.folds() + " folds";
        return String.format(Locale.ROOT,
                "scores are computed from hidden rows: %,d for the search%s, %,d for the final choice; %s",
                holdout.searchRows(), folds, holdout.selectRows(), holdout.scheme());
    }

    /// Warnings before models are paid.
    public List<String> warnings() {
        return Stream.of(machine.warning(), data.warning(),
                Optional.ofNullable(holdout)
                        .map(Holdout::leftOut)
                        .map(files -> "only the last script sees " + files),
                Optional.of(scoredBy()).filter(_ -> unvalidated != null))
                .flatMap(Optional::stream)
                .toList();
    }
}
