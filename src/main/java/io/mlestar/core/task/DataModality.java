package io.mlestar.core.task;

import com.fasterxml.jackson.databind.EnumNamingStrategies;
import com.fasterxml.jackson.databind.annotation.EnumNaming;

/// Main modality of the data set (REQ-DM-005).
@EnumNaming(EnumNamingStrategies.SnakeCaseStrategy.class)
public enum DataModality {
    TABULAR, IMAGE, TEXT, AUDIO, MIXED
}
