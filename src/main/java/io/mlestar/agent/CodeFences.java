package io.mlestar.agent;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds the code in an answer (REQ-SF-005). Fences may be of backticks or tildes, longer than three, indented, with any
/// tag, and the last one may be left open; a fence closes only on a line of its own.
final class CodeFences {
    private static final Pattern OPENING = Pattern.compile("([ \\t]*)(`{3,}|~{3,})[ \\t]*([^`]*)");
    /// Behind prose on the same line only with a tag: without one it may as well be a word that is set apart.
    private static final Pattern BEHIND_PROSE = Pattern.compile("()[^`]*\\S[ \\t]*(`{3,})((?:python3?|py)[ \\t]*)");
    private static final Pattern LOOKS_LIKE_PYTHON = Pattern.compile("""
            (?m)^[ \\t]*(?:import\\s+\\w|from\\s+\\S+\\s+import\\s|def\\s+\\w+\\s*\\(|class\\s+\\w+\\s*[(:]|@\\w\
            |(?:for|while|if|elif|else|with|try)\\b.*:\\s*(?:#.*)?$\
            |[A-Za-z_][\\w.]*(?:\\[[^\\]\\n]*\\])?(?:\\s*,\\s*[A-Za-z_]\\w*)*+\\s*[-+*/|&]?=(?!=)\
            |[A-Za-z_][\\w.]*\\(.*\\)?\\s*$)""");
    private static final Set<String> PYTHON_TAGS = Set.of("", "python", "py", "python3", "python2", "ipython", "pycon");

    /// One fenced block.
    ///
    /// @param tag first word behind the opening fence, lower case; empty if none
    /// @param closed whether it ends with a fence of its own, and not with the answer
    record Fence(String tag, String content, boolean closed) {
        boolean isPython() {
            return PYTHON_TAGS.contains(tag);
        }

        /// A log in a fence without a tag does not.
        boolean looksLikePython() {
            return isPython() && LOOKS_LIKE_PYTHON.matcher(content).find();
        }
    }

    private CodeFences() {}

    /// The code of an answer: the longest block among those tagged as Python or untagged, those that look like Python first, else the
    /// longest of all; without a fence the whole answer, if it looks like Python. Empty if there is no code.
    static Optional<String> code(String answer) {
        List<Fence> fences = fences(answer).stream().filter(fence -> !fence.content().isBlank()).toList();
        if (fences.isEmpty()) {
            String whole = answer.replace("\r\n", "\n").strip();
            return LOOKS_LIKE_PYTHON.matcher(whole).find() ? Optional.of(whole) : Optional.empty();
        }
        return fences.stream()
                .max(Comparator.comparing(Fence::looksLikePython).thenComparing(Fence::isPython).thenComparingInt(fence -> fence.content().length()))
                .map(Fence::content);
    }

    /// Whether there is fenced code, and none that the answer's end cuts short.
    static boolean areClosed(String answer) {
        List<Fence> fences = fences(answer);
        return !fences.isEmpty() && fences.stream().allMatch(Fence::closed);
    }

    static List<Fence> fences(String answer) {
        List<Fence> found = new ArrayList<>();
        String indent = "";
        String mark = null;
        String tag = "";
        List<String> inside = new ArrayList<>();
        for (String line : answer.replace("\r\n", "\n").split("\n", -1)) {
            if (mark == null) {
                Matcher bare = OPENING.matcher(line);
                Matcher opening = bare.matches() ? bare : BEHIND_PROSE.matcher(line);
                if (opening.matches()) {
                    indent = opening.group(1);
                    mark = opening.group(2);
                    String info = opening.group(3).strip().toLowerCase(java.util.Locale.ROOT);
                    tag = info.split("[\\s{,:]", 2)[0];
                    inside.clear();
                }
            } else if (closes(line.strip(), mark)) {
                found.add(new Fence(tag, String.join("\n", inside), true));
                mark = null;
            } else {
                inside.add(line.startsWith(indent) ? line.substring(indent.length()) : line);
            }
        }
        if (mark != null) {
            found.add(new Fence(tag, String.join("\n", inside).stripTrailing(), false));
        }
        return found;
    }

    private static boolean closes(String line, String mark) {
        return line.length() >= mark.length() && line.chars().allMatch(c -> c == mark.charAt(0));
    }
}
