package io.mlestar.task;

import com.fasterxml.jackson.databind.EnumNamingStrategies;
import com.fasterxml.jackson.databind.annotation.EnumNaming;

/// When a script is checked for leakage (REQ-SF-020).
@EnumNaming(EnumNamingStrategies.SnakeCaseStrategy.class)
public enum LeakageTiming {
    /// Before it runs, as in the paper.
    BEFORE,
    /// While it runs. A script that is found leaking is given up, its score never counts, and the corrected one runs. The
    /// last script is checked before, nevertheless: a submission whose check comes too late would be lost.
    BESIDE
}
