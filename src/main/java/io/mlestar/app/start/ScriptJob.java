package io.mlestar.app.start;

import io.mlestar.adapter.bucket.DataSets;
import io.mlestar.adapter.grade.HoldoutFiles;
import io.mlestar.adapter.grade.Submissions;
import io.mlestar.adapter.grade.TaskTables;
import io.mlestar.adapter.script.DataViews;
import io.mlestar.adapter.script.MemoryPressure;
import io.mlestar.adapter.script.ScriptListener;
import io.mlestar.adapter.script.ScriptRunner;
import io.mlestar.core.engine.Gate;
import io.mlestar.core.engine.Performer;
import io.mlestar.core.engine.RunningOutputs;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.Step;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.StepStopped;
import io.mlestar.core.step.Window;
import io.mlestar.core.store.StoreUnavailable;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/// Runs scripts, and keeps their submissions in the store. Asks no models: a process that runs
/// generated code holds no keys.
///
/// @param data finds the tasks' data on this machine
/// @param scripts made when the first script comes
/// @param views of the data for scripts from which rows are hidden
/// @param memory of the container, if this is one
/// @param outputs of the scripts that run in this process
public record ScriptJob(
        Records records,
        DataSets data,
        Supplier<ScriptRunner> scripts,
        DataViews views,
        MemoryPressure memory,
        RunningOutputs outputs) {
    private static final int MOST = 1 << 16;

    /// See [Performer#harness].
    HoldoutFiles harness(StepPath step, RunContext context) {
        return new HoldoutFiles(records.store(), step, context,
                () -> data.local(context.task().dataDir()), this::metric);
    }

    /// Runs the metric of a task.
    private String metric(String program, Map<String, byte[]> files, Duration longest) {
        return scripts.get().beside(program, files, longest);
    }

    /// The data as the scripts of a run see them. Other views than the first fold's have all files
    /// but the tables from that of the first fold, where they can be linked, too.
    ///
    /// @param view as the hold-out names it
    Path shown(StepPath step, RunContext context, String view) {
        String digest = context.hiddenRows();
        // Other processes may end a run without telling this one, so the records are asked.
        views.keep(run -> run.equals(step.run()) || !records.hasEnded(run));
        boolean isOfTask =
                view.equals(Holdout.FIRST) || digest == null || harness(step, context).movesFiles();
        Path from = isOfTask
                ? data.local(context.task().dataDir())
                : shown(step, context, Holdout.FIRST);
        return digest == null
                ? from
                : views.of(step.run(), digest + "/" + view,
                        shown -> new HoldoutFiles(records.store(), step, context, () -> from,
                                this::metric).show(shown, view));
    }

    /// The data as the tools of a run's agents see them: those of its studies.
    Path toLookAt(StepPath step, RunContext context) {
        return shown(step, context, studied(context));
    }

    private static String studied(RunContext context) {
        Holdout holdout = context.facts().holdout();
        return holdout == null ? Holdout.FIRST : holdout.studied();
    }

    /// The view of the data for a script. A study sees all rows but those for the final choice.
    private static String view(RunScript script, RunContext context) {
        return script.kind() == RunScript.Kind.STUDY
                ? studied(context)
                : Holdout.view(script.fold());
    }

    /// @param begin as for [Performer#run]
    Execution run(
            StepPath step,
            RunScript script,
            RunContext context,
            Window window,
            Performer.Begin begin) {
        AtomicInteger attempt = new AtomicInteger();
        Path folder = data.local(context.task().dataDir());
        ScriptListener listener = new ScriptListener() {
            @Override
            public String keep(String name, InputStream content) {
                String key = Records.stepKey(step) + "." + name;
                records.store().create(key, content);
                return key;
            }

            @Override
            public int beside() {
                return ScriptJob.this.beside(step, context);
            }

            @Override
            public void begin() {
                attempt.set(begin.attempt());
            }

            @Override
            public void pulse() {
                goOn(step, script, attempt.get());
            }

            @Override
            public void printing(IntFunction<String> output) {
                outputs.begun(step, output);
            }

            @Override
            public Optional<String> wrong(Path submission) {
                return Submissions.wrong(TaskTables.of(folder, records, step.run()), submission);
            }

            @Override
            public long most() {
                return context.config().limits().mostSubmissionBytes();
            }
        };
        try {
            return scripts.get()
                    .run(script,
                            script.holdout() == null
                                    ? folder
                                    : shown(step, context, view(script, context)),
                            window, listener, Optional.of(harness(step, context)));
        } finally {
            outputs.ended(step);
        }
    }

    /// Counts how many scripts of the run can run at once: the product of the parallel steps of all
    /// phases above this step.
    private int beside(StepPath step, RunContext context) {
        long beside = 1;
        for (Optional<StepPath> at = step.parent(); at.isPresent(); at = at.get().parent()) {
            String name = at.get().plainName();
            Optional<Step<?>> above = records.request(at.get()).map(request -> request.step(name));
            if (above.isPresent() && above.get() instanceof Phase<?> phase) {
                beside *= phase.scheduling(context).sideBySide();
            }
        }
        return Math.clamp(beside, 1, MOST);
    }

    /// The scripts of a run that was cancelled end at once, but for the last one, which makes the
    /// submission. A store that is out of reach for a while does not end a script.
    private void goOn(StepPath step, RunScript script, int attempt) {
        try {
            if (attempt > 0) {
                memory.tight().ifPresent(said -> records.invocations().memory(step, attempt, said));
            }
            if (script.kind() != RunScript.Kind.SUBMISSION && records.isCancelled(step.run())) {
                throw new StepStopped(Gate.CANCELLED);
            }
            if (records.result(step).isPresent()) {
                throw new StepStopped("the step has ended without it");
            }
        } catch (StoreUnavailable e) {
            // The next check is in two seconds.
        }
    }
}
