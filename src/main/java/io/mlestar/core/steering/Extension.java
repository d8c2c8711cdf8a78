package io.mlestar.core.steering;

import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Phrase;
import io.mlestar.core.step.Note;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.function.Function;

/// More time or money for a run that goes on.
///
/// @param by who gave it
/// @param addMinutes extends the deadlines of the run and of each step that has not started; 0 for
///   none
/// @param addUsd raises the most that models may cost; 0 for none
public record Extension(Instant at, String by, int addMinutes, double addUsd) {
    private static final int MOST_MINUTES = 525_600;
    private static final double MOST_USD = 1_000_000;

    /// @throws Invalid if it gives nothing, or more than could be meant
    public Extension {
        by = Note.name(by);
        if (addMinutes < 0 || addMinutes > MOST_MINUTES) {
            throw new Invalid(
                    "add_minutes must be from 1 to " + MOST_MINUTES + ", but is " + addMinutes);
        }
        if (!(addUsd >= 0 && addUsd <= MOST_USD)) {
            throw new Invalid(String.format(Locale.ROOT,
                    "add_usd must be greater than 0 and at most %.0f, but is %s", MOST_USD,
                    addUsd));
        }
        if (addMinutes == 0 && addUsd == 0) {
            throw new Invalid("say how much more: add_minutes, add_usd or both");
        }
    }

    /// Reads an extension from text; a blank adds nothing.
    ///
    /// @throws Invalid naming what is wrong
    public static Extension asked(Instant at, String by, String minutes, String usd) {
        return new Extension(at, by,
                given("add_minutes", "a whole number", minutes, Integer::valueOf, 0),
                given("add_usd", "a number", usd, Double::valueOf, 0.0));
    }

    private static <N extends Number> N given(
            String field,
            String kind,
            String text,
            Function<String, N> read,
            N none) {
        try {
            return text.isBlank() ? none : read.apply(text.strip());
        } catch (NumberFormatException e) {
            throw new Invalid(
                    field + " must be " + kind + ", but is \"" + Excerpt.line(text, 60) + "\"");
        }
    }

    Duration time() {
        return Duration.ofMinutes(addMinutes);
    }

    /// The added time and money in words, for people.
    public String words() {
        String money = addUsd == 0 ? "" : String.format(Locale.ROOT, "$%.2f", addUsd);
        return Phrase.of(" and ", addMinutes == 0 ? "" : addMinutes + " min", money);
    }
}
