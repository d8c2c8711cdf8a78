package io.mlestar.show.render;

import io.mlestar.core.task.MetricDirection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Score over time as an inline SVG: every evaluation a dot, with a bar of its standard error if
/// that is known, the best so far a line, failed evaluations as ticks at the foot, phases shaded.
/// The drawing holds no script, no `style` attribute and no colour: `figures.css` gives those, in
/// light and dark. Dots that would overlap are drawn once, and not all can be pointed at, so that a
/// run of 10,000 steps stays small.
public final class ScoreCurve {
    private static final int TOP = 26;
    private static final int BOTTOM = Chart.HEIGHT - 46;
    private static final double LETTER = 5.6;
    /// Letters are larger by this factor on a narrow screen.
    private static final double NARROW = 1.75;
    /// A name that is not as wide as its band stands upright, if it has a line's height.
    private static final int LINE = 13;
    private static final int MOST_POINTED = 100;
    /// Dots that are closer together have one place to point at.
    private static final int FINGER = 8;

    /// One evaluation.
    ///
    /// @param seconds since the start of the run
    /// @param score null if the script failed or printed none
    /// @param error standard error of the score; null if it is not known
    /// @param step path within the run
    /// @param address of its page; empty for none
    public record Point(
            double seconds,
            @Nullable Double score,
            @Nullable Double error,
            String step,
            String address) {
        boolean isScored() {
            return score != null && Double.isFinite(score);
        }

        String words() {
            return (isScored() ? Formats.score(score, error) : "no score") + " after "
                    + Formats.duration(seconds)
                    + ": " + step;
        }
    }

    /// The time of a phase, in seconds since the start of the run.
    public record Span(String name, double from, double to) {
        /// Spans the time from the earlier beginning to the later end.
        public Span around(Span other) {
            return new Span(name, Math.min(from, other.from), Math.max(to, other.to));
        }
    }

    private final List<Point> points;
    private final List<Span> phases;
    private final MetricDirection direction;
    private final List<Double> scores;
    private final double end;
    private final Chart chart;
    private final Svg svg;

    private ScoreCurve(List<Point> points, List<Span> phases, MetricDirection direction) {
        this.points = points;
        this.phases = phases;
        this.direction = direction;
        this.scores = points.stream().filter(Point::isScored).map(Point::score).toList();
        double lastPoint = points.stream().mapToDouble(Point::seconds).max().orElse(0);
        this.end = Math.max(1,
                Math.max(lastPoint, phases.stream().mapToDouble(Span::to).max().orElse(0)));
        this.chart =
                new Chart(ScoreScale.of(scores, direction), Axis.time(end), end, TOP + 8,
                        Chart.WIDTH - 14, BOTTOM);
        this.svg = chart.svg;
    }

    /// @param points in the order of time
    public static String svg(List<Point> points, List<Span> phases, MetricDirection direction) {
        return new ScoreCurve(points, phases, direction).draw();
    }

    private String draw() {
        // Nothing inside an image can be reached.
        String role =
                points.stream().allMatch(point -> point.address().isEmpty()) ? "img" : "group";
        svg.open("svg", "class", "curve", "role", role, "viewBox",
                "0 0 " + Chart.WIDTH + " " + Chart.HEIGHT, "aria-labelledby",
                "curve-title curve-desc");
        svg.text("title", "Score over time", "id", "curve-title")
                .text("desc", description(), "id", "curve-desc");
        phases();
        chart.axes(!scores.isEmpty());
        dots();
        best();
        names();
        return svg.close("svg").toString();
    }

    private String description() {
        if (scores.isEmpty()) {
            return points.isEmpty()
                    ? "No evaluation yet."
                    : "All " + points.size() + " evaluations failed.";
        }
        return points.size() + " evaluations, " + (points.size() - scores.size())
                + " failed. First score "
                + scores.getFirst() + ", best score "
                + direction.best(scores, score -> score).orElseThrow() + " (" + direction.better()
                + " is better)."
                + (chart.scale.off() == 0
                        ? ""
                        : " " + chart.scale.off() + " far worse scores are drawn at the edge.");
    }

    private void phases() {
        for (int i = 0; i < phases.size(); i++) {
            svg.open("rect", "class", i % 2 == 0 ? "curve-phase" : "curve-phase curve-odd", "x",
                    chart.x(phases.get(i).from()), "y", TOP - 20, "width", width(phases.get(i)),
                    "height", BOTTOM - TOP + 20).text("title", phases.get(i).name()).close("rect");
        }
    }

    private double width(Span span) {
        return Math.max(1, chart.x(span.to()) - chart.x(span.from()));
    }

    private void names() {
        double free = 0;
        for (Span span : phases) {
            double from = chart.x(span.from());
            double width = width(span);
            double middle = from + width / 2;
            if (span.name().length() * LETTER + LINE <= width) {
                svg.text("text", span.name(), "class",
                        span.name().length() * LETTER * NARROW + LINE <= width
                                ? "curve-name curve-roomy"
                                : "curve-name",
                        "x", from + 6, "y", TOP - 6);
            } else if (middle - LINE / 2.0 >= free) {
                double x = middle - 4;
                boolean low = isAtTheTop(span);
                int y = low ? BOTTOM - LINE : TOP - 14;
                svg.text("text", span.name(), "class",
                        low ? "curve-name curve-upright curve-low" : "curve-name curve-upright",
                        "x", x, "y", y, "transform", "rotate(90 " + Svg.number(x) + " " + y + ")");
                free = middle + LINE / 2.0;
            }
        }
    }

    /// True if the best score so far is drawn where the phase's upright name would stand. Then the
    /// name goes to the foot.
    private boolean isAtTheTop(Span span) {
        List<Double> before = points.stream()
                .filter(point -> point.isScored() && point.seconds() <= span.from())
                .map(Point::score)
                .toList();
        return direction.best(before, score -> score)
                .filter(score -> chart.y(score) < TOP + span.name().length() * LETTER * NARROW)
                .isPresent();
    }

    /// All dots are one path of lines without length, with round ends; a place that is taken is not
    /// drawn again.
    private void dots() {
        StringBuilder dots = new StringBuilder();
        StringBuilder errors = new StringBuilder();
        StringBuilder off = new StringBuilder();
        StringBuilder failed = new StringBuilder();
        List<Point> pointed = new ArrayList<>();
        Set<Long> taken = new HashSet<>();
        Set<Long> touched = new HashSet<>();
        for (Point point : points) {
            double x = chart.x(point.seconds());
            if (!taken.add(place(x, y(point), 1))) {
                continue;
            }
            String at = "M" + Svg.number(x) + " ";
            Double score = point.score();
            if (score == null || !point.isScored()) {
                failed.append(at + (BOTTOM - 1) + "v-7");
            } else if (chart.scale.holds(score)) {
                dots.append(at + Svg.number(y(point)) + "h0");
                if (point.error() != null && Double.isFinite(point.error())) {
                    errors.append(at + Svg.number(chart.y(score - point.error())) + "V"
                            + Svg.number(chart.y(score + point.error())));
                }
            } else {
                off.append(at + Svg.number(y(point)) + "m-3-3h6l-3 6z");
            }
            if (touched.size() < MOST_POINTED && touched.add(place(x, y(point), FINGER))) {
                pointed.add(point);
            }
        }
        svg.path("curve-errors", errors)
                .path("curve-dots", dots)
                .path("curve-off", off)
                .path("curve-failed", failed);
        pointed.forEach(point -> mark(point, "curve-touch", 7, -1));
    }

    private double y(Point point) {
        return point.isScored() ? chart.y(Objects.requireNonNull(point.score())) : BOTTOM;
    }

    private static long place(double x, double y, int size) {
        return Math.round(x / size) * 100_000 + Math.round(y / size);
    }

    /// A circle that says what it stands for, and leads there.
    ///
    /// @param tab whether the Tab key reaches it: 0 or -1
    private void mark(Point point, String type, double radius, int tab) {
        boolean leads = !point.address().isEmpty();
        if (leads) {
            svg.open("a", "class", "curve-point", "href", point.address(), "tabindex", tab,
                    "aria-label", point.words());
        }
        svg.open("circle", "class", type, "r", radius, "cx", chart.x(point.seconds()), "cy",
                y(point)).text("title", point.words()).close("circle");
        if (leads) {
            svg.close("a");
        }
    }

    /// The best so far as a line of steps; each improvement says what it was, and is reached by the
    /// Tab key.
    private void best() {
        StringBuilder line = new StringBuilder();
        List<Point> marks = new ArrayList<>();
        Double best = null;
        long lastX = Long.MIN_VALUE;
        for (Point point : points) {
            Double score = point.score();
            if (score == null || !point.isScored()
                    || best != null && !direction.isImprovement(score, best)) {
                continue;
            }
            double x = chart.x(point.seconds());
            line.append(best == null ? "M" + Svg.number(x) + " " : "H" + Svg.number(x) + "V")
                    .append(Svg.number(y(point)));
            best = score;
            if (Math.round(x) != lastX) {
                lastX = Math.round(x);
                marks.add(point);
            }
        }
        if (best != null) {
            svg.path("curve-best", line.append("H" + Svg.number(chart.x(end))));
            marks.forEach(point -> mark(point, "curve-best-dot", 3.5, 0));
        }
    }
}
