package io.mlestar.task;

import com.fasterxml.jackson.annotation.JsonProperty;

/// What a code block does in its script (REQ-DM-011).
public enum CodeBlockCategory {
    @JsonProperty("preprocessing")
    PREPROCESSING,
    @JsonProperty("feature_engineering")
    FEATURE_ENGINEERING,
    @JsonProperty("model_selection")
    MODEL_SELECTION,
    @JsonProperty("training")
    TRAINING,
    @JsonProperty("hyperparameter_tuning")
    HYPERPARAMETER_TUNING,
    @JsonProperty("ensemble")
    ENSEMBLE,
    @JsonProperty("postprocessing")
    POSTPROCESSING,
    @JsonProperty("other")
    OTHER
}
