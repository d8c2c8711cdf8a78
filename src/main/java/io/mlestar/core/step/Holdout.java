package io.mlestar.core.step;

import io.mlestar.core.base.Invalid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rows of the training table that scripts see as further rows of the test table, without labels:
/// the harness scores their predictions (`validation: harness` and `folds`). Some are for the final
/// choice; the others are one part for the search, or folds of it, each of which is hidden from a
/// run of a script of its own.
///
/// @param digest of the files that scripts see in place of the task's, and of the labels: names the
///   store's folder of them
/// @param scheme one line for people and agents: how the rows were chosen, and what in the data
///   says so
/// @param foldRows rows of each fold, by which scripts are compared
/// @param selectRows rows by which the final script is chosen
/// @param inTime whether the folds follow each other in time, the latest first: a script that is
///   run without that one has learned from most, and from what is nearest to the test
/// @param files that differ from the task's, as paths below `./input`
/// @param leftOut one line for people and agents: which files scripts do not see, and why; null if
///   they see all
public record Holdout(
        String digest,
        String scheme,
        List<Integer> foldRows,
        int selectRows,
        boolean inTime,
        List<String> files,
        @Nullable String leftOut) {
    /// The data as scripts see them from which the first fold is hidden.
    public static final String FIRST = view(0);
    /// The data as studies and tools of agents see them where there are several folds, from which
    /// the rows for the final choice alone are hidden.
    public static final String STUDY = "study";
    /// File of the data of studies: the fold of each row of their training table, in its order; -1
    /// for one that is in none.
    public static final String STUDY_FOLDS = "study_folds.csv";

    public Holdout {
        Invalid.text("digest", digest);
        Invalid.text("scheme", scheme);
        foldRows = Invalid.list("fold_rows", foldRows);
        if (foldRows.isEmpty()) {
            throw new Invalid("a hold-out needs a fold");
        }
        files = List.copyOf(files);
    }

    /// The same rows, kept with other files.
    public Holdout keptAs(String other, String said) {
        return new Holdout(other, said, foldRows, selectRows, inTime, files, leftOut);
    }

    /// Names the data as scripts see them from which a fold is hidden.
    public static String view(int fold) {
        return "fold" + fold;
    }

    /// Names the data as studies and tools of agents see them.
    public String studied() {
        return folds() > 1 ? STUDY : FIRST;
    }

    public int folds() {
        return foldRows.size();
    }

    /// Rows that scripts are compared by, on all folds.
    public int searchRows() {
        return foldRows.stream().mapToInt(Integer::intValue).sum();
    }
}
