package io.mlestar.core.base;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Input that is refused: the message names the field and what is wrong with it, fit to be shown to
/// a user.
public final class Invalid extends IllegalArgumentException {
    private static final int LONGEST = 1_000;

    /// @param message cut where it gets too long: it may quote input
    public Invalid(String message) {
        super(Excerpt.clip(message, LONGEST));
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }

    /// The reason why a file could not be read or written, in words: the JDK's own messages are
    /// often the path alone.
    public static String reason(IOException failure) {
        return switch (failure) {
            case NoSuchFileException _ -> "there is no such file or folder";
            case AccessDeniedException _ -> "permission denied";
            case FileAlreadyExistsException _ -> "a file is in its place";
            case CharacterCodingException _ -> "it is not UTF-8 text";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default ->
                Objects.requireNonNullElse(failure.getMessage(), "the file system says no more");
        };
    }

    /// Returns a file that a user names, which must not be a pipe or a device: a read of one may
    /// wait without end.
    ///
    /// @param what it is called in messages
    public static Path file(String what, Path file) {
        if (Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file)) {
            throw new Invalid(what + " is a pipe, a device or the like; give a regular file");
        }
        return file;
    }

    /// Returns `text`, which must not be blank.
    public static String text(String field, @Nullable String text) {
        if (text == null || text.isBlank()) {
            throw new Invalid(field + " is required and must not be blank");
        }
        return text;
    }

    /// Returns `value`, which must not be null.
    public static <T> T required(String field, @Nullable T value) {
        if (value == null) {
            throw new Invalid(field + " is required");
        }
        return value;
    }

    /// Returns a copy of `list`, which must hold no null.
    public static <T> List<T> list(String field, List<T> list) {
        for (int i = 0; i < list.size(); i++) {
            required(field + "[" + i + "]", list.get(i));
        }
        return List.copyOf(list);
    }

    /// Returns a copy of `list`, which holds nothing if it was left out.
    public static <T> List<T> optional(@Nullable List<T> list) {
        return list == null ? List.of() : List.copyOf(list);
    }

    /// The same of a list in which null is what is not known.
    public static <T> List<T> optionalElements(@Nullable List<T> list) {
        return list == null ? List.of() : Collections.unmodifiableList(new ArrayList<>(list));
    }

    /// Returns a copy of `list`, which must be there; of what is in it, null may mean "not known".
    public static <T> List<T> elements(String field, List<T> list) {
        return optionalElements(required(field, list));
    }

    /// Returns a copy of values that may be left out, which is no value at all, or there is one for
    /// each of `list`; null is one that is not known.
    public static <T> List<T> valuesOf(
            String field,
            List<?> list,
            String valuesField,
            @Nullable List<T> values) {
        if (values == null || values.stream().allMatch(Objects::isNull)) {
            return List.of();
        }
        sameLength(field, list, valuesField, values);
        return elements(valuesField, values);
    }

    /// Returns `usd`, which must be an amount; null means "not known".
    public static @Nullable Double usd(String field, @Nullable Double usd) {
        if (usd != null && !(usd >= 0 && Double.isFinite(usd))) {
            throw new Invalid(field + " must be 0 or more, but is " + usd);
        }
        return usd;
    }

    public static void sameLength(String field, List<?> list, String other, List<?> others) {
        if (list.size() != others.size()) {
            throw new Invalid(field + " and " + other + " must have the same length, but have "
                    + list.size() + " and "
                    + others.size());
        }
    }

    /// Returns `value`, which must be at least 1 (REQ-DM-002), and no more than could be meant:
    /// what is asked for is work and memory.
    public static int count(String field, int value, int most) {
        if (value < 1) {
            throw new Invalid(field + " must be at least 1, but is " + value);
        }
        if (value > most) {
            throw new Invalid(field + " must be at most " + most + ", but is " + value);
        }
        return value;
    }

    /// Returns `text`, which must not be blank, and at most so many characters.
    public static String text(String field, String text, int most) {
        if (text(field, text).length() > most) {
            throw new Invalid(
                    field + " must have at most " + most + " characters, but has " + text.length());
        }
        return text;
    }

    /// Returns `value`, which must be one of the known ones.
    public static String oneOf(String field, String value, List<String> known) {
        if (!known.contains(value)) {
            throw new Invalid(field + " must be one of " + known + ", but is \"" + value + "\"");
        }
        return value;
    }

    /// Checks that a list or a map has at most so many elements.
    public static void size(String field, int size, int most) {
        if (size > most) {
            throw new Invalid(field + " must have at most " + most + " elements, but has " + size);
        }
    }
}
