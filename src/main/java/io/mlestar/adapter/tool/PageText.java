package io.mlestar.adapter.tool;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The words of an HTML page. Linear in its length, whatever it holds.
final class PageText {
    private static final Set<String> SKIPPED = Set.of("script", "style", "noscript", "svg", "template", "iframe");
    private static final Set<String> INLINE = Set.of("a", "b", "i", "em", "strong", "span", "code", "sub", "sup", "u", "small", "mark", "font");
    private static final Map<String, String> ENTITIES = Map.of("amp", "&", "lt", "<", "gt", ">", "quot", "\"", "apos", "'", "nbsp", " ",
            "ndash", "–", "mdash", "—", "hellip", "…");
    private static final Pattern ENTITY = Pattern.compile("&(#x?[0-9a-fA-F]{1,6}|[a-z]{2,6});");

    private PageText() {}

    static String of(String html) {
        String lower = html.toLowerCase(Locale.ROOT);
        if (lower.length() != html.length()) {
            lower = html;
        }
        StringBuilder text = new StringBuilder();
        int at = 0;
        while (at < html.length()) {
            int tag = html.indexOf('<', at);
            if (tag < 0) {
                text.append(html, at, html.length());
                break;
            }
            text.append(html, at, tag);
            if (html.startsWith("<!--", tag)) {
                at = after(html, "-->", tag);
                continue;
            }
            int end = after(html, ">", tag);
            String name = name(lower, tag + 1, end);
            if (SKIPPED.contains(name)) {
                at = after(html, ">", Math.max(end - 1, lower.indexOf("</" + name, end) < 0 ? html.length() : lower.indexOf("</" + name, end)));
            } else {
                at = end;
                text.append(INLINE.contains(name.replace("/", "")) ? "" : "\n");
            }
        }
        return unescaped(text.toString()).replaceAll("[ \\t\\r\\u00a0]+", " ").replaceAll(" ?\\n[ \\n]*", "\n").strip();
    }

    private static int after(String text, String what, int from) {
        int at = text.indexOf(what, from);
        return at < 0 ? text.length() : at + what.length();
    }

    private static String name(String lower, int from, int end) {
        int at = from;
        while (at < end && (Character.isLetterOrDigit(lower.charAt(at)) || at == from && lower.charAt(at) == '/')) {
            at++;
        }
        return lower.substring(from, at);
    }

    private static String unescaped(String text) {
        return ENTITY.matcher(text).replaceAll(found -> Matcher.quoteReplacement(character(found.group(1), found.group())));
    }

    private static String character(String name, String otherwise) {
        if (!name.startsWith("#")) {
            return ENTITIES.getOrDefault(name, otherwise);
        }
        try {
            int code = name.startsWith("#x") ? Integer.parseInt(name.substring(2), 16) : Integer.parseInt(name.substring(1));
            return Character.isValidCodePoint(code) ? Character.toString(code) : otherwise;
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }
}
