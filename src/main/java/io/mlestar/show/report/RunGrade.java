package io.mlestar.show.report;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.records.Records;
import io.mlestar.core.result.Published;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.show.grade.Grade;
import io.mlestar.show.grade.Table;
import java.util.Optional;

/// The grade of a run, beside its other results in the store.
public final class RunGrade {
    private RunGrade() {}

    /// What the run has submitted, to be graded; empty if it has not.
    public static Optional<Table> submission(Records records, String run) {
        return records.store().read(Records.key(run, Published.SUBMISSION)).map(bytes -> Table.of("submission of run " + run, bytes));
    }

    /// Empty if nobody has graded the run.
    public static Optional<Grade> of(Records records, String run) {
        return ChecksummedJson.read(records.store(), Records.key(run, Grade.FILE), Grade.class);
    }

    /// Keeps a grade with its run; the same one again changes nothing.
    ///
    /// @throws Invalid if the run has another one
    public static void keep(Records records, String run, Grade grade) {
        String key = Records.key(run, Grade.FILE);
        if (!records.store().create(key, ChecksummedJson.text(grade)) && !of(records, run).equals(Optional.of(grade))) {
            throw new Invalid("run " + run + " has another grade already (" + records.store().address(key)
                    + "); nothing in a store is ever changed");
        }
    }
}
