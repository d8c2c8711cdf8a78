package io.mlestar.core.step;

import io.mlestar.core.base.Invalid;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A model's raw answer to one agent, as stored.
///
/// @param text all text that the model gave; empty if it refused
/// @param usage what it cost
/// @param shortfall why the text is not the whole answer to the prompt; null if it is
/// @param system the system prompt that was sent
/// @param prompt the rendered prompt that was sent
/// @param looks what the agent looked at in the data before it answered
public record Answer(
        String text,
        Usage usage,
        @Nullable Shortfall shortfall,
        String system,
        String prompt,
        List<DataLook> looks) {
    /// The reasons why a model stopped before its answer was whole, or why a whole one does not
    /// count.
    public enum Shortfall {
        /// The limit of output tokens was reached.
        TRUNCATED("the answer was cut at the model's limit of output tokens"),
        /// The model, or a filter of its provider, would not answer.
        REFUSED("the model refused to answer"),
        /// The provider stopped in the middle, and the client hides why (Anthropic's `pause_turn`).
        PAUSED("the provider stopped in the middle of the answer"),
        /// Turns, time or money were used up, by tools or by a provider that was slow.
        UNANSWERED("the model gave no answer before its turns, its time or its money were up"),
        /// The provider failed after turns that were paid for.
        BROKEN_OFF("the provider failed before the model had come to an answer"),
        /// A recorded answer that was written for another question. It is read all the same.
        MISPLACED("the recorded answer was written for other code than was asked about");

        private final String said;

        Shortfall(String said) {
            this.said = said;
        }

        /// The reason in words, for people.
        @Override
        public String toString() {
            return said;
        }
    }

    public Answer {
        text = wellFormed(Objects.requireNonNull(text, "text"));
        Objects.requireNonNull(usage, "usage");
        looks = Invalid.optional(looks);
    }

    /// An answer of an agent that did not look at the data.
    public Answer(
            String text,
            Usage usage,
            @Nullable Shortfall shortfall,
            String system,
            String prompt) {
        this(text, usage, shortfall, system, prompt, List.of());
    }

    /// A text that can be stored: unpaired surrogates become U+FFFD.
    public static String wellFormed(String text) {
        return text.replaceAll("\\p{Cs}", "\uFFFD");
    }

    /// The answer without the model's thoughts before it, and without the mark that some editors
    /// begin a text with.
    public String said() {
        return Thoughts.leftOut(text.startsWith("\uFEFF") ? text.substring(1) : text);
    }

    /// Reads the answer as the agent that asked does. Pure, as [Agent#read] is. A cut answer is
    /// read as far as it goes, but for code: half a program is not run.
    ///
    /// @throws UnreadableAnswer if it does not hold what was asked for
    public <R> R readBy(Agent<R> agent) {
        if (shortfall != null && text.isEmpty()) {
            throw UnreadableAnswer.of(shortfall.toString());
        }
        if (shortfall == Shortfall.TRUNCATED && !agent.acceptsTruncated(said())) {
            throw UnreadableAnswer.of(shortfall.toString());
        }
        try {
            return agent.read(said());
        } catch (UnreadableAnswer e) {
            throw shortfall == null ? e : e.because(shortfall.toString());
        }
    }

    /// A script that an agent ran on the data while it answered.
    ///
    /// @param script its beginning
    /// @param output as the agent was shown it, or why there was none
    public record DataLook(String script, String output) {
        /// Name of the tool that runs it.
        public static final String TOOL = "RunPython";
        /// The beginning of a tool's output if the tool failed.
        public static final String ERROR = "Error: ";
        /// The line between the two outputs of a script.
        public static final String STDERR = "[stderr]";
        private static final int LONGEST = 5_000;

        public DataLook {
            script = bounded(script);
            output = bounded(output);
        }

        private static String bounded(String text) {
            return wellFormed(text.substring(0, Math.min(text.length(), LONGEST)));
        }
    }

    /// The tokens, money and time that one question took.
    ///
    /// @param model who answered, as `provider:name`
    /// @param cachedTokens part of the input tokens that came from the provider's cache
    /// @param costUsd null if the model's price is unknown
    /// @param durationSeconds wall clock
    public record Usage(
            String model,
            long inputTokens,
            long outputTokens,
            long cachedTokens,
            @Nullable Double costUsd,
            double durationSeconds) {
        /// @param usd that the question has cost before; null if unknown
        public Usage after(@Nullable Double usd) {
            return new Usage(model, inputTokens, outputTokens, cachedTokens,
                    costUsd == null || usd == null ? null : Double.valueOf(costUsd + usd),
                    durationSeconds);
        }
    }
}
