package io.mlestar.task;

import com.fasterxml.jackson.annotation.JsonProperty;

/// Main modality of the data set (REQ-DM-005).
public enum DataModality {
    @JsonProperty("tabular")
    TABULAR,
    @JsonProperty("image")
    IMAGE,
    @JsonProperty("text")
    TEXT,
    @JsonProperty("audio")
    AUDIO,
    @JsonProperty("mixed")
    MIXED
}
