package io.mlestar.adapter.model.provider;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.model.output.TokenUsage;
import io.mlestar.core.task.Price;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Tokens of one request, or of several together.
///
/// @param input all of it, cached or not
/// @param read what came from the provider's cache
/// @param written what went into it
public record Tokens(long input, long output, long read, long written) {
    public static final Tokens NONE = new Tokens(0, 0, 0, 0);
    /// Stands for a count that is none. A sum with it is negative, too.
    static final int NO_COUNT = Integer.MIN_VALUE;
    /// Names of counts, in all protocols.
    private static final Pattern COUNT = Pattern.compile(".*(?:_tokens|TokenCount|_requests)");
    /// More than any model takes in and gives out for one request.
    private static final long MOST = 10_000_000;
    /// The most characters of a token, more than the tokens of any text have in the mean: of prose
    /// four or five, and of white space in a row some dozens.
    private static final long LONGEST = 32;

    /// The counts that every client gives.
    ///
    /// @param usage null if the provider gave none
    static Tokens plain(@Nullable TokenUsage usage) {
        return usage == null
                ? NONE
                : new Tokens(count(usage.inputTokenCount()), count(usage.outputTokenCount()), 0, 0);
    }

    /// Marks what is no count in the usage of an answer, on which its client would fail, and takes
    /// away what is no usage at all.
    ///
    /// @param answer is changed
    public static void repair(ObjectNode answer) {
        for (String name : List.of("usage", "usageMetadata")) {
            if (answer.has(name) && !answer.path(name).isObject()) {
                answer.remove(name);
            }
            mark(answer.path(name));
        }
        List.of("prompt_eval_count", "eval_count").forEach(name -> mark(answer, name));
    }

    private static void mark(JsonNode usage) {
        for (String name : usage.properties().stream().map(Map.Entry::getKey).toList()) {
            if (COUNT.matcher(name).matches()) {
                mark((ObjectNode) usage, name);
            } else {
                mark(usage.path(name));
            }
        }
    }

    private static void mark(ObjectNode usage, String name) {
        JsonNode count = usage.path(name);
        if (usage.hasNonNull(name) && !(count.canConvertToInt() && count.asInt() >= 0)) {
            usage.put(name, NO_COUNT);
        }
    }

    static long count(Integer tokens) {
        return tokens == null ? 0 : tokens;
    }

    /// True if a request and its answer may have had these counts.
    ///
    /// @param asked characters of the request's prompts, 1 or more
    /// @param said characters of the answer; 0 if it said nothing
    public boolean areCredible(long asked, long said) {
        return isOf(asked, input) && isOf(said, output) && isOf(0, read) && isOf(0, written);
    }

    private static boolean isOf(long characters, long count) {
        return count >= Math.ceilDiv(characters, LONGEST) && count <= MOST;
    }

    public Tokens plus(Tokens more) {
        return new Tokens(input + more.input, output + more.output, read + more.read,
                written + more.written);
    }

    /// The cost in USD.
    public double cost(Price price) {
        return price.of(input, output, read, written);
    }
}
