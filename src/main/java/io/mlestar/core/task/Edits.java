package io.mlestar.core.task;

import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Edits of a script by search and replace, as an agent writes them. What is searched for has to stand exactly once in the script, as whole lines.
/// Each changes what those before it have made.
public final class Edits {
    private static final Pattern SEARCH = Pattern.compile("\\s*<{5,9}\\s*SEARCH\\s*");
    private static final Pattern MIDDLE = Pattern.compile("\\s*={5,9}\\s*");
    private static final Pattern REPLACE = Pattern.compile("\\s*>{5,9}\\s*REPLACE\\s*");
    private static final int SHOWN = 80;

    /// @param search lines of the script
    /// @param replace lines that take their place; empty takes them away
    private record Edit(String search, String replace) {}

    private Edits() {}

    /// The edits of an answer; none if there is no mark of one.
    private static List<Edit> in(String answer) {
        List<Edit> edits = new ArrayList<>();
        List<String> search = null;
        List<String> replace = null;
        for (String line : answer.replace("\r\n", "\n").split("\n", -1)) {
            if (search == null) {
                search = SEARCH.matcher(line).matches() ? new ArrayList<>() : null;
            } else if (SEARCH.matcher(line).matches()) {
                throw new Invalid("edit " + (edits.size() + 1) + " has no end before the next one begins");
            } else if (replace == null) {
                if (MIDDLE.matcher(line).matches()) {
                    replace = new ArrayList<>();
                } else {
                    search.add(line);
                }
            } else if (REPLACE.matcher(line).matches()) {
                edits.add(new Edit(String.join("\n", search), String.join("\n", replace)));
                search = null;
                replace = null;
            } else {
                replace.add(line);
            }
        }
        if (search != null) {
            throw new Invalid("edit " + (edits.size() + 1) + " is cut off: it has no line >>>>>>> REPLACE");
        }
        return edits;
    }

    /// Where the first edit begins in an answer; -1 if there is none.
    public static int begin(String answer) {
        int at = 0;
        for (String line : answer.split("\n", -1)) {
            if (SEARCH.matcher(line).matches()) {
                return at;
            }
            at += line.length() + 1;
        }
        return -1;
    }

    /// The script with the edits of an answer.
    ///
    /// @throws Invalid naming the edit that is not whole, or that matches nowhere or more than once
    public static String applied(String answer, String script) {
        String edited = script;
        int number = 0;
        for (Edit edit : in(answer)) {
            edited = applied(edit, "edit " + ++number, edited);
        }
        return edited;
    }

    private static String applied(Edit edit, String name, String script) {
        List<String> wanted = edit.search().lines().map(String::stripTrailing).toList();
        if (edit.search().isBlank()) {
            throw new Invalid(name + " searches for nothing");
        }
        List<String> lines = List.of(script.split("\n", -1));
        List<String> stripped = lines.stream().map(String::stripTrailing).toList();
        List<Integer> found = new ArrayList<>();
        for (int at = 0; at + wanted.size() <= stripped.size(); at++) {
            if (stripped.subList(at, at + wanted.size()).equals(wanted)) {
                found.add(at);
            }
        }
        if (found.size() != 1) {
            throw new Invalid(name + (found.isEmpty() ? " matches nowhere in the script" : " matches " + found.size() + " places of the script") + ": `"
                    + Excerpt.line(edit.search(), SHOWN).replace('`', '\'') + "`");
        }
        List<String> edited = new ArrayList<>(lines.subList(0, found.getFirst()));
        if (!edit.replace().isEmpty()) {
            edited.add(edit.replace());
        }
        edited.addAll(lines.subList(found.getFirst() + wanted.size(), lines.size()));
        return String.join("\n", edited);
    }
}
