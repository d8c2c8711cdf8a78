package io.mlestar.tool;

import io.mlestar.tool.ShellCommand.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Takes a shell text apart into its simple commands, those inside `$(…)`, backticks and subshells too. Knows quotes,
/// redirections, here-documents and comments; runs nothing. What it might see otherwise than the shell does, it refuses.
final class ShellReader {
    private static final int DEEPEST = 20;
    private static final String NO_WORD = " \t\n;|&<>()";
    private static final Pattern PLAIN_BRACES = Pattern.compile("[^'\"`$\\\\{}()\n]*");
    private static final Pattern ARITHMETIC = Pattern.compile("[\\w\\s+*/%<>=!&|^~?:,$-]*");
    private static final Pattern LIKE_A_COMMAND = Pattern.compile("[A-Za-z_]\\w*\\s+-?[A-Za-z0-9/$]");

    private final String text;
    private final int depth;
    private final List<ShellCommand> commands;
    private final List<HereDocument> announced = new ArrayList<>();
    private int at;
    private ShellCommand current = new ShellCommand();
    private StringBuilder word = new StringBuilder();
    private boolean inWord;
    private boolean open;
    private boolean glob;
    private boolean brace;

    private ShellReader(String text, int at, int depth, List<ShellCommand> commands) {
        if (depth > DEEPEST) {
            throw new UnreadableCommand("it is nested too deeply");
        }
        this.text = text;
        this.at = at;
        this.depth = depth;
        this.commands = commands;
    }

    /// @throws UnreadableCommand if quotes or parentheses do not close, or it is too intricate
    static List<ShellCommand> read(String text) {
        List<ShellCommand> commands = new ArrayList<>();
        new ShellReader(text, 0, 0, commands).all();
        return commands;
    }

    /// A stray parenthesis ends a list, as in `case`; what follows is read all the same.
    private void all() {
        while (at < text.length()) {
            list();
        }
    }

    /// Reads up to the parenthesis that closes (true), or the end.
    private boolean list() {
        while (at < text.length()) {
            char c = text.charAt(at++);
            switch (c) {
                case ')' -> {
                    endCommand();
                    return true;
                }
                case '(' -> {
                    endCommand();
                    parenthesis();
                }
                case ';', '|' -> endCommand();
                case '&' -> {
                    if (!peek('>')) {
                        endCommand();
                    }
                }
                case '\n' -> {
                    endCommand();
                    hereDocuments();
                }
                case ' ', '\t' -> endWord();
                case '<', '>' -> redirection(c);
                case '#' -> {
                    if (inWord) {
                        word.append(c);
                    } else {
                        at = text.indexOf('\n', at) < 0 ? text.length() : text.indexOf('\n', at);
                    }
                }
                default -> part(c);
            }
        }
        endCommand();
        return false;
    }

    private boolean peek(char c) {
        return at < text.length() && text.charAt(at) == c;
    }

    /// One more piece of a word.
    private void part(char c) {
        if (c == '\\' && peek('\n')) {
            at++;
            return;
        }
        inWord = true;
        switch (c) {
            case '\\' -> word.append(at < text.length() ? text.charAt(at++) : c);
            case '\'' -> word.append(upTo('\''));
            case '"' -> doubleQuotes(false);
            case '$' -> dollar(false);
            case '`' -> backticks();
            case '*', '?', '[' -> {
                glob = true;
                word.append(c);
            }
            case '{', ',', '.' -> {
                brace |= c == '{';
                open |= brace && (c == ',' || c == '.' && peek('.'));
                word.append(c);
            }
            default -> word.append(c);
        }
    }

    private String upTo(char end) {
        int close = text.indexOf(end, at);
        if (close < 0) {
            throw new UnreadableCommand("a " + end + " is missing");
        }
        String inside = text.substring(at, close);
        at = close + 1;
        return inside;
    }

    /// @param body whether it is a here-document: the same rules, but quotes mean nothing and it ends with the text
    private void doubleQuotes(boolean body) {
        while (at < text.length()) {
            char c = text.charAt(at++);
            switch (c) {
                case '"' -> {
                    if (!body) {
                        return;
                    }
                }
                case '\\' -> {
                    char next = at < text.length() ? text.charAt(at++) : ' ';
                    word.append("\"\\$`\n".indexOf(next) < 0 ? "\\" : "").append(next == '\n' ? "" : String.valueOf(next));
                }
                case '$' -> dollar(true);
                case '`' -> backticks();
                default -> word.append(c);
            }
        }
        if (!body) {
            throw new UnreadableCommand("a quote is not closed");
        }
    }

    /// After `$`: what it stands for is not known, but commands inside are read.
    private void dollar(boolean inQuotes) {
        char next = at < text.length() ? text.charAt(at) : ' ';
        if (next == '(') {
            open = true;
            at++;
            parenthesis();
        } else if (next == '{' || next == '[') {
            open = true;
            at++;
            if (next == '[' || !PLAIN_BRACES.matcher(upTo('}')).matches()) {
                throw new UnreadableCommand("`${…}` is too intricate; use plain variables");
            }
        } else if (next == '\'' && !inQuotes) {
            open = true;
            at++;
            while (!peek('\'')) {
                at += peek('\\') ? 2 : 1;
                if (at >= text.length()) {
                    throw new UnreadableCommand("a quote is not closed");
                }
            }
            at++;
        } else if (Character.isLetter(next) || next == '_') {
            open = true;
            while (at < text.length() && (Character.isLetterOrDigit(text.charAt(at)) || peek('_'))) {
                at++;
            }
        } else if (Character.isDigit(next) || "@*#?-$!".indexOf(next) >= 0) {
            open = true;
            at++;
        } else if (next != '"' || inQuotes) {
            word.append('$');
        }
    }

    private void backticks() {
        open = true;
        String inside = upTo('`');
        if (inside.contains("\\")) {
            throw new UnreadableCommand("a backslash between backticks is too intricate; use $(…)");
        }
        new ShellReader(inside, 0, depth + 1, commands).all();
    }

    /// Reads commands up to the closing parenthesis; skips plain arithmetic.
    private void parenthesis() {
        int end = text.indexOf("))", at);
        if (peek('(') && end > 0) {
            String inside = text.substring(at + 1, end);
            if (ARITHMETIC.matcher(inside).matches() && !LIKE_A_COMMAND.matcher(inside).find()) {
                at = end + 2;
                return;
            }
        }
        int first = commands.size();
        ShellReader inner = new ShellReader(text, at, depth + 1, commands);
        if (!inner.list() || !inner.announced.isEmpty()) {
            throw new UnreadableCommand("a parenthesis is not closed");
        }
        if (commands.subList(first, commands.size()).stream().flatMap(command -> command.words().stream()).anyMatch(w -> w.text().equals("case"))) {
            throw new UnreadableCommand("`case` inside parentheses is too intricate");
        }
        at = inner.at;
    }

    private void redirection(char c) {
        if (inWord && Character.isDigit(text.charAt(at - 2)) && word.chars().allMatch(Character::isDigit)) {
            // The number of a stream.
            clearWord();
        }
        endWord();
        if (peek('(')) {
            at++;
            parenthesis();
            inWord = true;
            open = true;
        } else if (c == '<' && text.startsWith("<<", at)) {
            at += 2;
            current.input().add(target().text());
        } else if (c == '<' && peek('<')) {
            at++;
            boolean tabs = peek('-');
            at += tabs ? 1 : 0;
            // Whether its end is quoted shows in the text.
            int from = at;
            Word end = target();
            if (end.open() || end.text().contains("\n")) {
                throw new UnreadableCommand("the end of a here-document must be a plain word");
            }
            announced.add(new HereDocument(current, end.text(), text.substring(from, at).matches("(?s).*['\"\\\\].*"), tabs));
        } else {
            boolean writes = c == '>' || peek('>');
            while (peek('>') || peek('|') || peek('&')) {
                at++;
            }
            Word target = target();
            if (!target.text().matches("\\d+-?|-")) {
                (writes ? current.written() : current.read()).add(target);
            }
        }
    }

    /// The word after a redirection.
    private Word target() {
        while (peek(' ') || peek('\t')) {
            at++;
        }
        while (at < text.length() && NO_WORD.indexOf(text.charAt(at)) < 0) {
            part(text.charAt(at++));
        }
        if (!inWord) {
            throw new UnreadableCommand("a redirection has no plain target");
        }
        Word read = new Word(word.toString(), open, glob);
        clearWord();
        return read;
    }

    private void hereDocuments() {
        for (HereDocument document : announced) {
            at = document.take(text, at);
            if (!document.literal()) {
                // The shell runs `$(…)` in it, as it does in double quotes.
                new ShellReader(document.command().input().getLast(), 0, depth + 1, commands).doubleQuotes(true);
            }
        }
        announced.clear();
    }

    private void endWord() {
        if (inWord) {
            current.words().add(new Word(word.toString(), open, glob && !word.toString().matches("\\[\\[?")));
        }
        clearWord();
    }

    private void clearWord() {
        word = new StringBuilder();
        inWord = false;
        open = false;
        glob = false;
        brace = false;
    }

    private void endCommand() {
        endWord();
        if (!current.isEmpty()) {
            commands.add(current);
        }
        current = new ShellCommand();
    }
}
