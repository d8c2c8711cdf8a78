package io.mlestar.adapter.tool;

import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The words of an HTML page. Linear in its length, whatever it holds.
final class PageText {
    /// Matches the parts that leave no trace: comments, elements without words for people, and tags
    /// within a line.
    private static final Pattern DROPPED = Pattern.compile("(?is)<!--.*?(?:-->|\\z)"
            + "|<(script|style|noscript|svg|template|iframe)\\b.*?(?:</\\1[^>]*+(?:>|\\z)|\\z)"
            + "|</?(?:a|b|i|em|strong|span|code|sub|sup|u|small|mark|font)\\b[^>]*+(?:>|\\z)");
    private static final Pattern TAG = Pattern.compile("<[^>]*+(?:>|\\z)");
    private static final Map<String, String> ENTITIES =
            Map.of("amp", "&", "lt", "<", "gt", ">", "quot", "\"", "apos", "'", "nbsp", " ",
                    "ndash", "–", "mdash", "—", "hellip", "…");
    private static final Pattern ENTITY =
            Pattern.compile("&(?:([a-z]{2,6})|#(\\d{1,6})|#x(\\p{XDigit}{1,6}));");

    private PageText() {}

    static String of(String html) {
        String text = TAG.matcher(DROPPED.matcher(html).replaceAll("")).replaceAll("\n");
        return ENTITY.matcher(text)
                .replaceAll(entity -> Matcher.quoteReplacement(character(entity)))
                .replaceAll("[ \\t\\r\\u00a0]+", " ")
                .replaceAll(" ?\\n[ \\n]*", "\n")
                .strip();
    }

    private static String character(MatchResult entity) {
        if (entity.group(1) != null) {
            return ENTITIES.getOrDefault(entity.group(1), entity.group());
        }
        int code = entity.group(2) != null
                ? Integer.parseInt(entity.group(2))
                : Integer.parseInt(entity.group(3), 16);
        return Character.isValidCodePoint(code) ? Character.toString(code) : entity.group();
    }
}
