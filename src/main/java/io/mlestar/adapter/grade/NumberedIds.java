package io.mlestar.adapter.grade;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/// Ids that count on: what all begin with, the first number, and its least number of digits.
record NumberedIds(String begin, long first, int width) {
    private static final Pattern NUMBERED = Pattern.compile("([^0-9]*)([0-9]{1,15})");

    String of(int row) {
        String digits = String.valueOf(first + row);
        return begin + "0".repeat(Math.max(0, width - digits.length())) + digits;
    }

    /// Those from the first of these on; empty if these do not count.
    static Optional<NumberedIds> counted(List<String> ids) {
        return ids.isEmpty() ? Optional.empty() : of(ids.getFirst())
                .filter(from -> IntStream.range(0, ids.size()).allMatch(row -> from.of(row).equals(ids.get(row))));
    }

    /// New ones behind all of these; empty if some are no numbers behind one and the same
    /// beginning.
    static Optional<NumberedIds> behind(List<String> taken) {
        return taken.isEmpty() ? Optional.empty() : of(taken.getFirst()).flatMap(any -> {
            List<NumberedIds> all =
                    taken.stream().flatMap(id -> of(id).stream()).filter(id -> id.begin().equals(any.begin())).toList();
            return all.size() < taken.size() ? Optional.empty() : Optional.of(new NumberedIds(any.begin(),
                    1 + all.stream().mapToLong(NumberedIds::first).max().orElseThrow(),
                    all.stream().mapToInt(NumberedIds::width).min().orElseThrow()));
        });
    }

    private static Optional<NumberedIds> of(String id) {
        Matcher match = NUMBERED.matcher(id.strip());
        return match.matches()
                ? Optional.of(new NumberedIds(match.group(1), Long.parseLong(match.group(2)), match.group(2).length()))
                : Optional.empty();
    }

    /// The same, behind another id, too, if that is of this form.
    NumberedIds behind(String other) {
        return of(other).filter(id -> id.begin().equals(begin) && id.first() >= first)
                .map(id -> new NumberedIds(begin, id.first() + 1, width)).orElse(this);
    }
}
