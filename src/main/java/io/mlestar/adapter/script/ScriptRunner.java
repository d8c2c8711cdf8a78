package io.mlestar.adapter.script;

import io.mlestar.adapter.script.ScriptJobSpec.ResourceShare;
import io.mlestar.adapter.script.isolation.ScriptRules;
import io.mlestar.adapter.script.isolation.Workspace;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.engine.Harness;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepStopped;
import io.mlestar.core.step.Window;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.Score;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jboss.logging.Logger;

/// Runs script steps, each in a fresh folder that is deleted afterwards; as many at once as the
/// sandbox has slots.
public final class ScriptRunner {
    private static final Logger LOG = Logger.getLogger("mle_star.sandbox");

    private final Sandbox sandbox;
    private final InstantSource clock;
    private final Scratch scratch;
    private final AtomicInteger contenders = new AtomicInteger();
    private final BlockingQueue<Integer> slots;

    /// Runs scripts with their workspaces in the temp folder.
    public ScriptRunner(Sandbox sandbox, InstantSource clock) {
        this(sandbox, clock, Scratch.usual());
    }

    /// @param scratch folder for the workspaces
    ScriptRunner(Sandbox sandbox, InstantSource clock, Path scratch) {
        this(sandbox, clock, new Scratch(scratch));
    }

    private ScriptRunner(Sandbox sandbox, InstantSource clock, Scratch scratch) {
        this.sandbox = sandbox;
        this.clock = clock;
        this.scratch = scratch;
        Thread.startVirtualThread(this.scratch::sweep);
        this.slots =
                new ArrayBlockingQueue<>(sandbox.slots(), true,
                        IntStream.range(0, sandbox.slots()).boxed().toList());
    }

    /// @param data as the script is to see them
    /// @param window when the script may begin, and by when it has to end
    /// @param harness of its run; empty outside any run
    /// @throws StepStopped if there was no slot in time
    public Execution run(
            RunScript script,
            Path data,
            Window window,
            ScriptListener listener,
            Optional<Harness> harness) {
        contenders.incrementAndGet();
        try {
            Duration patience = Duration.between(clock.instant(), window.latestStart());
            Integer slot = slots.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
            if (slot == null) {
                throw new StepStopped(
                        "it waited for one of " + sandbox.slots()
                                + " slots for scripts until its time was over");
            }
            try {
                listener.pulse();
                ScriptDeadline deadline = deadline(script, window);
                Workspace workspace = Workspace.over(scratch.folder(), data);
                try {
                    listener.begin();
                    List<String> program = sandbox.program(script.filename());
                    return run(script,
                            new ScriptJobSpec(workspace, data, program, deadline::allowed,
                                    share(script, slot, listener), listener,
                                    Optional.ofNullable(script.rows())),
                            deadline, harness);
                } finally {
                    Scratch.remove(workspace);
                }
            } finally {
                slots.add(slot);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run a script in " + scratch.root(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a script ran", e);
        } finally {
            contenders.decrementAndGet();
        }
    }

    /// Runs a script outside any run, and stores nothing of what it leaves.
    ///
    /// @throws StepStopped if there was no slot within the time that the script itself may take
    public Execution runAlone(RunScript script, Path data) {
        return runAlone(script, data, ScriptListener.NONE, Optional.empty());
    }

    /// Runs a script outside any run.
    ///
    /// @param listener stores what it leaves
    /// @param harness scores it or hides rows by it; empty if nothing does
    /// @throws StepStopped if there was no slot within the time that the script itself may take
    public Execution runAlone(
            RunScript script,
            Path data,
            ScriptListener listener,
            Optional<Harness> harness) {
        Instant latest = clock.instant().plusSeconds(script.timeoutSeconds());
        return run(script, data, new Window(latest, latest.plusSeconds(script.timeoutSeconds())),
                listener, harness);
    }

    /// Runs a small program of ours beside the script whose slot it shares.
    ///
    /// @param files that it finds in `input`
    /// @return what it printed
    /// @throws Invalid with the last line of its error if it failed, or took too long
    public String beside(String program, Map<String, byte[]> files, Duration longest) {
        try {
            Path data = scratch.folder();
            Workspace workspace = Workspace.over(scratch.folder(), data);
            try {
                for (Map.Entry<String, byte[]> file : files.entrySet()) {
                    Files.write(data.resolve(file.getKey()), file.getValue());
                }
                Files.writeString(workspace.folder().resolve("program.py"), program);
                Sandbox.Raw raw = sandbox.python(workspace, data, "program.py", longest);
                if (raw.exitCode() != 0) {
                    throw new Invalid(raw.timedOut()
                            ? "it took more than " + longest.toSeconds() + " seconds"
                            : Execution.lastLine(raw.stderr()));
                }
                return raw.stdout();
            } finally {
                Scratch.remove(workspace);
                Scratch.remove(new Workspace(data));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run a program in " + scratch.root(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a program ran", e);
        }
    }

    /// Scripts of other runs count, too.
    private ResourceShare share(RunScript script, int slot, ScriptListener listener) {
        int slots = sandbox.slots();
        return script.kind().isProbe()
                ? sandbox.machine().probed(slot, slots)
                : sandbox.machine()
                        .share(slot, slots,
                                slots == 1 ? 1 : Math.max(listener.beside(), contenders.get()));
    }

    /// A submission's script is a run's last one and shares with no other.
    private ScriptDeadline deadline(RunScript script, Window window) {
        return new ScriptDeadline(clock, window, Duration.ofSeconds(script.timeoutSeconds()),
                sandbox.slots(),
                script.kind() == RunScript.Kind.SUBMISSION ? () -> 1 : contenders::get);
    }

    private Execution run(
            RunScript script,
            ScriptJobSpec job,
            ScriptDeadline deadline,
            Optional<Harness> harness)
            throws IOException, InterruptedException {
        if (harness.isPresent() && script.kind() == RunScript.Kind.METRIC) {
            return measured(script, job.workspace(), deadline.allowed(), harness.get());
        }
        if (harness.isPresent() && script.kind().hidesRows()) {
            Optional<String> split =
                    script.kind() == RunScript.Kind.SPLIT
                            ? Optional.of(script.content())
                            : harness.get().ownSplit();
            if (split.isPresent()) {
                Duration each = deadline.allowed().dividedBy(SplitRun.PARTS);
                return new SplitRun(sandbox, scratch, job.data(), harness.get(), each)
                        .run(split.get());
            }
        }
        Workspace workspace = job.workspace();
        try {
            Path written = workspace.write(script.content(), script.filename());
            if (script.kind() == RunScript.Kind.STUDY) {
                workspace.addModules(script.best());
            }
            LOG.infof("%s, %d characters, runs in %s for at most %d s", written,
                    script.content().length(), workspace.folder(), deadline.allowed().toSeconds());
        } catch (Invalid refusal) {
            EvaluationResult refused = Evaluator.refused(refusal);
            return new Execution.Crashed(refused, String.valueOf(refused.errorTraceback()));
        }
        if (!script.kind().isProbe()) {
            ScriptRules.errorMasking(script.content()).forEach(LOG::warn);
        }
        if (script.kind() == RunScript.Kind.MACHINE) {
            // The first of a run.
            sandbox.asRoot(workspace.folder(), Optional.of(job.data().toRealPath()))
                    .ifPresent(LOG::warn);
        }
        Sandbox.Raw raw = sandbox.run(job);
        boolean ended = raw.exitCode() == 0;
        if (script.kind() == RunScript.Kind.HOLDOUT) {
            return held(workspace, raw, ended, harness);
        }
        Optional<String> wrong = workspace.wrongSubmission(job.listener().most());
        Score score = Score.NONE;
        if (ended && wrong.isEmpty() && isValidated(script)) {
            try {
                score = harness.orElseThrow().validate(workspace.submission(), script.fold());
            } catch (Invalid unusable) {
                wrong = Optional
                        .of("./final/submission.csv cannot be scored: " + unusable.getMessage());
            }
        }
        Execution.Submission submission =
                wrong.isEmpty() && ended && script.kind().isScored() && script.fold() == 0
                        ? job.keptSubmission()
                        : null;
        if (submission != null && script.kind() == RunScript.Kind.SUBMISSION) {
            workspace.unreadableSubmission()
                    .ifPresent(why -> LOG.warnf("./final/submission.csv is no CSV: %s", why));
        }
        Optional<String> form = Optional.ofNullable(submission)
                .map(Execution.Submission::wrong)
                .map(said -> "./final/submission.csv is " + said);
        EvaluationResult printed = Evaluator.result(raw);
        boolean isScored = script.kind() == RunScript.Kind.SUBMISSION
                && harness.filter(Harness::isScoring).isPresent();
        EvaluationResult result;
        if (isValidated(script)) {
            result = Evaluator.validated(printed, score, wrong);
        } else if (isScored) {
            result = Evaluator.validated(printed, Score.NONE, wrong.or(() -> form));
        } else {
            result = Evaluator.counted(printed, script.kind(), wrong.or(() -> form));
        }
        long seconds = deadline.length().plusMillis(500).toSeconds();
        String bug = Evaluator.bug(result, script.content(), raw.timedOut(), seconds);
        return Execution.of(result, raw.timedOut(), submission, bug);
    }

    private static boolean isValidated(RunScript script) {
        return script.holdout() != null && script.kind() == RunScript.Kind.SOLUTION;
    }

    private static Execution measured(
            RunScript metric,
            Workspace workspace,
            Duration longest,
            Harness harness)
            throws IOException {
        try {
            Path folder = workspace.folder().resolve("holdout");
            Execution.Submission kept =
                    harness.measure(Objects.requireNonNull(metric.holdout()), metric.content(),
                            folder, longest);
            return new Execution.Silent(Evaluator.result(new Sandbox.Raw("", "", 0, 0, false)),
                    kept);
        } catch (Invalid refusal) {
            return SplitRun.refused("metric.py", "MetricError", refusal);
        }
    }

    private static Execution held(
            Workspace workspace,
            Sandbox.Raw raw,
            boolean ended,
            Optional<Harness> harness)
            throws IOException {
        Path folder = workspace.finalFolder().resolve("holdout");
        Execution.Submission kept =
                harness.isPresent() && ended && Files.isDirectory(folder)
                        ? harness.get().hold(folder)
                        : null;
        EvaluationResult result = Evaluator.result(raw);
        return Execution.of(result, raw.timedOut(), kept,
                Evaluator.bug(result, "", raw.timedOut(), 0));
    }
}
