package io.mlestar.show.view;

import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.result.LastResort;
import io.mlestar.core.result.RunFiles;
import java.util.Optional;

/// The submission that a run has at the moment: the one that it ended with, or, while it goes on,
/// that of the best script so far that wrote one.
public record SubmissionSoFar(Records records, RunHeader run) {
    /// Empty as long as there is none.
    public Optional<byte[]> read() {
        return records.store()
                .read(Records.key(run.runId(), RunFiles.SUBMISSION))
                .or(() -> new LastResort(records).of(run)
                        .flatMap(found -> records.store().read(found.submission().key())));
    }
}
