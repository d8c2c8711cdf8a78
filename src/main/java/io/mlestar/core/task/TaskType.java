package io.mlestar.core.task;

import com.fasterxml.jackson.databind.EnumNamingStrategies;
import com.fasterxml.jackson.databind.annotation.EnumNaming;

/// Kind of learning problem (REQ-DM-004).
@EnumNaming(EnumNamingStrategies.SnakeCaseStrategy.class)
public enum TaskType {
    CLASSIFICATION, REGRESSION, IMAGE_CLASSIFICATION, IMAGE_TO_IMAGE, TEXT_CLASSIFICATION,
    AUDIO_CLASSIFICATION, SEQUENCE_TO_SEQUENCE, TABULAR
}
