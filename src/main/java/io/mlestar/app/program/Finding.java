package io.mlestar.app.program;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What `mlestar doctor` found of one thing.
///
/// @param what the thing, in one word
/// @param todo what to do about it; empty if nothing
public record Finding(String what, Verdict verdict, String found, String todo) {
    /// How bad it is.
    public enum Verdict { OK, WARNING, ERROR }

    static Finding ok(String what, String found) {
        return new Finding(what, Verdict.OK, found, "");
    }

    static Finding warning(String what, String found, String todo) {
        return new Finding(what, Verdict.WARNING, found, todo);
    }

    static Finding error(String what, @Nullable String found, String todo) {
        return new Finding(what, Verdict.ERROR, String.valueOf(found), todo);
    }

    public String line() {
        return String.format(Locale.ROOT, "%-8s %-10s %s%s", verdict.name().toLowerCase(Locale.ROOT), what, found.lines().findFirst().orElse(""),
                todo.isEmpty() ? "" : "; " + todo);
    }
}
