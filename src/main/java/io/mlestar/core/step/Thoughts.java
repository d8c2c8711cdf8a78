package io.mlestar.core.step;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The thoughts that a model writes before its answer. They end with a mark at the beginning of a
/// line, and may hold drafts in fences, so only the last mark outside of fences counts. Servers
/// whose chat template begins the thoughts leave out the opening mark, a cut answer the closing
/// one.
final class Thoughts {
    /// The marks of DeepSeek and Qwen, Anthropic's prompts, Gemini's layer for OpenAI's protocol,
    /// Seed, Magistral. `reflection` is none of them: it may be an answer.
    private static final String NAMES = "(?:seed:)?(?:think(?:ing)?|thoughts?|reasoning)>";
    private static final Pattern BEGIN =
            Pattern.compile("\\s*+(?:<" + NAMES + "|\\[think])", Pattern.CASE_INSENSITIVE);
    private static final Pattern END =
            Pattern.compile("(?:</" + NAMES + "|\\[/think])", Pattern.CASE_INSENSITIVE);
    private static final Pattern END_OF_LINES =
            Pattern.compile("[ \\t]*+" + END, Pattern.CASE_INSENSITIVE);

    private Thoughts() {}

    /// The answer behind them; empty if there is nothing else.
    static String leftOut(String text) {
        int at = lastEnd(text);
        Matcher begin = BEGIN.matcher(text);
        Matcher end = END.matcher(text);
        while (begin.region(at, text.length()).lookingAt()) {
            at = end.region(at, text.length()).find() ? end.end() : text.length();
        }
        return text.substring(at);
    }

    /// The index behind the last closing mark that begins a line outside of fences; 0 if there is
    /// none.
    private static int lastEnd(String text) {
        int last = 0;
        FenceMark open = null;
        Matcher end = END_OF_LINES.matcher(text);
        for (int at = 0; at < text.length();) {
            int next = text.indexOf('\n', at) + 1;
            next = next == 0 ? text.length() : next;
            if (open == null && end.region(at, next).lookingAt()) {
                last = end.end();
                at = last;
            }
            open = after(open, text.substring(at, next).stripTrailing());
            at = next;
        }
        return last;
    }

    private static @Nullable FenceMark after(@Nullable FenceMark open, String line) {
        if (open == null) {
            return FenceMark.opening(line);
        }
        return open.isClosedBy(line) ? null : open;
    }
}
