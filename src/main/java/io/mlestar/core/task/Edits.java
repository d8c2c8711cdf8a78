package io.mlestar.core.task;

import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Edits of a script by search and replace, as an agent writes them. What is searched for has to
/// stand exactly once in the script, as whole lines. Each changes what those before it have made.
public final class Edits {
    private static final Pattern SEARCH = Pattern.compile("\\s*<{5,9}\\s*SEARCH\\s*");
    private static final Pattern MIDDLE = Pattern.compile("\\s*={5,9}\\s*");
    private static final Pattern REPLACE = Pattern.compile("\\s*>{5,9}\\s*REPLACE\\s*");
    private static final int SHOWN = 80;
    /// The most edits of an answer. With more a script is to be written anew.
    private static final int MOST = 100;

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
                throw new Invalid(
                        "edit " + (edits.size() + 1) + " has no end before the next one begins");
            } else if (replace == null) {
                if (MIDDLE.matcher(line).matches()) {
                    replace = new ArrayList<>();
                } else {
                    search.add(line);
                }
            } else if (REPLACE.matcher(line).matches()) {
                if (edits.size() == MOST) {
                    throw new Invalid(
                            "there are more than " + MOST + " edits: write the whole script");
                }
                edits.add(new Edit(String.join("\n", search), String.join("\n", replace)));
                search = null;
                replace = null;
            } else {
                replace.add(line);
            }
        }
        if (search != null) {
            throw new Invalid(
                    "edit " + (edits.size() + 1) + " is cut off: it has no line >>>>>>> REPLACE");
        }
        return edits;
    }

    /// The index at which the first edit begins in an answer; -1 if there is none.
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
        String[] wanted = edit.search().lines().map(String::stripTrailing).toArray(String[]::new);
        if (edit.search().isBlank()) {
            throw new Invalid(name + " searches for nothing");
        }
        List<String> lines = List.of(script.split("\n", -1));
        int[] found = Blocks.places(wanted, Blocks.stripped(script), String::equals);
        if (found.length != 1) {
            throw new Invalid(name
                    + (found.length == 0
                            ? " matches nowhere in the script"
                            : " matches " + found.length + " places of the script")
                    + ": `"
                    + Excerpt.line(edit.search(), SHOWN).replace('`', '\'') + "`");
        }
        List<String> edited = new ArrayList<>(lines.subList(0, found[0]));
        if (!edit.replace().isEmpty()) {
            edited.add(edit.replace());
        }
        edited.addAll(lines.subList(found[0] + wanted.length, lines.size()));
        return String.join("\n", edited);
    }
}
