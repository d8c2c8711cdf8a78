package io.mlestar.task;

import java.util.List;

/// Input that is refused: the message names the field and what is wrong with it, fit to be shown to a user.
public final class Invalid extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public Invalid(String message) {
        super(message);
    }

    /// Returns `text`, which must hold something besides white space.
    static String text(String field, String text) {
        if (text == null || text.isBlank()) {
            throw new Invalid(field + " is required and must not be blank");
        }
        return text;
    }

    /// Returns `value`, which must not be null.
    static <T> T required(String field, T value) {
        if (value == null) {
            throw new Invalid(field + " is required");
        }
        return value;
    }

    /// Returns a copy of `list`, which must hold no null.
    static <T> List<T> list(String field, List<T> list) {
        for (int i = 0; i < list.size(); i++) {
            required(field + "[" + i + "]", list.get(i));
        }
        return List.copyOf(list);
    }

    /// Returns `value`, which must be at least 1 (REQ-DM-002).
    static int positive(String field, int value) {
        if (value < 1) {
            throw new Invalid(field + " must be at least 1, but is " + value);
        }
        return value;
    }
}
