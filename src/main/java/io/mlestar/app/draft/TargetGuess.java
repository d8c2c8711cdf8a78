package io.mlestar.app.draft;

import io.mlestar.app.draft.DataShape.ColumnShape;
import io.mlestar.app.draft.DataShape.TableShape;
import io.mlestar.core.base.Invalid;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Which columns are to be predicted.
///
/// @param columns of the training table; empty if that cannot be told
/// @param why one clause
/// @param candidates those that it may be, if it cannot be told
record TargetGuess(List<String> columns, String why, List<String> candidates) {
    private static final Set<String> USUAL = Set.of("target", "label", "labels", "class", "category", "y", "outcome", "response", "score");
    private static final int SHOWN = 8;
    /// Nothing in the data tells, but somebody has described the task.
    static final TargetGuess DESCRIBED = new TargetGuess(List.of(), "what the description says; the data do not tell", List.of());

    /// @param train what there is to learn from
    static TargetGuess of(DataShape data, TableShape train) {
        if (!data.targets().isEmpty()) {
            return new TargetGuess(data.targets(), asked(data), data.targets());
        }
        if (data.ofClasses().size() == 1 && data.submission() != null) {
            return new TargetGuess(data.ofClasses(), "its values are the columns of " + data.submission().path(), data.ofClasses());
        }
        List<String> candidates = data.lacking().isEmpty() ? train.names() : data.lacking();
        List<String> usual = candidates.stream().filter(name -> USUAL.contains(name.toLowerCase(Locale.ROOT))).toList();
        if (usual.size() == 1) {
            return new TargetGuess(usual, "its name says so; nothing else tells", candidates);
        }
        List<String> values = train.columns().stream().filter(column -> !column.kind().equals("identifier")).map(ColumnShape::name).toList();
        if (train.width() == 2 && values.size() == 1 && train.columns().size() == 2) {
            return new TargetGuess(values, "the only column of " + train.path() + " besides the identifier", candidates);
        }
        return new TargetGuess(List.of(), "", candidates);
    }

    private static String asked(DataShape data) {
        TableShape submission = data.submission();
        String lacks = data.test() == null ? "" : data.test().path() + " lacks it";
        if (submission != null && data.targets().stream().allMatch(name -> submission.column(name).isPresent())) {
            return submission.path() + " has it" + (lacks.isEmpty() ? "" : ", and " + lacks);
        }
        return "the only column of the training data that " + (data.test() == null ? "is asked for" : data.test().path() + " lacks");
    }

    /// The columns that a user names.
    ///
    /// @throws Invalid if the training table has no such column
    static TargetGuess given(String names, TableShape train) {
        List<String> columns = Arrays.stream(names.split(",", -1)).map(String::strip).toList();
        columns.stream().filter(name -> train.column(name).isEmpty() && train.columns().size() == train.width()).findFirst().ifPresent(name -> {
            throw new Invalid(train.path() + " has no column \"" + name + "\"; it has " + shown(train.names()));
        });
        return new TargetGuess(columns, "as you said", columns);
    }

    /// @throws Invalid if it could not be told
    TargetGuess known() {
        if (columns.isEmpty()) {
            throw new Invalid("which column is to be predicted cannot be told from the data; say --target " + shown(candidates));
        }
        return this;
    }

    private static String shown(List<String> names) {
        return names.size() == 1 ? names.getFirst()
                : String.join(", ", names.subList(0, Math.min(SHOWN, names.size()) - 1)) + (names.size() > SHOWN ? ", … or " : " or ")
                        + names.get(names.size() > SHOWN ? SHOWN - 1 : names.size() - 1);
    }
}
