package io.mlestar.core.result;

import io.mlestar.core.records.Records;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.task.Results.FinalResult;
import java.util.List;
import java.util.Optional;

/// The files with the results in a run's folder. [Publication] writes them.
public final class RunFiles {
    public static final String RESULT = "result.json";
    public static final String SUBMISSION = "submission.csv";
    public static final String FINAL_SOLUTION = "final_solution.py";
    public static final String FAILED = "failed.json";
    /// The files that every viewer of the run may download.
    public static final List<String> FILES = List.of(SUBMISSION, FINAL_SOLUTION, RESULT, FAILED);

    private RunFiles() {}

    /// The result of a run; empty if it has not ended well.
    public static Optional<FinalResult> result(Records records, String run) {
        return ChecksummedJson.read(records.store(), Records.key(run, RESULT), FinalResult.class);
    }
}
