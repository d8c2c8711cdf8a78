package io.mlestar.show.render;

import io.mlestar.core.base.Controls;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.task.Score;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Numbers and texts as people read them.
public final class Formats {
    /// Follows a gain that is no larger than its error.
    public static final String NOISE = ", within noise";

    private static final String UNKNOWN = "unknown";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private Formats() {}

    /// The seconds from one moment to another; never negative.
    public static double seconds(Instant from, Instant to) {
        return Math.max(0, Duration.between(from, to).toMillis() / 1000.0);
    }

    /// Seconds as `4.2 s`, `3:07 min`, `5:01 h` or `2 d 3 h`.
    public static String duration(double seconds) {
        long whole = Math.round(seconds);
        if (seconds < 60) {
            return String.format(Locale.ROOT, "%.1f s", seconds);
        }
        if (whole < 3_600) {
            return String.format(Locale.ROOT, "%d:%02d min", whole / 60, whole % 60);
        }
        if (whole < 172_800) {
            return String.format(Locale.ROOT, "%d:%02d h", whole / 3_600, whole / 60 % 60);
        }
        return String.format(Locale.ROOT, "%d d %d h", whole / 86_400, whole / 3_600 % 24);
    }

    /// A moment, to the second.
    public static String time(Instant at) {
        return TIME.format(at);
    }

    /// A number of tokens.
    public static String tokens(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /// US dollars; `unknown` if the price of a model is not known.
    public static String dollars(@Nullable Double cost) {
        if (cost == null) {
            return UNKNOWN;
        }
        boolean isCents = cost != 0 && Math.abs(cost) < 1;
        return String.format(Locale.ROOT, isCents ? "$%.4f" : "$%.2f", cost);
    }

    /// A sum of US dollars of which a part may not be known.
    public static String dollars(double known, boolean whole) {
        if (whole) {
            return dollars(known);
        }
        return known == 0 ? UNKNOWN : "over " + dollars(known);
    }

    /// A score with up to five significant decimals; a dash for none.
    public static String score(@Nullable Double score) {
        return score == null ? "–" : decimals(score);
    }

    /// The same with its standard error, where that is known.
    public static String score(Score score) {
        return score(score.value(), score.error());
    }

    /// A gain with its sign: a negative one is worse, whatever the metric.
    public static String gain(double gain) {
        String sign = gain < 0 ? "−" : "±";
        return (gain > 0 ? "+" : sign) + decimals(Math.abs(gain));
    }

    /// A score with its standard error; without one as it is.
    public static String score(@Nullable Double score, @Nullable Double error) {
        return score(score) + (score == null || error == null ? "" : " ± " + error(error));
    }

    /// The same with its own standard error, where that is known, and whether that is larger; empty
    /// if there is nothing to compare.
    public static String gain(Score.@Nullable Lead lead) {
        if (lead == null) {
            return "";
        }
        String error = lead.error() == null ? "" : " ± " + error(lead.error());
        return gain(lead.gain()) + error + (lead.isNoise() ? NOISE : "");
    }

    /// Two digits of an error say all that it does.
    private static String error(double error) {
        if (!Double.isFinite(error)) {
            return UNKNOWN;
        }
        return error < 1e-5 || error >= 1e7
                ? String.format(Locale.ROOT, "%.2g", error)
                : new BigDecimal(error).round(new MathContext(2)).toPlainString();
    }

    private static String decimals(double value) {
        double size = Math.abs(value);
        if (size >= 1e7 || size != 0 && size < 1e-5) {
            return String.format(Locale.ROOT, "%.4g", value);
        }
        String small = size >= 10 ? "%.4f" : "%.5f";
        return String.format(Locale.ROOT, size >= 1_000 ? "%.2f" : small, value);
    }

    /// One line of at most `length` characters; empty for no text.
    public static String line(@Nullable String text, int length) {
        return Excerpt.line(text, length);
    }

    /// One line for Markdown that no reader takes for markup, a link or an order to a terminal.
    public static String markdown(@Nullable String text, int length) {
        return Controls.shown(line(text, length)).replaceAll("([\\\\`*_<>\\[\\]#|&])", "\\\\$1");
    }

    /// E.g. `1 script`, `2 scripts`.
    public static String count(int number, String one) {
        return number + " " + one + (number == 1 ? "" : "s");
    }
}
