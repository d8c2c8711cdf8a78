package io.mlestar.agent;

import io.mlestar.task.Invalid;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Preconditions of the agents' inputs; each names the JSON field.
final class Require {
    private Require() {}

    static void text(String field, String text) {
        if (text == null || text.isBlank()) {
            throw new Invalid(field + " is required and must not be blank");
        }
    }

    static <T> List<T> list(String field, List<T> list) {
        if (list == null) {
            throw new Invalid(field + " is required");
        }
        return Collections.unmodifiableList(new ArrayList<>(list));
    }

    /// Scores that may be left out; none are an empty list.
    static List<Double> scoresOf(String field, List<String> scored, String scoresField, List<Double> scores) {
        if (scores == null || scores.isEmpty()) {
            return List.of();
        }
        sameLength(field, scored, scoresField, scores);
        return list(scoresField, scores);
    }

    static void sameLength(String field, List<?> list, String other, List<?> others) {
        if (list.size() != others.size()) {
            throw new Invalid(field + " and " + other + " must have the same length, but have " + list.size() + " and " + others.size());
        }
    }
}
