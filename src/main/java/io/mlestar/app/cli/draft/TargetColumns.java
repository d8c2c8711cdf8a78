package io.mlestar.app.cli.draft;

import io.mlestar.app.cli.draft.DataShape.TableShape;
import io.mlestar.core.base.Invalid;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The columns to be predicted.
///
/// @param columns of the training table; empty if the data do not show them
/// @param why one clause
record TargetColumns(List<String> columns, String why) {
    private static final Set<String> USUAL = Set.of("target", "label", "labels", "class", "category", "y", "outcome", "response", "score");
    private static final int SHOWN = 8;
    /// Only the description names the target.
    static final TargetColumns DESCRIBED = new TargetColumns(List.of(), "what the description says; the data do not tell");

    static TargetColumns of(DataShape data, TableShape train) {
        if (!data.targets().isEmpty()) {
            return new TargetColumns(data.targets(), asked(data));
        }
        if (data.ofClasses().size() == 1 && data.submission() != null) {
            return new TargetColumns(data.ofClasses(), "its values are the columns of " + data.submission().path());
        }
        List<String> usual = candidates(data, train).stream().filter(name -> USUAL.contains(name.toLowerCase(Locale.ROOT))).toList();
        return usual.size() == 1 ? new TargetColumns(usual, "its name says so; nothing else tells") : new TargetColumns(List.of(), "");
    }

    private static String asked(DataShape data) {
        TableShape submission = data.submission();
        String test = data.test() == null ? null : data.test().path();
        if (data.test() != null && data.test().names().containsAll(data.targets())) {
            return "asked for by the sample submission";
        }
        if (submission != null && data.targets().stream().allMatch(name -> submission.column(name).isPresent())) {
            return submission.path() + " has it" + (test == null ? "" : ", and " + test + " lacks it");
        }
        return "the only column of the training data that " + (test == null ? "is asked for" : test + " lacks");
    }

    /// The columns that it may be.
    static List<String> candidates(DataShape data, TableShape train) {
        return data.lacking().isEmpty() ? train.names() : data.lacking();
    }

    /// The columns that a user names.
    ///
    /// @param why where the names come from
    ///
    /// @throws Invalid if the training table has no such column
    static TargetColumns given(String names, TableShape train, String why) {
        List<String> columns = Arrays.stream(names.split(",", -1)).map(String::strip).toList();
        columns.stream().filter(name -> train.column(name).isEmpty() && train.columns().size() == train.width()).findFirst().ifPresent(name -> {
            throw new Invalid(train.path() + " has no column \"" + name + "\"; it has " + choice(train.names()));
        });
        return new TargetColumns(columns, why);
    }

    /// Names as `a, b or c`.
    static String choice(List<String> names) {
        List<String> shown = names.subList(0, Math.min(SHOWN, names.size()));
        String last = (names.size() > SHOWN ? ", … or " : " or ") + shown.getLast();
        return shown.size() == 1 ? shown.getFirst() : String.join(", ", shown.subList(0, shown.size() - 1)) + last;
    }
}
