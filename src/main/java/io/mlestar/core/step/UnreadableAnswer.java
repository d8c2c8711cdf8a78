package io.mlestar.core.step;

import io.mlestar.core.base.Excerpt;

/// An agent's answer does not hold what was asked for. The step becomes [Outcome.Failed].
public final class UnreadableAnswer extends RuntimeException {
    private UnreadableAnswer(String message) {
        super(message);
    }

    static UnreadableAnswer of(String why) {
        return new UnreadableAnswer(why);
    }

    /// @param excerpt how many characters of the answer the message shows
    public static UnreadableAnswer of(String why, String answer, int excerpt) {
        String shown = answer.strip();
        return new UnreadableAnswer(shown.isEmpty()
                ? why + "; the answer was empty"
                : why + "; the answer began: " + Excerpt.clip(shown, excerpt));
    }

    /// The same, with its cause in front.
    UnreadableAnswer because(String cause) {
        return new UnreadableAnswer(cause + ": " + getMessage());
    }
}
