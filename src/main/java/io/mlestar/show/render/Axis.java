package io.mlestar.show.render;

/// How the marks of an axis are labelled.
///
/// @param unit of the labels, in units of the values
public record Axis(double unit, String before, String after) {
    private static final double MINUTE = 60;
    private static final double HOUR = 3_600;
    private static final double DAY = 86_400;

    /// Of seconds, in a unit that suits the last of them.
    public static Axis time(double end) {
        return end < 150 ? new Axis(1, "", " s") : end < 9_000 ? new Axis(MINUTE, "", " min") : end < 200_000 ? new Axis(HOUR, "", " h")
                : new Axis(DAY, "", " d");
    }

    /// Of US dollars.
    public static Axis money() {
        return new Axis(1, "$", "");
    }

    Ticks ticks(double end, int most) {
        return Ticks.of(0, end / unit, most);
    }

    String label(Ticks ticks, double value) {
        return before + ticks.label(value) + after;
    }
}
