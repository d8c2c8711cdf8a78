package io.mlestar.show.view;

import com.fasterxml.jackson.annotation.JsonValue;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.store.NewerRecord;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// The state of a run.
@RegisterForReflection
public enum RunStatus {
    RUNNING,
    /// It stands still, since the programs that could go on with it have other prompts than it
    /// began with.
    HALTED,
    /// Its process is gone, and none of this machine has taken it up.
    STOPPED,
    COMPLETED,
    FAILED,
    /// A record cannot be read.
    DAMAGED,
    /// A newer program wrote a record, and can read it.
    NEWER;

    /// @param end of the pipeline; empty while the run goes on
    static RunStatus of(Optional<StepResult> end, boolean halted, BooleanSupplier stopped) {
        if (end.isPresent()) {
            return end.get().isDone() ? COMPLETED : FAILED;
        }
        if (halted) {
            return HALTED;
        }
        return stopped.getAsBoolean() ? STOPPED : RUNNING;
    }

    /// The status of a run that cannot be read, for that reason.
    static RunStatus of(RuntimeException unread) {
        return unread instanceof NewerRecord ? NEWER : DAMAGED;
    }

    /// True if one of its records cannot be read here.
    public boolean isUnread() {
        return this == DAMAGED || this == NEWER;
    }

    /// True if the run has not ended.
    public boolean isOpen() {
        return this == RUNNING || this == HALTED || this == STOPPED;
    }

    @Override
    @JsonValue
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
