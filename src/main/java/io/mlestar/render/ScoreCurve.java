package io.mlestar.render;

import io.mlestar.task.MetricDirection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Score over time as an inline SVG: every evaluation a dot, the best so far a line, failed evaluations as ticks at the foot,
/// phases shaded. Holds no script, no `style` attribute and no colour: `figures.css` gives those, in light and dark. Dots that
/// would lie on each other are drawn once, so that a run of 10,000 steps stays small.
public final class ScoreCurve {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 320;
    private static final int LEFT = 66;
    private static final int RIGHT = WIDTH - 14;
    private static final int TOP = 26;
    private static final int BOTTOM = HEIGHT - 46;
    private static final int NARROWEST_NAME = 92;
    /// A score this many times as far from the best as nine tenths of the others lies off the scale.
    private static final double FAR_OFF = 3;

    /// One evaluation.
    ///
    /// @param seconds since the start of the run
    /// @param score null if the script failed or printed none
    /// @param step path within the run
    public record Point(double seconds, @Nullable Double score, String step) {}

    /// When a phase ran, in seconds since the start of the run.
    public record Span(String name, double from, double to) {
        /// From the earlier beginning to the later end.
        public Span around(Span other) {
            return new Span(name, Math.min(from, other.from), Math.max(to, other.to));
        }
    }

    /// Range of scores that is drawn.
    ///
    /// @param off how many scores lie outside
    private record Scale(double low, double high, long off) {
        double y(double score) {
            double clamped = Math.clamp(score, low, high);
            return BOTTOM - 8 - (clamped - low) / (high - low) * (BOTTOM - 8 - TOP - 8);
        }

        boolean holds(double score) {
            return score >= low && score <= high;
        }
    }

    private final List<Point> points;
    private final List<Span> phases;
    private final MetricDirection direction;
    private final double end;
    private final StringBuilder svg = new StringBuilder();

    private ScoreCurve(List<Point> points, List<Span> phases, MetricDirection direction) {
        this.points = points;
        this.phases = phases;
        this.direction = direction;
        double lastPoint = points.stream().mapToDouble(Point::seconds).max().orElse(0);
        this.end = Math.max(1, Math.max(lastPoint, phases.stream().mapToDouble(Span::to).max().orElse(0)));
    }

    /// @param points in the order of time
    public static String svg(List<Point> points, List<Span> phases, MetricDirection direction) {
        return new ScoreCurve(points, phases, direction).draw();
    }

    private String draw() {
        List<Double> scores = points.stream().map(Point::score).filter(Objects::nonNull).filter(Double::isFinite).toList();
        svg.append("<svg class=\"curve\" role=\"img\" viewBox=\"0 0 ").append(WIDTH).append(' ').append(HEIGHT)
                .append("\" aria-labelledby=\"curve-title curve-desc\"><title id=\"curve-title\">Score over time</title>");
        if (scores.isEmpty()) {
            element("desc", "id=\"curve-desc\"", points.isEmpty() ? "No evaluation yet." : "All " + points.size() + " evaluations failed.");
        }
        Scale scale = scores.isEmpty() ? new Scale(0, 1, 0) : scale(scores);
        if (!scores.isEmpty()) {
            element("desc", "id=\"curve-desc\"", description(scores, scale));
        }
        phases();
        axes(scale, !scores.isEmpty());
        dots(scale);
        best(scale);
        return svg.append("</svg>").toString();
    }

    private String description(List<Double> scores, Scale scale) {
        double best = best(scores);
        return String.format(Locale.ROOT, "%d evaluations, %d failed. First score %s, best score %s (%s is better).%s", points.size(),
                points.size() - scores.size(), scores.getFirst(), best, direction.better(),
                scale.off() == 0 ? "" : " " + scale.off() + " far worse scores are drawn at the edge.");
    }

    private double best(List<Double> scores) {
        return direction.best(scores, score -> score).orElseThrow();
    }

    /// From the best score to the worst, but for those far off.
    private Scale scale(List<Double> scores) {
        double best = best(scores);
        double[] behind = scores.stream().mapToDouble(score -> Math.abs(score - best)).sorted().toArray();
        double most = behind[behind.length - 1];
        double usual = behind[(behind.length - 1) * 9 / 10];
        double range = usual > 0 && most > FAR_OFF * usual ? usual * 1.2 : most > 0 ? most : Math.max(Math.abs(best) * 0.01, 1e-3);
        double worst = best - direction.gain(range, 0);
        double low = Math.min(best, worst);
        double high = Math.max(best, worst);
        double air = (high - low) * 0.04;
        return new Scale(low - air, high + air, scores.stream().filter(score -> score < low - air || score > high + air).count());
    }

    private double x(double seconds) {
        return LEFT + seconds / end * (RIGHT - LEFT);
    }

    private void phases() {
        for (int i = 0; i < phases.size(); i++) {
            Span span = phases.get(i);
            double from = x(span.from());
            double width = Math.max(1, x(span.to()) - from);
            tag("rect", "class=\"curve-phase%s\" x=\"%s\" y=\"%d\" width=\"%s\" height=\"%d\"",
                    i % 2 == 0 ? "" : " curve-odd", Svg.number(from), TOP - 20, Svg.number(width), BOTTOM - TOP + 20);
            if (width >= NARROWEST_NAME) {
                element("text", String.format(Locale.ROOT, "class=\"curve-name\" x=\"%s\" y=\"%d\"", Svg.number(from + 6), TOP - 6), span.name());
            }
        }
    }

    private void axes(Scale scale, boolean scored) {
        if (scored) {
            Ticks ticks = Ticks.of(scale.low(), scale.high(), 6);
            for (double value : ticks.values()) {
                String y = Svg.number(scale.y(value));
                tag("path", "class=\"curve-grid\" d=\"M%d %sH%d\"", LEFT, y, RIGHT);
                element("text", String.format(Locale.ROOT, "class=\"curve-y\" x=\"%d\" y=\"%s\" dy=\".32em\"", LEFT - 8, y), ticks.label(value));
            }
        }
        double unit = end < 150 ? 1 : end < 9_000 ? 60 : end < 200_000 ? 3_600 : 86_400;
        String name = unit == 1 ? "s" : unit == 60 ? "min" : unit == 3_600 ? "h" : "d";
        Ticks ticks = Ticks.of(0, end / unit, 7);
        for (double value : ticks.values()) {
            String x = Svg.number(x(value * unit));
            tag("path", "class=\"curve-tick\" d=\"M%s %dv4\"", x, BOTTOM);
            element("text", String.format(Locale.ROOT, "class=\"curve-x\" x=\"%s\" y=\"%d\"", x, BOTTOM + 20), ticks.label(value) + " " + name);
        }
        tag("path", "class=\"curve-axis\" d=\"M%d %dH%d\"", LEFT, BOTTOM, RIGHT);
    }

    /// All dots are one path of lines without length, with round ends; a place that is taken is not drawn again.
    private void dots(Scale scale) {
        StringBuilder dots = new StringBuilder();
        StringBuilder off = new StringBuilder();
        StringBuilder failed = new StringBuilder();
        Set<Long> taken = new HashSet<>();
        for (Point point : points) {
            double x = x(point.seconds());
            double score = point.score() == null ? Double.NaN : point.score();
            boolean scored = Double.isFinite(score);
            double y = scored ? scale.y(score) : BOTTOM;
            if (!taken.add(Math.round(x) * 100_000 + Math.round(y))) {
                continue;
            }
            String at = "M" + Svg.number(x) + " ";
            if (!scored) {
                failed.append(at).append(BOTTOM - 1).append("v-7");
            } else if (scale.holds(score)) {
                dots.append(at).append(Svg.number(y)).append("h0");
            } else {
                off.append(at).append(Svg.number(y)).append("m-3-3h6l-3 6z");
            }
        }
        path("curve-dots", dots);
        path("curve-off", off);
        path("curve-failed", failed);
    }

    /// The best so far as a line of steps; each improvement says what it was.
    private void best(Scale scale) {
        StringBuilder line = new StringBuilder();
        StringBuilder marks = new StringBuilder();
        Double best = null;
        long lastX = Long.MIN_VALUE;
        for (Point point : points) {
            if (point.score() == null || !Double.isFinite(point.score())
                    || best != null && !direction.isImprovement(point.score(), best)) {
                continue;
            }
            String x = Svg.number(x(point.seconds()));
            String y = Svg.number(scale.y(point.score()));
            line.append(best == null ? "M" + x + " " + y : "H" + x + "V" + y);
            best = point.score();
            if (Math.round(x(point.seconds())) != lastX) {
                lastX = Math.round(x(point.seconds()));
                marks.append("<circle class=\"curve-best-dot\" r=\"3.5\" cx=\"").append(x).append("\" cy=\"").append(y).append("\"><title>")
                        .append(Svg.escape(best + " after " + Formats.duration(point.seconds()) + ": " + point.step())).append("</title></circle>");
            }
        }
        if (best != null) {
            path("curve-best", line.append('H').append(Svg.number(x(end))));
            svg.append(marks);
        }
    }

    private void path(String type, StringBuilder d) {
        if (!d.isEmpty()) {
            svg.append("<path class=\"").append(type).append("\" d=\"").append(d).append("\"/>");
        }
    }

    private void tag(String name, String attributes, Object... values) {
        svg.append('<').append(name).append(' ').append(String.format(Locale.ROOT, attributes, values)).append("/>");
    }

    private void element(String name, String attributes, String text) {
        svg.append('<').append(name).append(' ').append(attributes).append('>').append(Svg.escape(text)).append("</").append(name).append('>');
    }
}
