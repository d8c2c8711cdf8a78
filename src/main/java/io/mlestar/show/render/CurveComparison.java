package io.mlestar.show.render;

import io.mlestar.core.task.MetricDirection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The best scores of several runs in one chart, as an inline SVG. Each line has a colour, a dash
/// pattern and a letter at its end. The drawing holds no script, no `style` attribute and no
/// colour: `figures.css` gives those.
public final class CurveComparison {
    private static final int LETTER = 14;

    /// A new best score.
    ///
    /// @param x time or money, from 0
    public record Best(double x, double score) {}

    /// The best scores of one run, by `x`.
    ///
    /// @param letter that stands for the run
    /// @param number of its colour
    /// @param end of the line
    public record BestLine(String letter, int number, List<Best> best, double end) {
        BestLine finite() {
            return new BestLine(letter, number,
                    best.stream().filter(one -> Double.isFinite(one.score())).toList(), end);
        }
    }

    /// The end of a line, with its letter.
    private record Tail(BestLine line, double x, double y) {}

    private CurveComparison() {}

    /// @param id of the drawing in its page
    public static String svg(
            String id,
            String title,
            List<BestLine> lines,
            MetricDirection direction,
            Axis axis) {
        List<BestLine> scored = lines.stream()
                .map(BestLine::finite)
                .filter(line -> !line.best().isEmpty())
                .toList();
        List<Double> scores =
                scored.stream().flatMap(line -> line.best().stream()).map(Best::score).toList();
        Chart chart =
                new Chart(ScoreScale.of(scores, direction), axis, end(lines), 14, Chart.WIDTH - 30,
                        Chart.HEIGHT - 40);
        chart.svg.open("svg", "class", "curve compared", "role", "img", "viewBox",
                "0 0 " + Chart.WIDTH + " " + Chart.HEIGHT,
                "aria-labelledby", id + "-title").text("title", title, "id", id + "-title");
        chart.axes(!scored.isEmpty());
        List<Tail> tails = new ArrayList<>();
        for (BestLine line : scored) {
            StringBuilder steps = new StringBuilder();
            for (Best best : line.best()) {
                String x = Svg.number(chart.x(best.x()));
                steps.append(steps.isEmpty() ? "M" + x + " " : "H" + x + "V")
                        .append(Svg.number(chart.y(best.score())));
            }
            chart.svg.path("compared-line compared-" + line.number(),
                    steps.append("H" + Svg.number(chart.x(line.end()))));
            double last = line.best().getLast().score();
            tails.add(new Tail(line, chart.x(line.end()), chart.y(last)));
        }
        letters(chart.svg, tails);
        return chart.svg.close("svg").toString();
    }

    /// End of the longest line; 1 if there is none.
    public static double end(List<BestLine> lines) {
        double last = lines.stream().mapToDouble(BestLine::end).max().orElse(0);
        return last > 0 ? last : 1;
    }

    /// Puts letters one below the other where they would overlap.
    private static void letters(Svg svg, List<Tail> tails) {
        List<Tail> placed = new ArrayList<>();
        for (Tail tail : tails.stream().sorted(Comparator.comparingDouble(Tail::y)).toList()) {
            double taken =
                    placed.stream()
                            .filter(other -> Math.abs(other.x() - tail.x()) < LETTER)
                            .mapToDouble(Tail::y)
                            .max()
                            .orElse(Double.NEGATIVE_INFINITY);
            Tail free = new Tail(tail.line(), tail.x(), Math.max(tail.y(), taken + LETTER));
            placed.add(free);
            svg.text("text", tail.line().letter(), "class",
                    "compared-letter compared-" + tail.line().number(), "x", free.x() + 5, "y",
                    free.y() + 4);
        }
    }
}
