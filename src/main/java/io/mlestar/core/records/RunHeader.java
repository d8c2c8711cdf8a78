package io.mlestar.core.records;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.TaskDescription;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A run's first object: what it was started with. It never changes: [CurrentLimits] says what
/// holds now.
///
/// @param task with an absolute `data_dir`
/// @param version of the program that started it
/// @param promptsDigest of the prompts it was started with
/// @param deadline start plus the time limit (REQ-OR-024)
/// @param origin the run whose finished steps it begins with; null for a run that begins with
///   nothing
/// @param environment of its scripts; null if other machines run them, or if it is unknown
public record RunHeader(
        String runId,
        TaskDescription task,
        PipelineConfig config,
        String hardware,
        String version,
        String promptsDigest,
        Instant startedAt,
        Instant deadline,
        @Nullable Origin origin,
        @Nullable Environment environment) {
    /// Another run whose finished steps this one shares.
    ///
    /// @param run the other run
    /// @param at the step from which on this run goes its own way; null if it shares all that
    ///   succeeded
    /// @param until a step is shared if it had ended by then
    /// @param redo what is done again, `at` and what depends on it included; null for nothing
    public record Origin(String run, @Nullable String at, Instant until, @Nullable Redo redo) {
        @Override
        public Redo redo() {
            return redo == null ? Redo.NOTHING : redo;
        }
    }

    /// Steps of another run that are done again, though their results are known.
    ///
    /// @param steps paths inside the run; what is below them is done again as well
    /// @param scripts whether those that failed are
    /// @param agents whether those that failed, or whose answers could not be read, are
    public record Redo(List<String> steps, boolean scripts, boolean agents) {
        public static final String FAILED = "failed";
        static final Redo NOTHING = new Redo(List.of(), false, false);

        /// @param asked paths of steps, or `failed`
        /// @param elsewhere whether the scripts ran in another environment than they will now
        public static Redo of(List<String> asked, boolean elsewhere) {
            boolean failed = asked.contains(FAILED);
            return new Redo(asked.stream().filter(step -> !step.equals(FAILED)).toList(),
                    failed || elsewhere, failed);
        }
    }

    /// The environment of scripts: one that failed in another environment may succeed here.
    ///
    /// @param interpreter its version and where it lies
    /// @param libraries digest of the names and versions of all that is installed for it
    /// @param sandbox how scripts are isolated
    public record Environment(String interpreter, String libraries, String sandbox) {}

    public RunHeader {
        StepPath.root(runId);
        Invalid.required("task", task);
        Invalid.required("config", config);
        Invalid.required("prompts_digest", promptsDigest);
        Invalid.required("started_at", startedAt);
        Invalid.required("deadline", deadline);
    }

    /// This run, beginning with another's finished steps.
    public RunHeader from(Origin other) {
        return new RunHeader(runId, task, config, hardware, version, promptsDigest, startedAt,
                deadline, other, environment);
    }

    /// Path of the whole pipeline.
    public StepPath root() {
        return StepPath.root(runId);
    }

    /// True if scripts that failed in the other run may end differently in this one.
    public boolean isElsewhereThan(RunHeader other) {
        return !hardware.equals(other.hardware) || !Objects.equals(environment, other.environment);
    }

    /// The context of its steps before, or without, a survey.
    public RunContext context() {
        return new RunContext(task, config, hardware);
    }
}
