package io.mlestar.adapter.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Counts what of the requests' tokens a provider would read from its cache, by the provider's
/// published rules (November 2026), as if all came within the five minutes that it keeps them. A
/// token is four characters.
final class PromptCache {
    private static final int LEAST = 1_024;
    private static final int CHARACTERS = 4;

    private PromptCache() {}

    /// @param input tokens of all requests
    /// @param read of these from the cache
    record Counted(long input, long read) {
        double share() {
            return (double) read / input;
        }
    }

    /// Anthropic (Sonnet): what ends at a mark is written; of what was written the longest
    /// beginning of a request is read, if it has 1,024 tokens or more. Another form of the answer,
    /// as other tools, is another beginning.
    static Counted anthropic(List<JsonNode> bodies) {
        Set<String> written = new HashSet<>();
        long input = 0;
        long read = 0;
        for (JsonNode body : bodies) {
            List<JsonNode> blocks = new ArrayList<>();
            body.path("system").forEach(blocks::add);
            body.path("messages").forEach(message -> message.path("content").forEach(blocks::add));
            StringBuilder beginning =
                    new StringBuilder(body.path("tools").toString()).append(body.path("output_config"));
            int longest = 0;
            List<String> marked = new ArrayList<>();
            for (JsonNode block : blocks) {
                beginning.append(block.has("text") ? block.path("text").asText() : block.toString());
                if (written.contains(beginning.toString())) {
                    longest = beginning.length();
                }
                if (block.has("cache_control") && beginning.length() / CHARACTERS >= LEAST) {
                    marked.add(beginning.toString());
                }
            }
            written.addAll(marked);
            input += beginning.length() / CHARACTERS;
            read += longest / CHARACTERS;
        }
        return new Counted(input, read);
    }

    /// OpenAI: the longest beginning that any request had before, from 1,024 tokens on in steps of
    /// 128.
    static Counted openAi(List<JsonNode> bodies) {
        List<String> before = new ArrayList<>();
        long input = 0;
        long read = 0;
        for (JsonNode body : bodies) {
            StringBuilder whole = new StringBuilder(body.path("tools").toString()).append(body.path("response_format"));
            body.path("messages").forEach(message -> whole.append(FakeProvider.text(message.path("content"))));
            // Where it may search.
            body.path("input").forEach(message -> whole.append(ResponsesForm.text(message.path("content"))));
            String request = whole.toString();
            int tokens = before.stream().mapToInt(earlier -> common(earlier, request)).max().orElse(0) / CHARACTERS;
            input += request.length() / CHARACTERS;
            read += tokens < LEAST ? 0 : tokens / 128 * 128;
            before.add(request);
        }
        return new Counted(input, read);
    }

    private static int common(String one, String other) {
        int at = 0;
        while (at < one.length() && at < other.length() && one.charAt(at) == other.charAt(at)) {
            at++;
        }
        return at;
    }
}
