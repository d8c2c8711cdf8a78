package io.mlestar.show.render;

import io.mlestar.core.task.MetricDirection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Score over time as an inline SVG: every evaluation a dot, the best so far a line, failed evaluations as ticks at the foot,
/// phases shaded. Holds no script, no `style` attribute and no colour: `figures.css` gives those, in light and dark. Dots that
/// would lie on each other are drawn once, and not all can be pointed at, so that a run of 10,000 steps stays small.
public final class ScoreCurve {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 320;
    private static final int LEFT = 66;
    private static final int RIGHT = WIDTH - 14;
    private static final int TOP = 26;
    private static final int BOTTOM = HEIGHT - 46;
    private static final int NARROWEST_NAME = 92;
    private static final int MOST_POINTED = 100;
    /// What lies closer together than that has one place to point at.
    private static final int FINGER = 8;

    /// One evaluation.
    ///
    /// @param seconds since the start of the run
    /// @param score null if the script failed or printed none
    /// @param step path within the run
    /// @param address of its page; empty for none
    public record Point(double seconds, @Nullable Double score, String step, String address) {
        boolean isScored() {
            return score != null && Double.isFinite(score);
        }

        /// All that is known of it, for people.
        String words() {
            return (isScored() ? Formats.score(score) : "no score") + " after " + Formats.duration(seconds) + ": " + step;
        }
    }

    /// When a phase ran, in seconds since the start of the run.
    public record Span(String name, double from, double to) {
        /// From the earlier beginning to the later end.
        public Span around(Span other) {
            return new Span(name, Math.min(from, other.from), Math.max(to, other.to));
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
        // With the role of an image, nothing in it could be reached.
        String role = points.stream().allMatch(point -> point.address().isEmpty()) ? "img" : "group";
        svg.append("<svg class=\"curve\" role=\"").append(role).append("\" viewBox=\"0 0 ").append(WIDTH).append(' ').append(HEIGHT)
                .append("\" aria-labelledby=\"curve-title curve-desc\"><title id=\"curve-title\">Score over time</title>");
        if (scores.isEmpty()) {
            element("desc", "id=\"curve-desc\"", points.isEmpty() ? "No evaluation yet." : "All " + points.size() + " evaluations failed.");
        }
        ScoreScale scale = ScoreScale.of(scores, direction);
        if (!scores.isEmpty()) {
            element("desc", "id=\"curve-desc\"", description(scores, scale));
        }
        phases();
        axes(scale, !scores.isEmpty());
        dots(scale);
        best(scale);
        return svg.append("</svg>").toString();
    }

    private String description(List<Double> scores, ScoreScale scale) {
        double best = best(scores);
        return String.format(Locale.ROOT, "%d evaluations, %d failed. First score %s, best score %s (%s is better).%s", points.size(),
                points.size() - scores.size(), scores.getFirst(), best, direction.better(),
                scale.off() == 0 ? "" : " " + scale.off() + " far worse scores are drawn at the edge.");
    }

    private double best(List<Double> scores) {
        return direction.best(scores, score -> score).orElseThrow();
    }

    private static double y(ScoreScale scale, double score) {
        return BOTTOM - 8 - scale.height(score) * (BOTTOM - 8 - TOP - 8);
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

    private void axes(ScoreScale scale, boolean scored) {
        if (scored) {
            Ticks ticks = Ticks.of(scale.low(), scale.high(), 6);
            for (double value : ticks.values()) {
                String y = Svg.number(y(scale, value));
                tag("path", "class=\"curve-grid\" d=\"M%d %sH%d\"", LEFT, y, RIGHT);
                element("text", String.format(Locale.ROOT, "class=\"curve-y\" x=\"%d\" y=\"%s\" dy=\".32em\"", LEFT - 8, y), ticks.label(value));
            }
        }
        Axis axis = Axis.time(end);
        Ticks ticks = axis.ticks(end, 7);
        for (double value : ticks.values()) {
            String x = Svg.number(x(value * axis.unit()));
            tag("path", "class=\"curve-tick\" d=\"M%s %dv4\"", x, BOTTOM);
            element("text", String.format(Locale.ROOT, "class=\"curve-x\" x=\"%s\" y=\"%d\"", x, BOTTOM + 20), axis.label(ticks, value));
        }
        tag("path", "class=\"curve-axis\" d=\"M%d %dH%d\"", LEFT, BOTTOM, RIGHT);
    }

    /// All dots are one path of lines without length, with round ends; a place that is taken is not drawn again.
    private void dots(ScoreScale scale) {
        StringBuilder dots = new StringBuilder();
        StringBuilder off = new StringBuilder();
        StringBuilder failed = new StringBuilder();
        StringBuilder pointed = new StringBuilder();
        Set<Long> taken = new HashSet<>();
        Set<Long> touched = new HashSet<>();
        for (Point point : points) {
            double x = x(point.seconds());
            double y = point.isScored() ? y(scale, Objects.requireNonNull(point.score())) : BOTTOM;
            if (!taken.add(place(x, y, 1))) {
                continue;
            }
            String at = "M" + Svg.number(x) + " ";
            if (!point.isScored()) {
                failed.append(at).append(BOTTOM - 1).append("v-7");
            } else if (scale.holds(Objects.requireNonNull(point.score()))) {
                dots.append(at).append(Svg.number(y)).append("h0");
            } else {
                off.append(at).append(Svg.number(y)).append("m-3-3h6l-3 6z");
            }
            if (touched.size() < MOST_POINTED && touched.add(place(x, y, FINGER))) {
                pointed.append(mark(point, "<circle class=\"curve-touch\" r=\"7\" cx=\"" + Svg.number(x) + "\" cy=\"" + Svg.number(y) + "\">",
                        " tabindex=\"-1\""));
            }
        }
        path("curve-dots", dots);
        path("curve-off", off);
        path("curve-failed", failed);
        svg.append(pointed);
    }

    private static long place(double x, double y, int size) {
        return Math.round(x / size) * 100_000 + Math.round(y / size);
    }

    /// What says of itself what it is, and leads there.
    private static String mark(Point point, String shape, String reach) {
        String said = shape + "<title>" + Svg.escape(point.words()) + "</title></circle>";
        return point.address().isEmpty() ? said
                : "<a class=\"curve-point\" href=\"" + Svg.escape(point.address()) + "\"" + reach + " aria-label=\"" + Svg.escape(point.words()) + "\">" + said
                        + "</a>";
    }

    /// The best so far as a line of steps; each improvement says what it was, and is reached by the Tab key.
    private void best(ScoreScale scale) {
        StringBuilder line = new StringBuilder();
        StringBuilder marks = new StringBuilder();
        Double best = null;
        long lastX = Long.MIN_VALUE;
        for (Point point : points) {
            Double score = point.score();
            if (score == null || !point.isScored() || best != null && !direction.isImprovement(score, best)) {
                continue;
            }
            String x = Svg.number(x(point.seconds()));
            String y = Svg.number(y(scale, score));
            line.append(best == null ? "M" + x + " " + y : "H" + x + "V" + y);
            best = score;
            if (Math.round(x(point.seconds())) != lastX) {
                lastX = Math.round(x(point.seconds()));
                marks.append(mark(point, "<circle class=\"curve-best-dot\" r=\"3.5\" cx=\"" + x + "\" cy=\"" + y + "\">", ""));
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
