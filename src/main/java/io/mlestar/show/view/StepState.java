package io.mlestar.show.view;

import com.fasterxml.jackson.annotation.JsonValue;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.Locale;

/// How a step stands. A script that crashed and an attempt without a score have failed, though the run goes on.
@RegisterForReflection
public enum StepState {
    RUNNING("running"), DONE("done"), FAILED("failed"), LEFT_OUT("left out");

    private final String words;

    StepState(String words) {
        this.words = words;
    }

    /// For people.
    public String words() {
        return words;
    }

    /// For programs: `left_out`.
    @Override
    @JsonValue
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
