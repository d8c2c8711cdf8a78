package io.mlestar.show.view;

import com.fasterxml.jackson.annotation.JsonValue;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.Locale;

/// How a step stands. A script that crashed or was rejected and an attempt without a score have
/// failed, though the run goes on; what is not done, since time, money or the user ended it, is
/// skipped.
@RegisterForReflection
public enum StepState {
    RUNNING, DONE, FAILED, SKIPPED;

    @Override
    @JsonValue
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
