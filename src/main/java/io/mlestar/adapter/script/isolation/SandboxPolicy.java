package io.mlestar.adapter.script.isolation;

import io.mlestar.core.base.Invalid;
import java.util.Locale;
import java.util.Map;

/// The policy for scripts without a wall around them, as `MLE_STAR_SANDBOX` says.
public enum SandboxPolicy {
    /// Scripts never run without a wall.
    REQUIRED,
    /// Scripts run without a wall if this machine has none.
    PREFERRED,
    /// Scripts always run without a wall: each gets only a session of its own.
    OFF;

    private static final String VARIABLE = "MLE_STAR_SANDBOX";

    /// Reads the policy; if the environment says nothing, a wall is required where a key for a
    /// model could be stolen.
    ///
    /// @param asksModels whether a model is asked at all, and not a recording
    /// @throws Invalid if it says anything else
    public static SandboxPolicy of(Map<String, String> environment, boolean asksModels) {
        String said = environment.getOrDefault(VARIABLE, "").strip().toUpperCase(Locale.ROOT);
        if (said.isEmpty()) {
            return asksModels && environment.entrySet()
                    .stream()
                    .anyMatch(variable -> variable.getKey().matches(".*_API_KEY(_FILE)?")
                            && !variable.getValue().isBlank()) ? REQUIRED : PREFERRED;
        }
        try {
            return valueOf(said);
        } catch (IllegalArgumentException e) {
            throw new Invalid(VARIABLE + " must be required, preferred or off, but is \""
                    + environment.get(VARIABLE) + "\"");
        }
    }

    /// @throws Invalid if a wall is required and this machine has none
    public void check(Python python) {
        if (this == REQUIRED && Isolation.strongest(python) == Isolation.SESSION) {
            throw new Invalid("no sandbox is available on this machine: install bubblewrap, or set "
                    + VARIABLE
                    + "=preferred to let scripts that a model wrote do all that you may do here");
        }
    }
}
