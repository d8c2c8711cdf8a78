package io.mlestar.program;

import io.mlestar.agent.AgentConfig;
import io.mlestar.agent.Reply;
import io.mlestar.grade.Grade;
import io.mlestar.phase.Attempt;
import io.mlestar.phase.Candidate;
import io.mlestar.phase.Ensemble;
import io.mlestar.phase.Evaluation;
import io.mlestar.phase.Finalization;
import io.mlestar.phase.InitialSolution;
import io.mlestar.phase.Merge;
import io.mlestar.phase.OuterStep;
import io.mlestar.phase.Pipeline;
import io.mlestar.phase.Refinement;
import io.mlestar.phase.Round;
import io.mlestar.phase.Survey;
import io.mlestar.records.Extension;
import io.mlestar.records.Measured;
import io.mlestar.records.Pause;
import io.mlestar.records.RunHeader;
import io.mlestar.records.RunTally;
import io.mlestar.records.Scoring;
import io.mlestar.records.StepRequest;
import io.mlestar.records.StepResult;
import io.mlestar.run.RunRequest;
import io.mlestar.step.Answer;
import io.mlestar.step.DataCard;
import io.mlestar.step.Execution;
import io.mlestar.step.Facts;
import io.mlestar.step.MachineFacts;
import io.mlestar.step.Note;
import io.mlestar.step.RunScript;
import io.mlestar.task.AgentType;
import io.mlestar.task.Answers;
import io.mlestar.task.CodeBlock;
import io.mlestar.task.CodeBlockCategory;
import io.mlestar.task.ContaminationVerdict;
import io.mlestar.task.DataModality;
import io.mlestar.task.EvaluationResult;
import io.mlestar.task.FinalChoice;
import io.mlestar.task.LeakageStatus;
import io.mlestar.task.McpServer;
import io.mlestar.task.MetricDirection;
import io.mlestar.task.PhaseTimeBudget;
import io.mlestar.task.PipelineConfig;
import io.mlestar.task.Preset;
import io.mlestar.task.Price;
import io.mlestar.task.Results;
import io.mlestar.task.SolutionPhase;
import io.mlestar.task.SolutionScript;
import io.mlestar.task.TaskDescription;
import io.mlestar.task.TaskType;
import io.mlestar.view.ComparedRun;
import io.mlestar.view.Comparison;
import io.mlestar.view.RunFigures;
import io.mlestar.view.RunState;
import io.mlestar.view.RunStatus;
import io.mlestar.view.StepFigures;
import io.mlestar.view.WholeStep;
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
    WholeStep.class,
    RunFigures.class, ComparedRun.class, Comparison.class,
    Grade.class},
        classNames = "com.fasterxml.jackson.databind.EnumNamingStrategies$SnakeCaseStrategy")
public final class NativeTypes {
    private NativeTypes() {}
}
