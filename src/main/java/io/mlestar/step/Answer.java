package io.mlestar.step;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A model's raw answer to one agent, as stored.
///
/// @param text all text that the model gave; empty if it refused
/// @param usage what it cost
/// @param shortfall why the text is not the whole answer; null if it is
/// @param system the system prompt that was sent
/// @param prompt the rendered prompt that was sent
public record Answer(String text, Usage usage, @Nullable Shortfall shortfall, String system, String prompt) {
    /// Why a model stopped before its answer was whole.
    public enum Shortfall {
        /// The limit of output tokens was reached.
        TRUNCATED("the answer was cut at the model's limit of output tokens"),
        /// The model, or a filter of its provider, would not answer.
        REFUSED("the model refused to answer"),
        /// The provider stopped in the middle, for a reason that its client does not tell (Anthropic's `pause_turn`).
        PAUSED("the provider stopped in the middle of the answer"),
        /// Turns or time were used up by tools.
        UNANSWERED("the model used tools until its turns or its time were up, and gave no answer"),
        /// The provider failed after turns that were paid for.
        BROKEN_OFF("the provider failed before the model had come to an answer");

        private final String said;

        Shortfall(String said) {
            this.said = said;
        }

        /// For people.
        @Override
        public String toString() {
            return said;
        }
    }

    private static final List<String> THOUGHT_MARKS = List.of("think", "thinking");

    public Answer {
        text = wellFormed(Objects.requireNonNull(text, "text"));
        Objects.requireNonNull(usage, "usage");
    }

    /// A text that can be stored: what is half of a character, as models do write it, becomes U+FFFD.
    public static String wellFormed(String text) {
        return text.replaceAll("\\p{Cs}", "\uFFFD");
    }

    /// The answer without what a model that thinks aloud said to itself before (some servers leave out the opening mark, a cut answer the
    /// closing one), and without the mark that some editors begin a text with.
    String said() {
        String said = text.startsWith("\uFEFF") ? text.substring(1) : text;
        for (String mark : THOUGHT_MARKS) {
            String closing = "</" + mark + ">";
            if (said.stripLeading().startsWith("<" + mark + ">")) {
                int end = said.indexOf(closing);
                return end < 0 ? "" : said.substring(end + closing.length());
            }
            int end = said.indexOf("\n" + closing);
            if (end >= 0 && !said.substring(0, end).contains("```")) {
                return said.substring(end + 1 + closing.length());
            }
        }
        return said;
    }

    /// A whole answer.
    public Answer(String text, Usage usage, String system, String prompt) {
        this(text, usage, null, system, prompt);
    }

    /// What the answer means to the agent that asked. Pure, as [Agent#read] is. A cut answer is read as far as it goes.
    ///
    /// @throws UnreadableAnswer if it does not hold what was asked for
    public <R> R readBy(Agent<R> agent) {
        if (shortfall != null && text.isEmpty()) {
            throw UnreadableAnswer.of(shortfall.toString());
        }
        try {
            return agent.read(said());
        } catch (UnreadableAnswer e) {
            throw shortfall == null ? e : e.because(shortfall.toString());
        }
    }

    /// What one question cost.
    ///
    /// @param model who answered, as `provider:name`
    /// @param cachedTokens part of the input tokens that came from the provider's cache
    /// @param costUsd null if the model's price is unknown
    /// @param durationSeconds wall clock
    public record Usage(
            String model, long inputTokens, long outputTokens, long cachedTokens, @Nullable Double costUsd, double durationSeconds) {}
}
