package io.mlestar.core.agent;

import io.mlestar.core.step.DataCard;
import io.mlestar.core.step.RunContext;

/// The task's data in the system prompt: fenced, since its names and values are untrusted.
final class DataSection {
    private static final String BEGIN = "\n\n" + Prompts.part("data-section") + "\n\n```\n";

    private DataSection() {}

    /// The section with its heading; nothing if the data are not known.
    static String of(RunContext context) {
        DataCard card = context.facts().data();
        return card.isKnown() ? BEGIN + String.join("\n", card.lines()) + "\n```" : "";
    }
}
