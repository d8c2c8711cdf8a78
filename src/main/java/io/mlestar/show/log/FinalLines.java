package io.mlestar.show.log;

import io.mlestar.core.task.Results.FinalResult;
import io.mlestar.core.task.Results.PhaseSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The log lines of a published run: its result, cost and duration by phase, and the lineage of its
/// script.
final class FinalLines {
    private static final PhaseSummary NOT_RUN = new PhaseSummary(0.0, 0.0);

    /// Phases that stand in the line even if they did not run.
    private static final Set<String> OF_THE_PAPER =
            Set.of("phase1", "phase2", "phase3", "finalization");

    private FinalLines() {}

    static List<LogLine> of(FinalResult result) {
        List<LogLine> lines = new ArrayList<>();
        boolean submitted = !result.submissionPath().isEmpty();
        lines.add(LogLine.info("final-result")
                .with("phase", result.finalSolution().phase())
                .score("score", result.bestScore())
                .with("submission", result.submissionPath())
                .with("written_by", submitted ? result.submissionSource() : "nobody")
                .with("total_duration_seconds", result.totalDurationSeconds()));
        if (result.submissionFailure() != null) {
            lines.add(LogLine.warn(submitted ? "invalid-submission" : "no-submission")
                    .with("reason", result.submissionFailure()));
        }
        if (result.submissionReplaced() != null) {
            lines.add(LogLine.warn("submission-replaced")
                    .with("reason", result.submissionReplaced()));
        }
        lines.add(breakdown("cost-breakdown", "cost_usd", result, PhaseSummary::costUsd,
                result.totalCostUsd()));
        lines.add(breakdown("duration-breakdown", "duration_seconds", result,
                PhaseSummary::durationSeconds, result.totalDurationSeconds()));
        lines.add(LogLine.info("lineage")
                .raw(" lineage=\"" + String.join(" | ", result.lineage()) + "\""));
        return lines;
    }

    private static LogLine breakdown(
            String what,
            String unit,
            FinalResult result,
            Function<PhaseSummary, @Nullable Double> figure,
            @Nullable Double total) {
        Function<String, Object> of =
                phase -> said(figure.apply(result.phases().getOrDefault(phase, NOT_RUN)));
        String others = result.phases()
                .keySet()
                .stream()
                .filter(phase -> !OF_THE_PAPER.contains(phase) && !phase.startsWith("phase2-path"))
                .map(phase -> " " + phase + "_" + unit + "=" + of.apply(phase))
                .collect(Collectors.joining());
        return LogLine.info(what)
                .raw(others)
                .with("phase1_" + unit, of.apply("phase1"))
                .with("phase2_" + unit, of.apply("phase2"))
                .raw(" phase2_per_path_" + unit + "="
                        + IntStream.range(0, result.phase2Results().size())
                                .mapToObj(path -> of.apply("phase2-path" + path).toString())
                                .collect(Collectors.joining(",", "[", "]")))
                .with("phase3_" + unit, of.apply("phase3"))
                .with("finalization_" + unit, of.apply("finalization"))
                .with("total_" + unit, said(total));
    }

    private static Object said(@Nullable Double figure) {
        return figure == null ? "unknown" : figure;
    }
}
