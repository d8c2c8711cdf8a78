package io.mlestar.task;

import com.fasterxml.jackson.annotation.JsonProperty;

/// Which phase of the pipeline made a script (REQ-DM-008).
public enum SolutionPhase {
    @JsonProperty("init")
    INIT,
    @JsonProperty("merged")
    MERGED,
    @JsonProperty("refined")
    REFINED,
    @JsonProperty("ensemble")
    ENSEMBLE,
    @JsonProperty("final")
    FINAL
}
