package io.mlestar.show.view;

import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Scoring;
import io.mlestar.show.render.Formats;
import io.mlestar.show.render.ScoreCurve;
import io.mlestar.show.render.ScoreCurve.Point;
import io.mlestar.show.render.ScoreCurve.Span;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The scores of a run over its time: a point for each evaluation, a span for each phase.
///
/// @param steps right below the run
/// @param end of the run, or the time up to which it has come
record RunCurve(
        RunHeader run,
        Collection<Scoring> evaluations,
        List<StepRow> steps,
        Instant end) {
    /// @param linked whether its points lead to the pages of their steps
    String svg(boolean linked) {
        return ScoreCurve.svg(points(linked), spans(), run.task().metricDirection());
    }

    /// The times of the phases. Phases of one title are one span.
    List<Span> spans() {
        Map<String, Span> spans = new LinkedHashMap<>();
        steps.stream()
                .filter(StepRow::isPhase)
                .map(row -> new Span(row.title(), seconds(row.startedAt()),
                        seconds(Objects.requireNonNullElse(row.endedAt(), end))))
                .forEach(span -> spans.merge(span.name(), span, Span::around));
        return List.copyOf(spans.values());
    }

    /// Every evaluation, in the order of time.
    List<Point> points(boolean linked) {
        return evaluations.stream()
                .map(one -> new Point(seconds(one.endedAt()), one.score(), one.error(),
                        one.path().inside(), linked ? StepRow.url(one.path()) : ""))
                .sorted(Comparator.comparingDouble(Point::seconds))
                .toList();
    }

    private double seconds(Instant at) {
        return Formats.seconds(run.startedAt(), at);
    }
}
