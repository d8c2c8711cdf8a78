package io.mlestar.core.task;

import com.fasterxml.jackson.databind.EnumNamingStrategies;
import com.fasterxml.jackson.databind.annotation.EnumNaming;

/// The script that a [PaperSearch] finalizes.
@EnumNaming(EnumNamingStrategies.SnakeCaseStrategy.class)
public enum FinalChoice {
    /// The script with the best score: the best ensemble, or the best path if it scored as well or
    /// better.
    BEST,
    /// The paper's: the best of Phase 3's rounds, even if one of its inputs scored higher
    /// (REQ-P3-025).
    ENSEMBLE
}
