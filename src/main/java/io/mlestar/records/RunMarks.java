package io.mlestar.records;

import java.util.Collection;

/// What has been noted of a run as a whole, as far as the names of its objects tell: one listing, where each question alone would be a
/// round trip for each event.
///
/// @param names of the objects right below `runs/<run>`
public record RunMarks(Collection<String> names) {
    static final String RESULT = "steps" + Records.RESULT;
    static final String FIRST_EXTENSION = "extension-1.json";
    static final String CANCELLED = "cancelled.json";

    /// Whether the run has a result, whatever that is.
    public boolean hasEnded() {
        return names.contains(RESULT);
    }

    /// Whether it was given more than it began with: see [Extensions].
    public boolean isExtended() {
        return names.contains(FIRST_EXTENSION);
    }

    /// Whether somebody wants the run to finish with the best so far.
    public boolean isCancelled() {
        return names.contains(CANCELLED);
    }
}
