package io.mlestar.core.task;

import com.fasterxml.jackson.databind.EnumNamingStrategies;
import com.fasterxml.jackson.databind.annotation.EnumNaming;

/// The phase of the pipeline that made a script (REQ-DM-008).
@EnumNaming(EnumNamingStrategies.SnakeCaseStrategy.class)
public enum SolutionPhase {
    INIT, MERGED, REFINED, ENSEMBLE, FINAL
}
