package io.mlestar.core.step;

import io.mlestar.core.task.LimitSettings;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Search;
import io.mlestar.core.task.StrongSearch;
import io.mlestar.core.task.TaskDescription;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The context that all steps of a run share.
///
/// @param hardware one line about processors and GPUs, for the system prompt where the survey found
///   nothing (REQ-OR-004)
/// @param facts what the survey found; none before it has ended. Phases see nothing of them but the
///   hold-out: they are for agents
/// @param notes that people gave the run so far; likewise
/// @param findings what agents saw when they looked at the data, each with its step; likewise
/// @param timeUsed when an agent is asked, e.g. `40 of 120 minutes`; empty where that is not known
public record RunContext(
        TaskDescription task,
        PipelineConfig config,
        String hardware,
        Facts facts,
        List<Note> notes,
        List<String> findings,
        String timeUsed) {
    /// The context of a run without a survey.
    public RunContext(TaskDescription task, PipelineConfig config, String hardware) {
        this(task, config, hardware, Facts.NONE);
    }

    /// The context without what agents are told anew each time.
    public RunContext(TaskDescription task, PipelineConfig config, String hardware, Facts facts) {
        this(task, config, hardware, facts, List.of(), List.of(), "");
    }

    public MetricDirection direction() {
        return task.metricDirection();
    }

    public LimitSettings limits() {
        return config.limits();
    }

    public Search search() {
        return config.search();
    }

    /// True if scripts are scored by rows that none of them sees: with [StrongSearch], unless no
    /// rows could be hidden.
    public boolean scoresAreTrusted() {
        return facts.holdout() != null;
    }

    /// The rows that are hidden; null unless [#scoresAreTrusted].
    public @Nullable String hiddenRows() {
        return facts.hiddenRows();
    }

    /// The part of the facts that phases see: which rows the harness hides, and how many scripts
    /// run at once. All else may differ where a run's steps are shared.
    public static Facts ofPhases(Facts facts) {
        return Facts.NONE.hiding(facts.holdout())
                .on(MachineFacts.UNKNOWN.with(facts.machine().scriptsAtOnce()));
    }

    public RunContext with(List<Note> told) {
        return new RunContext(task, config, hardware, facts, told, findings, timeUsed);
    }

    public RunContext seen(List<String> found) {
        return new RunContext(task, config, hardware, facts, notes, found, timeUsed);
    }

    /// @param all that the run may take
    public RunContext after(Duration used, Duration all) {
        return new RunContext(task, config, hardware, facts, notes, findings,
                used.toMinutes() + " of " + all.toMinutes() + " minutes");
    }
}
