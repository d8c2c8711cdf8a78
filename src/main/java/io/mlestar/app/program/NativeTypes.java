package io.mlestar.app.program;

import io.mlestar.app.start.RunRequest;
import io.mlestar.core.agent.AgentConfig;
import io.mlestar.core.agent.Reply;
import io.mlestar.core.phase.Attempt;
import io.mlestar.core.phase.Candidate;
import io.mlestar.core.phase.Ensemble;
import io.mlestar.core.phase.Evaluation;
import io.mlestar.core.phase.Finalization;
import io.mlestar.core.phase.InitialSolution;
import io.mlestar.core.phase.Merge;
import io.mlestar.core.phase.OuterStep;
import io.mlestar.core.phase.Pipeline;
import io.mlestar.core.phase.Refinement;
import io.mlestar.core.phase.Round;
import io.mlestar.core.records.Measured;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Scoring;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.result.RunTally;
import io.mlestar.core.steering.Extension;
import io.mlestar.core.steering.Pause;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.DataCard;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Facts;
import io.mlestar.core.step.MachineFacts;
import io.mlestar.core.step.Note;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.survey.Survey;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.Answers;
import io.mlestar.core.task.CodeBlock;
import io.mlestar.core.task.CodeBlockCategory;
import io.mlestar.core.task.ContaminationVerdict;
import io.mlestar.core.task.DataModality;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.FinalChoice;
import io.mlestar.core.task.LeakageStatus;
import io.mlestar.core.task.McpServer;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PhaseTimeBudget;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Preset;
import io.mlestar.core.task.Price;
import io.mlestar.core.task.Results;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.core.task.TaskType;
import io.mlestar.show.grade.Grade;
import io.mlestar.show.view.ComparedRun;
import io.mlestar.show.view.Comparison;
import io.mlestar.show.view.RunFigures;
import io.mlestar.show.view.RunState;
import io.mlestar.show.view.RunStatus;
import io.mlestar.show.view.StepDetail;
import io.mlestar.show.view.StepFigures;
import io.quarkus.runtime.annotations.RegisterForReflection;

/// Whatever of ours is written or read as JSON, with the types nested in it: a native image keeps of a type only what it is told
/// to keep. A test compares the list with the rooms and with what a whole run writes and reads.
@RegisterForReflection(targets = {
    TaskDescription.class, TaskType.class, DataModality.class, MetricDirection.class, PipelineConfig.class, Preset.class, PhaseTimeBudget.class,
    McpServer.class,
    Price.class, AgentType.class, Answers.class, Results.class, SolutionScript.class, SolutionPhase.class, CodeBlock.class,
    CodeBlockCategory.class, FinalChoice.class, EvaluationResult.class, LeakageStatus.class, ContaminationVerdict.class,
    Answer.class, Execution.class, Note.class, RunScript.class, Facts.class, MachineFacts.class, DataCard.class,
    AgentConfig.class, Reply.class,
    Pipeline.class, Survey.class, InitialSolution.class, Candidate.class, Merge.class, Refinement.class, OuterStep.class, Attempt.class,
    Ensemble.class, Round.class, Evaluation.class, Finalization.class,
    RunRequest.class, RunHeader.class, Extension.class, Measured.class, Pause.class, RunTally.class, Scoring.class, StepRequest.class, StepResult.class,
    RunState.class,
    RunStatus.class,
    StepFigures.class,
    StepDetail.WholeStep.class,
    RunFigures.class, ComparedRun.class, Comparison.class,
    Grade.class},
        classNames = "com.fasterxml.jackson.databind.EnumNamingStrategies$SnakeCaseStrategy")
public final class NativeTypes {
    private NativeTypes() {}
}
