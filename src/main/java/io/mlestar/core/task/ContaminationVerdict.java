package io.mlestar.core.task;

import com.fasterxml.jackson.annotation.JsonProperty;

/// The verdict on a solution: its own, or copied from a reference discussion (Figure 28,
/// REQ-DM-020).
public enum ContaminationVerdict {
    @JsonProperty("Novel")
    NOVEL,
    @JsonProperty("Same")
    SAME
}
