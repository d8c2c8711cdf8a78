package io.mlestar.task;

import com.fasterxml.jackson.annotation.JsonProperty;

/// Kind of learning problem (REQ-DM-004).
public enum TaskType {
    @JsonProperty("classification")
    CLASSIFICATION,
    @JsonProperty("regression")
    REGRESSION,
    @JsonProperty("image_classification")
    IMAGE_CLASSIFICATION,
    @JsonProperty("image_to_image")
    IMAGE_TO_IMAGE,
    @JsonProperty("text_classification")
    TEXT_CLASSIFICATION,
    @JsonProperty("audio_classification")
    AUDIO_CLASSIFICATION,
    @JsonProperty("sequence_to_sequence")
    SEQUENCE_TO_SEQUENCE,
    @JsonProperty("tabular")
    TABULAR
}
