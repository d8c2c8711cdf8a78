package io.mlestar.core.base;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/// Suggestions for misspelt names.
public final class Spelling {
    private static final int LONGEST = 100;
    /// Letters from which on a part of a name tells which name is meant.
    private static final int TELLING = 4;

    private Spelling() {}

    /// The known name that is most like another one, in any case of letters; empty if none is: a
    /// third of its letters may be wrong, missing or too many. Else the shortest that holds the
    /// word, as `max_budget_usd` holds `budget`.
    public static Optional<String> nearest(String word, Collection<String> known) {
        if (word.length() > LONGEST) {
            return Optional.empty();
        }
        String meant = word.toLowerCase(Locale.ROOT);
        return known.stream()
                .filter(name -> distance(meant, name.toLowerCase(Locale.ROOT)) <= Math.max(1,
                        Math.min(word.length(), name.length()) / 3))
                .min(Comparator
                        .comparingInt(
                                (String name) -> distance(meant, name.toLowerCase(Locale.ROOT)))
                        .thenComparing(Comparator.naturalOrder()))
                .or(() -> known.stream()
                        .filter(name -> meant.length() >= TELLING
                                && name.toLowerCase(Locale.ROOT).contains(meant))
                        .min(Comparator.comparingInt(String::length)
                                .thenComparing(Comparator.naturalOrder())));
    }

    /// The question at the end of a line; empty if no name is like it.
    public static String question(String word, Collection<String> known) {
        return nearest(word, known).map(name -> "; did you mean " + name + "?").orElse("");
    }

    /// Letters to be changed, put in, left out, or swapped with their neighbour.
    private static int distance(String one, String other) {
        int[][] of = new int[one.length() + 1][other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                if (i == 0 || j == 0) {
                    of[i][j] = i + j;
                    continue;
                }
                int same = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
                of[i][j] =
                        Math.min(of[i - 1][j - 1] + same, 1 + Math.min(of[i - 1][j], of[i][j - 1]));
                if (i > 1 && j > 1 && one.charAt(i - 1) == other.charAt(j - 2)
                        && one.charAt(i - 2) == other.charAt(j - 1)) {
                    of[i][j] = Math.min(of[i][j], of[i - 2][j - 2] + 1);
                }
            }
        }
        return of[one.length()][other.length()];
    }
}
