package io.mlestar.core.task;

import com.fasterxml.jackson.databind.EnumNamingStrategies;
import com.fasterxml.jackson.databind.annotation.EnumNaming;

/// Which script becomes the final solution.
@EnumNaming(EnumNamingStrategies.SnakeCaseStrategy.class)
public enum FinalChoice {
    /// The script with the best score: the best ensemble, or the best path if it scored as well or better.
    BEST,
    /// The best on all hidden rows, some of which the harness keeps for this choice, among s_0, the ensembles and those that scored best during the search; needs
    /// `validation: harness` or `folds`.
    VERIFIED,
    /// The paper's: the best of Phase 3's rounds, even if one of its inputs scored higher (REQ-P3-025).
    ENSEMBLE
}
