package io.mlestar.show.render;

import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Python code as HTML with its parts marked. It understands as much of the language
/// (docs.python.org, The Python Language Reference, 2) as colours need and accepts any text: what
/// is no Python stays unmarked. Everything is escaped, control characters are shown. No mark
/// reaches beyond the end of its line.
public final class PythonCode {
    /// The code beyond these is not marked: pages stay small, whatever a model writes.
    private static final int MOST_MARKS = 20_000;
    private static final Set<String> KEYWORDS =
            Set.of("False", "None", "True", "and", "as", "assert", "async", "await", "break",
                    "class", "continue", "def", "del", "elif", "else", "except", "finally", "for",
                    "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or",
                    "pass", "raise", "return", "try", "while", "with", "yield");
    private static final List<String> KINDS =
            List.of("comment", "string", "number", "name", "keyword");
    private static final String START_OF_LINE = "(?<=^[ \\t]{0,60})";
    /// Every repetition is possessive: no text makes it backtrack or recurse. A string without its
    /// end goes to the end of its line, or of the code if it may have many lines. `match` and
    /// `case` are keywords only where they begin a statement.
    private static final Pattern TOKEN = Pattern.compile("(?<comment>#[^\\n]*+)"
            + "|(?<string>[rRbBuUfFtT]{0,2}+(?:" + longString('"') + "|" + longString('\'') + "|"
            + shortString('"')
            + "|" + shortString('\'') + "))"
            + "|(?<number>0x[\\p{L}0-9_.]*+|\\.?[0-9](?:[eE][+-](?=[0-9])|[\\p{L}0-9_.])*+)"
            + "|(?<name>" + START_OF_LINE + "@[\\p{L}0-9_]*+)"
            + "|(?<keyword>" + START_OF_LINE + "(?:match|case)(?= [^=.,)]))"
            + "|(?<word>[\\p{L}_][\\p{L}0-9_]*+)", Pattern.MULTILINE | Pattern.UNIX_LINES);

    private final StringBuilder html;
    private int marks;

    private PythonCode(int length) {
        this.html = new StringBuilder(length * 2);
    }

    private static String longString(char quote) {
        return "QQQ(?:[^Q\\\\]++|\\\\[\\s\\S]|Q(?!QQ))*+(?:QQQ|\\\\?\\z)".replace('Q', quote);
    }

    private static String shortString(char quote) {
        return "Q(?:[^Q\\\\\\n]++|\\\\[\\s\\S])*+(?:Q|\\\\\\z)?+".replace('Q', quote);
    }

    /// @return has as many lines as the code
    public static String html(String code) {
        return new PythonCode(code.length()).read(code.replace("\r\n", "\n").replace('\r', '\n'));
    }

    private String read(String code) {
        Matcher token = TOKEN.matcher(code);
        int at = 0;
        String before = "";
        while (marks < MOST_MARKS && token.find()) {
            html.append(Svg.escape(code.substring(at, token.start())));
            String word = token.group("word");
            if (word == null) {
                mark(KINDS.stream()
                        .filter(kind -> token.group(kind) != null)
                        .findFirst()
                        .orElseThrow(), token.group());
            } else if (KEYWORDS.contains(word)) {
                mark("keyword", word);
            } else if (before.equals("def") || before.equals("class")) {
                mark("name", word);
            } else {
                html.append(Svg.escape(word));
            }
            before = word == null ? before : word;
            at = token.end();
        }
        return html.append(Svg.escape(code.substring(at))).toString();
    }

    private void mark(String kind, String text) {
        String[] lines = text.split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            html.append(i == 0 ? "" : "\n");
            if (!lines[i].isEmpty()) {
                html.append("<span class=\"py-")
                        .append(kind)
                        .append("\">")
                        .append(Svg.escape(lines[i]))
                        .append("</span>");
                marks++;
            }
        }
    }
}
