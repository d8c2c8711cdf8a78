package io.mlestar.show.log;

import io.mlestar.core.agent.ContaminationCheck;
import io.mlestar.core.agent.Debugger;
import io.mlestar.core.phase.Attempt;
import io.mlestar.core.phase.Candidate;
import io.mlestar.core.phase.Ensemble;
import io.mlestar.core.phase.Evaluation;
import io.mlestar.core.phase.Finalization;
import io.mlestar.core.phase.InitialSolution;
import io.mlestar.core.phase.Merge;
import io.mlestar.core.phase.OuterStep;
import io.mlestar.core.phase.Pipeline;
import io.mlestar.core.phase.Round;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.Step;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.SolutionScript;
import java.util.ArrayList;
import java.util.List;

/// What the log tells when a step is asked for: how it begins.
final class AskedLines {
    private AskedLines() {}

    static List<LogLine> of(RunHeader run, StepPath path, Step<?> step) {
        return switch (step) {
            case Pipeline pipeline -> List.of(LogLine.of(LogEvent.PIPELINE_START).with("competition", run.task().competitionId())
                    .with("model", run.config().model()).with("time_limit", run.config().timeLimitSeconds()));
            case InitialSolution phase1 -> List.of(LogLine.of(LogEvent.PHASE1_START).with("competition", run.task().competitionId())
                    .with("M", run.config().numRetrievedModels()));
            case Candidate candidate -> List.of(LogLine.of(LogEvent.CANDIDATE_START)
                    .with("candidate", (candidate.index() + 1) + " of " + run.config().numRetrievedModels())
                    .with("model", candidate.model().modelName()));
            case Merge merge -> List.of(LogLine.of(LogEvent.MERGE_START).with("index", merge.index())
                    .score("base_score", merge.base().score()).with("reference", merge.reference().sourceModel()));
            case OuterStep outer -> List.of(LogLine.of(LogEvent.OUTER_STEP_START).with("t", outer.t()).with("h_best", outer.best())
                    .with("summaries", outer.summaries().size()));
            case Attempt attempt when attempt.k() == 0 -> innerLoop(run, attempt);
            case Evaluation evaluation -> List.of(LogLine.of(LogEvent.EVALUATION_START)
                    .with("phase", evaluation.script().phase()).with("content_length", evaluation.script().content().length()));
            case Ensemble ensemble -> List.of(LogLine.of(LogEvent.PHASE3_START).with("L", ensemble.solutions().size())
                    .with("R", run.config().ensembleRounds()).with("competition", run.task().competitionId()));
            case Round round -> List.of(LogLine.of(LogEvent.ROUND_START).with("previous_plans", round.plans().size()));
            case Finalization last -> finalization(run, last.solution());
            case Debugger debugger -> List.of(LogLine.of(debugger.kind() == Kind.SUBMISSION ? LogEvent.SUBMISSION_RETRY : LogEvent.RETRY)
                    .with("attempt", number(path) + " of " + run.config().maxDebugAttempts())
                    .with("error", Execution.lastLine(debugger.bug())));
            case ContaminationCheck check when number(path) == 1 -> List.of(LogLine.of(LogEvent.CONTAMINATION_START)
                    .with("references", run.config().referenceDiscussions().size()));
            default -> List.of();
        };
    }

    private static List<LogLine> innerLoop(RunHeader run, Attempt first) {
        return List.of(
                LogLine.of(LogEvent.INNER_LOOP_HANDOFF).with("block_length", first.block().length()).with("plan", first.plan()),
                LogLine.of(LogEvent.INNER_LOOP_START).with("block_length", first.block().length()).with("plan", first.plan())
                        .with("h_best", first.best()).with("K", run.config().innerLoopSteps()));
    }

    private static List<LogLine> finalization(RunHeader run, SolutionScript solution) {
        List<LogLine> lines = new ArrayList<>();
        if (run.config().numParallelSolutions() == 1) {
            lines.add(LogLine.of(LogEvent.PHASE3_SKIPPED).with("L", 1).score("score", solution.score())
                    .with("competition", run.task().competitionId()));
        }
        lines.add(LogLine.of(LogEvent.FINALIZATION_START).with("competition", run.task().competitionId())
                .with("phase", solution.phase()).with("content_length", solution.content().length()));
        return lines;
    }

    /// Which use of the step's name in its phase this is, from 1.
    static int number(StepPath path) {
        String suffix = path.name().substring(path.plainName().length());
        return suffix.isEmpty() ? 1 : Integer.parseInt(suffix.substring(1));
    }
}
