package io.mlestar.app.start;

import io.mlestar.adapter.bucket.DataSets;
import io.mlestar.adapter.grade.Submissions;
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
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.StepStopped;
import io.mlestar.core.step.Window;
import io.mlestar.core.store.StoreUnavailable;
import io.mlestar.core.task.Validation;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/// Runs scripts, and keeps their submissions in the store. Asks no models: a process that runs generated code holds no keys.
///
/// @param data finds the tasks' data on this machine
/// @param scripts made when the first script comes
/// @param memory of the container, if this is one
/// @param outputs of the scripts that run in this process
public record ScriptJob(Records records, DataSets data, Supplier<ScriptRunner> scripts, MemoryPressure memory, RunningOutputs outputs) {
    private static final int MOST = 1 << 16;

    /// What scripts of the run see, for the tools of one agent's answer.
    ShownData shown(String run, RunContext context) {
        Supplier<Path> own = () -> data.local(context.task().dataDir());
        return context.facts().holdout() == null ? new ShownData(own, folder -> {})
                : new ShownData(() -> scripts.get().view(view -> HoldoutFiles.of(records.store(), run).show(view, own.get(), holdout(context))),
                        folder -> scripts.get().remove(folder));
    }

    /// @param begin as for [Performer#run]
    Execution run(StepPath step, RunScript script, RunContext context, Window window, Performer.Begin begin) {
        AtomicInteger attempt = new AtomicInteger();
        Path folder = data.local(context.task().dataDir());
        HoldoutFiles hidden = HoldoutFiles.of(records.store(), step.run());
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
                return Submissions.wrong(folder, submission);
            }

            @Override
            public Execution.Submission hold(Path left) throws IOException {
                return hidden.keep(left, context.task().evaluationMetric(), context.task().metricDirection());
            }

            @Override
            public void show(Path view) throws IOException {
                hidden.show(view, folder, holdout(context));
            }

            @Override
            public Validation validate(Path predictions) throws IOException {
                return hidden.validate(predictions, holdout(context), context.task().evaluationMetric(), this::predictions);
            }

            @Override
            public boolean scores() {
                return context.holdoutDigest() != null;
            }

            @Override
            public Execution blend(String members) {
                return hidden.blend(members, holdout(context), context.task().evaluationMetric());
            }

            @Override
            public Execution compare(String pair) {
                return hidden.compare(pair, holdout(context), context.task().evaluationMetric());
            }

            private String predictions(Path file) {
                try {
                    return keep("predictions-" + ScriptRunner.digest(file).substring(0, 12) + ".csv", Files.newInputStream(file));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }

            @Override
            public long most() {
                return (long) context.config().limits().maxSubmissionMb() << 20;
            }
        };
        try {
            return scripts.get().run(script, folder, window, listener);
        } finally {
            outputs.ended(step);
        }
    }

    private static Holdout holdout(RunContext context) {
        return Objects.requireNonNull(context.facts().holdout(), "the run has no hold-out");
    }

    /// How many scripts of the run can be running at once: as many as the phases that this one is part of have beside them.
    private int beside(StepPath step, RunContext context) {
        long beside = 1;
        for (Optional<StepPath> at = step.parent(); at.isPresent(); at = at.get().parent()) {
            String name = at.get().plainName();
            if (records.request(at.get()).map(request -> request.step(name)).orElse(null) instanceof Phase<?> phase) {
                beside *= phase.scheduling(context).sideBySide();
            }
        }
        return Math.clamp(beside, 1, MOST);
    }

    /// The scripts of a run that was cancelled end at once, but for the last ones: they make the submission, and compare it. A store that is out of reach
    /// for a while does not end a script.
    private void goOn(StepPath step, RunScript script, int attempt) {
        try {
            if (attempt > 0) {
                memory.tight().ifPresent(said -> records.invocations().memory(step, attempt, said));
            }
            boolean isLast = script.kind() == RunScript.Kind.SUBMISSION || script.kind() == RunScript.Kind.COMPARISON;
            if (!isLast && records.isCancelled(step.run())) {
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
