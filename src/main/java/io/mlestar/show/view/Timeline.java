package io.mlestar.show.view;

import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Scoring;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.show.render.Formats;
import io.mlestar.show.render.ScoreCurve.Point;
import io.mlestar.show.render.ScoreCurve.Span;
import io.mlestar.show.render.ScoreCurve;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// A run over time: every evaluation, and when its phases ran. Phases of one title are one span.
public record Timeline(List<Point> points, List<Span> phases) {
    /// @param top the steps right below the pipeline, in order
    /// @param last until when phases that have not ended are drawn
    static Timeline of(RunHeader run, List<StepRow> top, Collection<Scoring> evaluations, Instant last) {
        Map<String, Span> spans = new LinkedHashMap<>();
        top.forEach(row -> Optional.ofNullable(row.phase())
                .ifPresent(phase -> spans.merge(phase.title(), new Span(phase.title(), Formats.seconds(run.startedAt(), row.startedAt()),
                        Formats.seconds(run.startedAt(), Objects.requireNonNullElse(row.endedAt(), last))), Span::around)));
        return new Timeline(evaluations.stream()
                .map(one -> new Point(Formats.seconds(run.startedAt(), one.endedAt()), one.score(), one.path().inside(), StepRow.url(one.path())))
                .sorted(Comparator.comparingDouble(Point::seconds)).toList(),
                List.copyOf(spans.values()));
    }

    /// As SVG.
    ///
    /// @param linked whether its points lead to the pages of their steps
    String curve(MetricDirection direction, boolean linked) {
        return ScoreCurve.svg(linked ? points : points.stream().map(point -> new Point(point.seconds(), point.score(), point.step(), "")).toList(),
                phases, direction);
    }
}
