package io.mlestar.core.task;

import com.fasterxml.jackson.annotation.JsonProperty;

/// Verdict of A_leakage on one block (Figure 20, REQ-DM-018).
public enum LeakageStatus {
    @JsonProperty("Yes Data Leakage")
    YES,
    @JsonProperty("No Data Leakage")
    NO
}
