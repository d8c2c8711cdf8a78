package io.mlestar.show.log;

import io.mlestar.core.phase.Attempt;
import io.mlestar.core.phase.Candidate;
import io.mlestar.core.phase.EnsemblePhase;
import io.mlestar.core.phase.Evaluation;
import io.mlestar.core.phase.Finalization;
import io.mlestar.core.phase.FirstPhase;
import io.mlestar.core.phase.Merge;
import io.mlestar.core.phase.OuterStep;
import io.mlestar.core.phase.Pipeline;
import io.mlestar.core.phase.Refinement;
import io.mlestar.core.phase.Round;
import io.mlestar.core.phase.Survey;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.step.Facts;
import io.mlestar.core.step.Phase;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.Results.EnsembleAttempt;
import io.mlestar.core.task.Results.Leak;
import io.mlestar.core.task.Results.Phase1Result;
import io.mlestar.core.task.Results.Phase2Result;
import io.mlestar.core.task.Results.Phase3Result;
import io.mlestar.core.task.Results.RefinementAttempt;
import io.mlestar.core.task.SolutionScript;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Writes the log lines of a phase that has ended: what it found out.
final class PhaseResultLines {
    private PhaseResultLines() {}

    /// @param seconds since the phase was asked for
    static List<LogLine> of(StepRequest request, Phase<?> phase, Object value, double seconds) {
        return switch (phase) {
            case Survey survey -> surveyed((Facts) value, seconds);
            case FirstPhase phase1 -> phase1((Phase1Result) value, seconds);
            case Candidate candidate ->
                List.of(LogLine.info("candidate-evaluated")
                        .with("model", candidate.model().modelName())
                        .score((SolutionScript) value)
                        .with("seconds", seconds));
            case Merge merge -> List.of(merged(merge, (Merge.Result) value));
            case Evaluation evaluation -> evaluated(request, evaluation, (Evaluation.Result) value);
            case Refinement refinement -> List.of(LogLine.info("outer-loop-complete")
                    .with("steps", ((Phase2Result) value).stepHistory().size())
                    .with("h_best", ((Phase2Result) value).bestScore())
                    .with("seconds", seconds));
            case OuterStep outer -> refined(outer, (OuterStep.Result) value, seconds);
            case Attempt attempt -> attempted(attempt, (Attempt.Result) value);
            case EnsemblePhase ensemble -> ensembled((Phase3Result) value, seconds);
            case Round round -> rounded((EnsembleAttempt) value);
            case Finalization last -> finalized(last, (Finalization.Result) value);
            case Pipeline pipeline -> List.of(completed((Pipeline.Result) value));
            default -> List.of(LogLine.info("phase-complete").with("seconds", seconds));
        };
    }

    private static LogLine completed(Pipeline.Result result) {
        return LogLine.info("pipeline-complete")
                .score("best_score", result.chosen().score().value())
                .with("chosen", result.chosen().step())
                .with("phases", String.join(",", result.completed()));
    }

    private static List<LogLine> surveyed(Facts facts, double seconds) {
        List<LogLine> lines = new ArrayList<>();
        lines.add(LogLine.info("survey-complete")
                .with("libraries", facts.machine().libraries().size())
                .with("gpus", facts.machine().gpus().size())
                .with("data_lines", facts.data().lines().size())
                .with("seconds", seconds));
        facts.warnings()
                .forEach(warning -> lines
                        .add(LogLine.warn("survey-warning").raw(" says=\"" + warning + "\"")));
        return lines;
    }

    private static List<LogLine> phase1(Phase1Result result, double seconds) {
        List<LogLine> lines = new ArrayList<>();
        lines.add(LogLine.info("candidates-sorted")
                .with("order",
                        result.ranked()
                                .stream()
                                .map(candidate -> candidate.sourceModel() + ": "
                                        + candidate.score().value())
                                .collect(Collectors.joining(", "))));
        if (result.mergesEnded() != null) {
            lines.add(LogLine.info("merges-ended").with("reason", result.mergesEnded()));
        }
        lines.addAll(leaks(result.leaks()));
        lines.add(LogLine.info("phase1-complete")
                .with("score", result.initialScore())
                .with("seconds", seconds)
                .with("merges", result.merges()));
        return lines;
    }

    private static LogLine merged(Merge merge, Merge.Result result) {
        return LogLine.info("merge-end")
                .with("index", merge.index())
                .score(result.script())
                .with("merge", result.decision().isAccepted() ? "accepted" : "rejected");
    }

    private static List<LogLine> evaluated(
            StepRequest request,
            Evaluation evaluation,
            Evaluation.Result result) {
        boolean error = !result.script().isExecutable();
        List<LogLine> lines = new ArrayList<>();
        lines.add(LogLine.info("evaluation-complete")
                .score(result.script())
                .with("is_error", error)
                .with("seconds", result.durationSeconds()));
        if (result.lost() != null) {
            lines.add(LogLine.info("race-lost").with("says", result.lost()));
        }
        lines.addAll(leaks(result.leaks()));
        if (error && result.repairs() > 0) {
            lines.add(LogLine.warn("debug-fallback")
                    .with("repairs", result.repairs())
                    .with("error", result.failure())
                    .with("says", "falling back to the last working version"));
        }
        if (request.isAskedBy(Candidate.class) && result.failure() != null) {
            lines.add(LogLine.warn("candidate-skipped")
                    .with("model", evaluation.script().sourceModel())
                    .with("error", result.failure()));
        }
        if (request.isAskedBy(Round.class)) {
            lines.add(LogLine.info("ensemble-submission")
                    .yes("exists", result.submission() != null)
                    .with("rows",
                            result.submission() == null ? 0 : result.submission().rowCount()));
        }
        return lines;
    }

    private static List<LogLine> leaks(List<Leak> leaks) {
        List<LogLine> lines = new ArrayList<>();
        leaks.stream()
                .filter(leak -> leak.uncorrected() != null)
                .forEach(leak -> lines.add(LogLine.warn("correction-skipped")
                        .with("reason", leak.uncorrected())
                        .with("block", leak.block())));
        lines.add(LogLine.info("leakage-complete")
                .yes("leakage", !leaks.isEmpty())
                .yes("changed", leaks.stream().anyMatch(leak -> leak.uncorrected() == null)));
        return lines;
    }

    private static List<LogLine> refined(
            OuterStep outer,
            OuterStep.Result stepped,
            double seconds) {
        List<LogLine> lines = new ArrayList<>();
        Double best = stepped.record().bestScoreAfterStep();
        boolean improved = stepped.record().improved();
        lines.add(
                LogLine.info("outer-step-complete")
                        .with("t", outer.t())
                        .with("h_best", best)
                        .with("seconds", seconds));
        if (stepped.studyFailure() != null) {
            lines.add(LogLine.warn("study-failed")
                    .with("t", outer.t())
                    .with("reason", stepped.studyFailure()));
        }
        if (stepped.skipped() != null) {
            lines.add(LogLine.warn("outer-step-skipped")
                    .with("t", outer.t())
                    .with("reason", stepped.skipped()));
        } else {
            List<RefinementAttempt> attempts = stepped.record().innerLoopAttempts();
            lines.add(LogLine.info("inner-loop-complete")
                    .with("attempts", attempts.size())
                    .with("evaluated",
                            attempts.stream().filter(attempt -> attempt.score() != null).count())
                    .with("best_score", best)
                    .yes("improved", improved));
            lines.add(LogLine.info("inner-loop-return")
                    .with("best_score", best)
                    .yes("improvement", improved));
        }
        return lines;
    }

    private static List<LogLine> attempted(Attempt attempt, Attempt.Result result) {
        RefinementAttempt record = result.record();
        List<LogLine> lines = new ArrayList<>();
        lines.add(LogLine.info("attempt-complete")
                .score("score", record.score())
                .with("plan", record.plan()));
        if (result.skipped() != null) {
            if (!record.codeBlock().isEmpty()) {
                lines.add(LogLine.warn("replacement-failure").with("error", result.skipped()));
            }
            lines.add(LogLine.warn("attempt-skipped").with("reason", result.skipped()));
        } else {
            lines.add(LogLine.debug("replacement-success")
                    .with("old_length", attempt.block().length())
                    .with("new_length", record.codeBlock().length()));
        }
        if (Boolean.TRUE.equals(attempt.report(result).accepted())) {
            lines.add(updated(attempt.best(), record.score()));
        }
        return lines;
    }

    private static LogLine updated(Rival before, @Nullable Double score) {
        return LogLine.info("best-updated").with("old", before.score().value()).with("new", score);
    }

    private static List<LogLine> ensembled(Phase3Result result, double seconds) {
        List<LogLine> lines = new ArrayList<>();
        long scored = result.attempts().stream().filter(attempt -> attempt.score() != null).count();
        int best =
                result.attempts()
                        .stream()
                        .map(EnsembleAttempt::solution)
                        .toList()
                        .lastIndexOf(result.bestEnsemble());
        boolean isLeft =
                result.decisions().stream().anyMatch(decision -> decision.accepted() == null);
        Object decided = isLeft ? "undecided" : best;
        lines.add(LogLine.info("phase3-complete")
                .score("best_score", result.bestEnsembleScore())
                .with("best_round", scored == 0 ? "none" : decided)
                .with("seconds", seconds)
                .with("rounds", result.attempts().size()));
        if (scored == 0) {
            String what = result.attempts().isEmpty()
                    ? "no attempt was begun"
                    : "all " + result.attempts().size() + " attempts failed";
            lines.add(LogLine.warn("all-rounds-failed")
                    .with("says", "Phase 3 ensemble: " + what
                            + "; falling back to best input solution")
                    .score("score", result.bestEnsembleScore()));
        } else if (!isLeft) {
            lines.add(LogLine.info("best-selection")
                    .with("best_round", best)
                    .score("best_score", result.bestEnsembleScore())
                    .with("successful_rounds", scored));
        }
        return lines;
    }

    private static List<LogLine> rounded(EnsembleAttempt attempt) {
        LogLine complete = LogLine.info("round-complete")
                .score("score", attempt.score())
                .with("plan", attempt.plan());
        return attempt.score() != null
                ? List.of(complete)
                : List.of(complete,
                        LogLine.warn("round-failed")
                                .with("error", attempt.failure())
                                .with("plan", attempt.plan()));
    }

    private static List<LogLine> finalized(Finalization last, Finalization.Result result) {
        List<LogLine> lines = new ArrayList<>();
        lines.add(LogLine.info("finalization-complete")
                .with("phase", result.solution().phase())
                .yes("submission", result.submission() != null));
        lines.add(LogLine.info("replacement-result")
                .yes("success", result.subsamplingRemoved())
                .with("length_change", result.contentChange()));
        if (result.failure() != null) {
            lines.add(LogLine.warn("fallback")
                    .with("reason", result.failure())
                    .with("phase", last.solution().phase())
                    .score("score", last.solution().score().value()));
        }
        if (result.contaminationNote() != null
                && result.contaminationNote().startsWith("skipped")) {
            lines.add(LogLine.info("contamination-skipped")
                    .with("reason", result.contaminationNote()));
        } else {
            lines.add(LogLine.info("contamination-result")
                    .with("verdict",
                            result.contamination() == null
                                    ? result.contaminationNote()
                                    : result.contamination()));
        }
        return lines;
    }
}
