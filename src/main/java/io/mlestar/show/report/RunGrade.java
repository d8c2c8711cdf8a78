package io.mlestar.show.report;

import io.mlestar.adapter.grade.Grade;
import io.mlestar.adapter.grade.Submissions;
import io.mlestar.adapter.grade.Table;
import io.mlestar.adapter.grade.TaskTables;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.result.RunFiles;
import io.mlestar.core.store.ChecksummedJson;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.Optional;

/// The grade of a run, beside its other results in the store.
public final class RunGrade {
    private RunGrade() {}

    /// The submission of a run, compared with its task's sample; empty if it made none.
    public static Optional<Table> submission(Records records, RunHeader run) {
        return records.store()
                .read(Records.key(run.runId(), RunFiles.SUBMISSION))
                .map(bytes -> Submissions.read(
                        TaskTables.of(Path.of(run.task().dataDir()), records, run.runId()),
                        "submission of run " + run.runId(), new ByteArrayInputStream(bytes)));
    }

    /// Empty if the run has no grade.
    public static Optional<Grade> of(Records records, String run) {
        return ChecksummedJson.read(records.store(), Records.key(run, Grade.FILE), Grade.class);
    }

    /// Stores the grade of a run; idempotent.
    ///
    /// @throws Invalid if the run has a different grade
    public static void keep(Records records, String run, Grade grade) {
        String key = Records.key(run, Grade.FILE);
        if (!records.store().create(key, ChecksummedJson.text(grade))
                && !of(records, run).equals(Optional.of(grade))) {
            throw new Invalid(
                    "run " + run + " has another grade already (" + records.store().address(key)
                            + "); nothing in a store is ever changed");
        }
    }
}
