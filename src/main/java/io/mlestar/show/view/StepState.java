package io.mlestar.show.view;

import com.fasterxml.jackson.annotation.JsonValue;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.Locale;

/// The state of a step. A script that crashed or was rejected and an attempt without a score have
/// failed, though the run goes on; steps that time, money or the user ended are skipped.
@RegisterForReflection
public enum StepState {
    RUNNING, DONE, FAILED, SKIPPED;

    @Override
    @JsonValue
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
