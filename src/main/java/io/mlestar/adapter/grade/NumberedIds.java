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

    /// Reads ids that count up from the first of these; empty if these do not.
    static Optional<NumberedIds> counted(List<String> ids) {
        return ids.isEmpty()
                ? Optional.empty()
                : of(ids.getFirst()).filter(from -> IntStream.range(0, ids.size())
                        .allMatch(row -> from.of(row).equals(ids.get(row))));
    }

    private static Optional<NumberedIds> of(String id) {
        Matcher match = NUMBERED.matcher(id.strip());
        return match.matches()
                ? Optional.of(new NumberedIds(match.group(1), Long.parseLong(match.group(2)),
                        match.group(2).length()))
                : Optional.empty();
    }
}
