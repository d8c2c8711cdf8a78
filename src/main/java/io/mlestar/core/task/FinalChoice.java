package io.mlestar.core.task;

import com.fasterxml.jackson.databind.EnumNamingStrategies;
import com.fasterxml.jackson.databind.annotation.EnumNaming;

/// Which script becomes the final solution.
@EnumNaming(EnumNamingStrategies.SnakeCaseStrategy.class)
public enum FinalChoice {
    /// The best of Phase 3's rounds, also where one of its inputs scored higher (REQ-P3-025).
    ENSEMBLE,
    /// Whichever validated script has the best score.
    BEST
}
