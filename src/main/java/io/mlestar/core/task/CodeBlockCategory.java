package io.mlestar.core.task;

import com.fasterxml.jackson.databind.EnumNamingStrategies;
import com.fasterxml.jackson.databind.annotation.EnumNaming;

/// The part that a code block plays in its script (REQ-DM-011).
@EnumNaming(EnumNamingStrategies.SnakeCaseStrategy.class)
public enum CodeBlockCategory {
    PREPROCESSING, FEATURE_ENGINEERING, MODEL_SELECTION, TRAINING, HYPERPARAMETER_TUNING, ENSEMBLE,
    POSTPROCESSING, OTHER
}
