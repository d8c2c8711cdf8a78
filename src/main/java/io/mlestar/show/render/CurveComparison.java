package io.mlestar.show.render;

import io.mlestar.core.task.MetricDirection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/// The best scores of several runs in one chart, as an inline SVG. Each line has a colour, a way of dashing and a letter at its end.
/// Holds no script, no `style` attribute and no colour: `figures.css` gives those.
public final class CurveComparison {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 320;
    private static final int LEFT = 66;
    private static final int RIGHT = WIDTH - 30;
    private static final int TOP = 14;
    private static final int BOTTOM = HEIGHT - 40;
    private static final int LETTER = 14;

    /// A new best score.
    ///
    /// @param x time or money, from 0
    public record Best(double x, double score) {}

    /// The best scores of one run, by `x`.
    ///
    /// @param letter that stands for it
    /// @param number of its colour
    /// @param end until where it went on
    public record BestLine(String letter, int number, List<Best> best, double end) {}

    /// Where a line's letter stands.
    private record Tail(BestLine line, double x, double y) {}

    private final String id;
    private final String title;
    private final List<BestLine> lines;
    private final ScoreScale scale;
    private final double end;
    private final StringBuilder svg = new StringBuilder();

    private CurveComparison(String id, String title, List<BestLine> lines, MetricDirection direction) {
        this.id = id;
        this.title = title;
        this.lines = lines.stream().filter(line -> !line.best().isEmpty()).toList();
        this.scale = ScoreScale.of(this.lines.stream().flatMap(line -> line.best().stream()).map(Best::score).toList(), direction);
        this.end = end(lines);
    }

    /// @param id of the drawing in its page
    public static String svg(String id, String title, List<BestLine> lines, MetricDirection direction, Axis axis) {
        return new CurveComparison(id, title, lines, direction).draw(axis);
    }

    /// Until where the longest of them goes on.
    public static double end(List<BestLine> lines) {
        double last = lines.stream().mapToDouble(BestLine::end).max().orElse(0);
        return last > 0 ? last : 1;
    }

    private String draw(Axis axis) {
        svg.append(String.format(Locale.ROOT, "<svg class=\"curve compared\" role=\"img\" viewBox=\"0 0 %d %d\" aria-labelledby=\"%s-title\">", WIDTH, HEIGHT,
                id));
        svg.append("<title id=\"").append(id).append("-title\">").append(Svg.escape(title)).append("</title>");
        axes(axis);
        List<Tail> tails = new ArrayList<>();
        for (BestLine line : lines) {
            StringBuilder d = new StringBuilder();
            for (Best best : line.best()) {
                d.append(d.isEmpty() ? "M" + Svg.number(x(best.x())) + " " : "H" + Svg.number(x(best.x())) + "V").append(Svg.number(y(best.score())));
            }
            svg.append("<path class=\"compared-line compared-").append(line.number()).append("\" d=\"").append(d).append('H').append(Svg.number(x(line.end())))
                    .append("\"/>");
            tails.add(new Tail(line, x(line.end()), y(line.best().getLast().score())));
        }
        letters(tails);
        return svg.append("</svg>").toString();
    }

    /// One below the other where they would lie on each other.
    private void letters(List<Tail> tails) {
        List<Tail> placed = new ArrayList<>();
        for (Tail tail : tails.stream().sorted(Comparator.comparingDouble(Tail::y)).toList()) {
            double y = placed.stream().filter(other -> Math.abs(other.x() - tail.x()) < LETTER).mapToDouble(other -> other.y() + LETTER).max()
                    .orElse(Double.NEGATIVE_INFINITY);
            Tail free = new Tail(tail.line(), tail.x(), Math.max(tail.y(), y));
            placed.add(free);
            text("compared-letter compared-" + tail.line().number(), free.x() + 5, free.y() + 4, tail.line().letter());
        }
    }

    private void axes(Axis axis) {
        if (!lines.isEmpty()) {
            Ticks ticks = Ticks.of(scale.low(), scale.high(), 6);
            for (double value : ticks.values()) {
                svg.append(String.format(Locale.ROOT, "<path class=\"curve-grid\" d=\"M%d %sH%d\"/>", LEFT, Svg.number(y(value)), RIGHT));
                text("curve-y", LEFT - 8, y(value) + 4, ticks.label(value));
            }
        }
        Ticks marks = axis.ticks(end, 7);
        for (double value : marks.values()) {
            double x = x(value * axis.unit());
            svg.append(String.format(Locale.ROOT, "<path class=\"curve-tick\" d=\"M%s %dv4\"/>", Svg.number(x), BOTTOM));
            text("curve-x", x, BOTTOM + 20, axis.label(marks, value));
        }
        svg.append(String.format(Locale.ROOT, "<path class=\"curve-axis\" d=\"M%d %dH%d\"/>", LEFT, BOTTOM, RIGHT));
    }

    private double x(double value) {
        return LEFT + value / end * (RIGHT - LEFT);
    }

    private double y(double score) {
        return BOTTOM - 8 - scale.height(score) * (BOTTOM - 8 - TOP);
    }

    private void text(String type, double x, double y, String words) {
        svg.append("<text class=\"").append(type).append("\" x=\"").append(Svg.number(x)).append("\" y=\"").append(Svg.number(y)).append("\">")
                .append(Svg.escape(words)).append("</text>");
    }
}
