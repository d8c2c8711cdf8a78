package io.mlestar.task;

import com.fasterxml.jackson.annotation.JsonProperty;

/// Which script becomes the final solution.
public enum FinalChoice {
    /// The best of Phase 3's rounds, also where one of its inputs scored higher (REQ-P3-025).
    @JsonProperty("ensemble")
    ENSEMBLE,
    /// Whichever validated script has the best score.
    @JsonProperty("best")
    BEST
}
