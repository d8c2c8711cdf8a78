package io.mlestar.core.records;

import io.mlestar.core.base.Invalid;
import java.util.List;

/// What the steps in a phase found out, as it stood when the phase ended, so that readers need not go through them.
///
/// @param scorings the evaluations
/// @param lessons the most telling ones
public record Findings(List<Scoring> scorings, List<Lesson> lessons) {
    public static final Findings NONE = new Findings(List.of(), List.of());

    public Findings {
        scorings = Invalid.elements("scorings", scorings);
        lessons = Invalid.elements("lessons", lessons);
    }
}
