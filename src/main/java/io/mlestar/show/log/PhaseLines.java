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
import io.mlestar.core.phase.Round;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.Step;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.PaperSearch;
import io.mlestar.core.task.Search;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.StrongSearch;
import java.util.ArrayList;
import java.util.List;

/// Writes the log lines of a phase: its start, and why it failed or was stopped.
final class PhaseLines {
    private PhaseLines() {}

    static List<LogLine> asked(RunHeader run, Phase<?> phase) {
        return switch (phase) {
            case Pipeline pipeline ->
                List.of(LogLine.info("pipeline-start")
                        .with("competition", run.task().competitionId())
                        .with("model", run.config().models().model())
                        .with("time_limit", run.config().limits().timeLimitSeconds()));
            case FirstPhase phase1 ->
                List.of(LogLine.info("phase1-start")
                        .with("competition", run.task().competitionId())
                        .with("M", run.config().search().numRetrievedModels()));
            case Candidate candidate -> List.of(LogLine.info("candidate-start")
                    .with("candidate",
                            (candidate.index() + 1) + " of "
                                    + run.config().search().numRetrievedModels())
                    .with("model", candidate.model().modelName()));
            case Merge merge -> List.of(LogLine.info("merge-start")
                    .with("index", merge.index())
                    .score("base_score", merge.base().score().value())
                    .with("reference", merge.reference().sourceModel()));
            case OuterStep outer -> List.of(LogLine.info("outer-step-start")
                    .with("t", outer.t())
                    .with("h_best", outer.solution().score().value())
                    .with("summaries", outer.summaries().size()));
            case Attempt attempt when attempt.k() == 0 -> innerLoop(run, attempt);
            case Evaluation evaluation -> List.of(LogLine.info("evaluation-start")
                    .with("phase", evaluation.script().phase())
                    .with("content_length", evaluation.script().content().length()));
            case EnsemblePhase ensemble -> List.of(LogLine.info("phase3-start")
                    .with("L", ensemble.solutions().size())
                    .with("R", rounds(run.config().search()))
                    .with("competition", run.task().competitionId()));
            case Round round ->
                List.of(LogLine.info("round-start").with("previous_plans", round.plans().size()));
            case Finalization last -> finalization(run, last.solution());
            default -> List.of();
        };
    }

    private static int rounds(Search search) {
        return switch (search) {
            case PaperSearch paper -> paper.ensembleRounds();
            case StrongSearch strong -> 1;
        };
    }

    private static List<LogLine> innerLoop(RunHeader run, Attempt first) {
        return List.of(
                LogLine.info("inner-loop-handoff")
                        .with("block_length", first.block().length())
                        .with("plan", first.plan()),
                LogLine.info("inner-loop-start")
                        .with("block_length", first.block().length())
                        .with("plan", first.plan())
                        .with("h_best", first.best().score().value())
                        .with("K", run.config().paper().innerLoopSteps()));
    }

    private static List<LogLine> finalization(RunHeader run, SolutionScript solution) {
        List<LogLine> lines = new ArrayList<>();
        if (run.config().search().numParallelSolutions() == 1) {
            lines.add(LogLine.info("phase3-skipped")
                    .with("L", 1)
                    .score("score", solution.score().value())
                    .with("competition", run.task().competitionId()));
        }
        lines.add(LogLine.info("finalization-start")
                .with("competition", run.task().competitionId())
                .with("phase", solution.phase())
                .with("content_length", solution.content().length()));
        return lines;
    }

    /// The line of a step of any kind that failed or was stopped.
    static List<LogLine> missed(
            RunHeader run,
            StepPath path,
            Step<?> step,
            StepResult.Unfinished result) {
        List<LogLine> lines = new ArrayList<>();
        boolean stopped = result instanceof StepResult.Stopped;
        lines.add(LogLine.warn(stopped ? "step-stopped" : "step-failed")
                .with("name", path.name())
                .with("reason", result.reason()));
        switch (step) {
            case FirstPhase phase1 when !stopped -> lines.add(LogLine.error("all-candidates-failed")
                    .with("M", run.config().search().numRetrievedModels())
                    .with("reason", result.reason()));
            case Candidate candidate when !stopped -> lines.add(LogLine.warn("candidate-skipped")
                    .with("model", candidate.model().modelName())
                    .with("error", result.reason()));
            case OuterStep outer ->
                lines.add(LogLine.warn("outer-step-skipped")
                        .with("t", outer.t())
                        .with("reason", result.reason()));
            case Attempt attempt ->
                lines.add(LogLine.warn("attempt-skipped").with("reason", result.reason()));
            case Round round ->
                lines.add(LogLine.warn("round-failed").with("error", result.reason()));
            case Finalization last -> lines.add(LogLine.warn("fallback")
                    .with("reason", result.reason())
                    .with("phase", last.solution().phase())
                    .score("score", last.solution().score().value()));
            default -> {}
        }
        return lines;
    }
}
