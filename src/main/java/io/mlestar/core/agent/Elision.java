package io.mlestar.core.agent;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A script beside one that is shown already: long runs of lines that both hold are named, and not
/// shown twice.
final class Elision {
    /// Lines; what is shorter is as quickly read as named.
    private static final int SHORTEST = 6;
    /// Most places in the known script that are tried for a line: a script of one line again and
    /// again is read in linear time.
    private static final int MOST_PLACES = 16;

    private Elision() {}

    /// @param shown the script that the reader has before him
    static String of(String script, String shown) {
        List<String> lines = script.lines().toList();
        List<String> known = shown.lines().toList();
        Map<String, List<Integer>> places = new HashMap<>();
        for (int i = 0; i < known.size(); i++) {
            List<Integer> of = places.computeIfAbsent(known.get(i), _ -> new ArrayList<>());
            if (of.size() < MOST_PLACES) {
                of.add(i);
            }
        }
        List<String> told = new ArrayList<>();
        for (int at = 0; at < lines.size();) {
            int run = longest(lines, at, known, places.getOrDefault(lines.get(at), List.of()));
            if (run < SHORTEST) {
                told.add(lines.get(at));
                at++;
            } else {
                told.add("# ... " + run + " lines as in the script above, from: "
                        + lines.get(at).strip());
                at += run;
            }
        }
        return String.join("\n", told);
    }

    /// The most lines from `at` on that stand in the known script, too, one after the other.
    private static int longest(
            List<String> lines,
            int at,
            List<String> known,
            List<Integer> places) {
        int longest = 0;
        for (int place : places) {
            int run = 0;
            while (at + run < lines.size() && place + run < known.size()
                    && lines.get(at + run).equals(known.get(place + run))) {
                run++;
            }
            longest = Math.max(longest, run);
        }
        return longest;
    }
}
