package io.mlestar.show.render;

/// The labels of an axis.
///
/// @param unit of the labels, in units of the values
public record Axis(double unit, String before, String after) {
    /// An axis of time, in a unit that suits its last value.
    public static Axis time(double end) {
        if (end < 150) {
            return new Axis(1, "", " s");
        }
        if (end < 9_000) {
            return new Axis(60, "", " min");
        }
        return end < 200_000 ? new Axis(3_600, "", " h") : new Axis(86_400, "", " d");
    }

    /// An axis of US dollars.
    public static Axis money() {
        return new Axis(1, "$", "");
    }
}
