package io.mlestar.show.render;

import java.util.Set;

/// Python code as HTML with its parts marked, for people who read it. It understands as much of the language (docs.python.org, The
/// Python Language Reference, 2) as colours need, and takes whatever it is given: what is no Python comes out as it went in. Everything
/// is escaped, controls are shown. No mark reaches beyond the end of its line.
public final class PythonCode {
    /// Beyond these the code is not marked any more: pages stay small, whatever a model writes.
    private static final int MOST_MARKS = 20_000;
    private static final Set<String> KEYWORDS = Set.of("False", "None", "True", "and", "as", "assert", "async", "await", "break", "case", "class", "continue",
            "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "match", "nonlocal", "not", "or",
            "pass", "raise", "return", "try", "while", "with", "yield");
    /// Keywords only where a statement begins and goes on.
    private static final Set<String> SOFT = Set.of("match", "case");
    private static final int LONGEST_PREFIX = 2;

    private final String code;
    private final StringBuilder html;
    private int at;
    private int marks;
    private String word = "";

    private PythonCode(String code) {
        this.code = code;
        this.html = new StringBuilder(code.length() * 2);
    }

    /// @return has as many lines as the code
    public static String html(String code) {
        return new PythonCode(code.replace("\r\n", "\n").replace('\r', '\n')).read();
    }

    private String read() {
        while (at < code.length() && marks < MOST_MARKS) {
            char c = code.charAt(at);
            if (c == '#') {
                mark("comment", end('\n'));
            } else if (c == '"' || c == '\'') {
                mark("string", string(at));
            } else if (isDigit(c) || c == '.' && isDigit(next(1))) {
                mark("number", number());
            } else if (c == '@' && isAtStart()) {
                mark("name", name(at + 1));
            } else if (isLetter(c)) {
                word();
            } else {
                html.append(escaped(String.valueOf(c)));
                at++;
            }
        }
        return html.append(escaped(code.substring(at))).toString();
    }

    /// A keyword, the name that `def` or `class` gives, any other name, or what stands before a string.
    private void word() {
        int end = name(at);
        String read = code.substring(at, end);
        boolean prefix = read.length() <= LONGEST_PREFIX && end < code.length() && (code.charAt(end) == '"' || code.charAt(end) == '\'')
                && read.chars().allMatch(c -> "rRbBuUfFtT".indexOf(c) >= 0);
        if (prefix) {
            mark("string", string(end));
        } else if (KEYWORDS.contains(read) && (!SOFT.contains(read) || isAtStart() && isFollowedByName(end))) {
            mark("keyword", end);
        } else if (word.equals("def") || word.equals("class")) {
            mark("name", end);
        } else {
            html.append(escaped(read));
            at = end;
        }
        word = read;
    }

    private boolean isFollowedByName(int end) {
        return end + 1 < code.length() && code.charAt(end) == ' ' && "=.,)".indexOf(code.charAt(end + 1)) < 0;
    }

    private void mark(String kind, int end) {
        String open = "<span class=\"py-" + kind + "\">";
        String[] lines = code.substring(at, end).split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            html.append(i == 0 ? "" : "\n");
            if (!lines[i].isEmpty()) {
                html.append(open).append(escaped(lines[i])).append("</span>");
                marks++;
            }
        }
        at = end;
    }

    /// @param start of its quotes
    /// @return where the string ends; one that is not closed ends with its line, or with the code if it may have many
    private int string(int start) {
        char quote = code.charAt(start);
        boolean triple = code.startsWith(String.valueOf(quote).repeat(3), start);
        int i = start + (triple ? 3 : 1);
        while (i < code.length()) {
            char c = code.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == '\n' && !triple) {
                return i;
            } else if (c == quote && (!triple || code.startsWith(String.valueOf(quote).repeat(3), i))) {
                return i + (triple ? 3 : 1);
            }
            i++;
        }
        return code.length();
    }

    private int number() {
        int end = at;
        while (end < code.length() && (isLetter(code.charAt(end)) || isDigit(code.charAt(end)) || code.charAt(end) == '.'
                || (code.charAt(end) == '-' || code.charAt(end) == '+') && isExponent(end))) {
            end++;
        }
        return end;
    }

    private boolean isExponent(int sign) {
        return (code.charAt(sign - 1) == 'e' || code.charAt(sign - 1) == 'E') && sign + 1 < code.length() && isDigit(code.charAt(sign + 1))
                && !code.startsWith("0x", at);
    }

    private int name(int from) {
        int end = from;
        while (end < code.length() && (isLetter(code.charAt(end)) || isDigit(code.charAt(end)))) {
            end++;
        }
        return end;
    }

    private int end(char of) {
        int end = code.indexOf(of, at);
        return end < 0 ? code.length() : end;
    }

    private boolean isAtStart() {
        int before = at - 1;
        while (before >= 0 && (code.charAt(before) == ' ' || code.charAt(before) == '\t')) {
            before--;
        }
        return before < 0 || code.charAt(before) == '\n';
    }

    private char next(int ahead) {
        return at + ahead < code.length() ? code.charAt(at + ahead) : '\n';
    }

    private static boolean isLetter(char c) {
        return c == '_' || Character.isLetter(c);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static String escaped(String text) {
        return Svg.escape(text);
    }
}
