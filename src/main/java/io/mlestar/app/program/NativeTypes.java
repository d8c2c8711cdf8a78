package io.mlestar.app.program;

import io.mlestar.core.agent.AgentConfig;
import io.mlestar.core.agent.Reply;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.result.RunTally;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Arithmetic;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Facts;
import io.mlestar.core.step.Note;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.SubmissionComparison;
import io.mlestar.core.task.Answers;
import io.mlestar.core.task.PaperSearch;
import io.mlestar.core.task.Preset;
import io.mlestar.core.task.Results;
import io.mlestar.core.task.StrongSearch;
import io.quarkus.runtime.annotations.RegisterForReflection;

/// The JSON of wing `core`, which knows no framework, for a native image: these types with all that
/// their fields hold, and every implementation. Types of the other wings carry the annotation
/// themselves. A test compares both with the rooms and with what a whole run writes and reads.
@RegisterForReflection(registerFullHierarchy = true,
        targets = {Agent.class, Phase.class, RunScript.class, Answer.class, Answers.class,
            Reply.class, AgentConfig.class, Arithmetic.class, Arithmetic.CombinedFolds.class,
            Arithmetic.ScoredBlend.class, SubmissionComparison.class, Execution.class, Facts.class,
            Note.class, PaperSearch.class, Phase.PhaseResult.class, Preset.class, Results.class,
            StrongSearch.class, RunHeader.class, StepRequest.class, StepResult.class,
            RunTally.class})
public final class NativeTypes {
    private NativeTypes() {}

    /// Jackson creates these by the name of their class.
    @RegisterForReflection(
            classNames = "com.fasterxml.jackson.databind.EnumNamingStrategies$SnakeCaseStrategy")
    static final class NamingStrategies {}
}
