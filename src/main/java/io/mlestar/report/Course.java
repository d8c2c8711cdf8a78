package io.mlestar.report;

import io.mlestar.engine.Records;
import io.mlestar.engine.RunHeader;
import io.mlestar.engine.Scored;
import io.mlestar.engine.StepResult.Status;
import io.mlestar.engine.StepResult;
import io.mlestar.report.ScoreCurve.Point;
import io.mlestar.report.ScoreCurve.Span;
import io.mlestar.step.StepPath;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// How a run went over time: every evaluation, and when its phases ran. The paths of Phase 2 are one span.
public record Course(List<Point> points, List<Span> phases) {
    private static final Map<String, String> NAMES = Map.of(
            "phase1", "Initial solution", "phase2", "Refinement", "phase3", "Ensemble", "finalization", "Submission");

    /// The phase of a step right below the pipeline; the paths of Phase 2 are one.
    static String phase(String step) {
        return step.replaceFirst("-path\\d+$", "");
    }

    /// What people call that phase.
    static String phaseName(String step) {
        String phase = phase(step);
        return NAMES.getOrDefault(phase, phase);
    }

    /// Reads the run's records once.
    ///
    /// @param now until when phases that have not ended are drawn
    public static Course of(Records records, RunHeader run, Instant now) {
        Collector collector = new Collector(run.startedAt());
        Walk.steps(records, StepPath.root(run.runId()), step -> collector.add(step, now));
        return collector.course();
    }

    /// Takes in the steps of a run in any order.
    static final class Collector {
        private final Instant start;
        private final List<Point> points = new ArrayList<>();
        private final Map<String, Span> phases = new LinkedHashMap<>();

        Collector(Instant start) {
            this.start = start;
        }

        void add(Records.Known step, Instant now) {
            boolean top = step.path().inside().indexOf('/') < 0;
            if (top && step.request().isPhase()) {
                String name = phaseName(step.path().name());
                Span span = new Span(name, since(step.request().askedAt()),
                        since(step.result().map(StepResult::endedAt).orElse(now)));
                phases.merge(name, span, Span::around);
            } else if (Scored.isOfSolution(step.path())) {
                step.result().filter(result -> result.status() != Status.STOPPED).ifPresent(result ->
                        points.add(new Point(since(result.endedAt()), Scored.of(result), step.path().inside())));
            }
        }

        private double since(Instant moment) {
            return Math.max(0, Duration.between(start, moment).toMillis() / 1000.0);
        }

        Course course() {
            return new Course(points.stream().sorted(Comparator.comparingDouble(Point::seconds)).toList(), List.copyOf(phases.values()));
        }
    }
}
