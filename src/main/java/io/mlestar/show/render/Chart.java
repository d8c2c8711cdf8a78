package io.mlestar.show.render;

/// The frame of a chart: scores upwards, time or cost to the right, with a grid and axes.
final class Chart {
    static final int WIDTH = 760;
    static final int HEIGHT = 320;
    static final int LEFT = 66;
    private static final int AIR = 8;

    final Svg svg = new Svg();
    final ScoreScale scale;
    private final Axis axis;
    private final double end;
    private final int top;
    private final int right;
    private final int bottom;

    /// @param end of the axis to the right, which begins at 0
    Chart(ScoreScale scale, Axis axis, double end, int top, int right, int bottom) {
        this.scale = scale;
        this.axis = axis;
        this.end = end;
        this.top = top;
        this.right = right;
        this.bottom = bottom;
    }

    double x(double value) {
        return LEFT + value / end * (right - LEFT);
    }

    double y(double score) {
        return bottom - AIR - scale.height(score) * (bottom - AIR - top);
    }

    /// @param scored whether there is a score at all
    void axes(boolean scored) {
        if (scored) {
            Ticks ticks = Ticks.of(scale.low(), scale.high(), 6);
            for (double score : ticks.values()) {
                String y = Svg.number(y(score));
                svg.path("curve-grid", "M" + LEFT + " " + y + "H" + right);
                svg.text("text", ticks.label(score), "class", "curve-y", "x", LEFT - 8, "y", y,
                        "dy", ".32em");
            }
        }
        Ticks ticks = Ticks.of(0, end / axis.unit(), 7);
        for (double value : ticks.values()) {
            String x = Svg.number(x(value * axis.unit()));
            svg.path("curve-tick", "M" + x + " " + bottom + "v4");
            svg.text("text", axis.before() + ticks.label(value) + axis.after(), "class", "curve-x",
                    "x", x, "y", bottom + 20);
        }
        svg.path("curve-axis", "M" + LEFT + " " + bottom + "H" + right);
    }
}
