package io.mlestar.adapter.script;

import io.mlestar.adapter.script.ScriptJobSpec.ResourceShare;
import io.mlestar.adapter.script.isolation.ScriptRules;
import io.mlestar.adapter.script.isolation.Workspace;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Sha256;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepStopped;
import io.mlestar.core.step.Window;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.Validation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jboss.logging.Logger;

/// Runs script steps, each in a fresh folder that is deleted afterwards; as many at once as the sandbox has slots.
public final class ScriptRunner {
    private static final Logger LOG = Logger.getLogger("mle_star.sandbox");

    private final Sandbox sandbox;
    private final InstantSource clock;
    private final Scratch scratch;
    private final AtomicInteger contenders = new AtomicInteger();
    private final BlockingQueue<Integer> slots;

    /// With the workspaces in the temp folder.
    public ScriptRunner(Sandbox sandbox, InstantSource clock) {
        this(sandbox, clock, Path.of(System.getProperty("java.io.tmpdir"), "mlestar"));
    }

    /// @param scratch folder for the workspaces
    ScriptRunner(Sandbox sandbox, InstantSource clock, Path scratch) {
        this.sandbox = sandbox;
        this.clock = clock;
        this.scratch = new Scratch(scratch);
        Thread.startVirtualThread(this.scratch::sweep);
        this.slots = new ArrayBlockingQueue<>(sandbox.slots(), true, IntStream.range(0, sandbox.slots()).boxed().toList());
    }

    /// @param window when the script may begin, and by when it has to end
    /// @throws StepStopped if there was no slot in time
    public Execution run(RunScript script, Path data, Window window, ScriptListener listener) {
        contenders.incrementAndGet();
        try {
            Duration patience = Duration.between(clock.instant(), window.latestStart());
            Integer slot = slots.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
            if (slot == null) {
                throw new StepStopped("it waited for one of " + sandbox.slots() + " slots for scripts until its time was over");
            }
            try {
                listener.pulse();
                if (script.kind().isArithmetic()) {
                    listener.begin();
                    return script.kind() == RunScript.Kind.BLEND ? listener.blend(script.content()) : listener.compare(script.content());
                }
                ScriptDeadline deadline = deadline(script, window);
                Path shown = script.holdout() == null ? data : view(listener::show);
                Workspace workspace = Workspace.over(scratch.folder(), shown);
                try {
                    listener.begin();
                    List<String> program = sandbox.program(script.filename());
                    return run(script, new ScriptJobSpec(workspace, shown, program, deadline::allowed, share(script, slot, listener), listener), deadline);
                } finally {
                    remove(workspace);
                    if (script.holdout() != null) {
                        remove(shown);
                    }
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

    /// Puts data into a folder.
    public interface Filling {
        void fill(Path folder) throws IOException;
    }

    /// The data with rows hidden, in a folder of its own, which the caller removes: within the workspace a script could change files that are links to the task's.
    public Path view(Filling filling) {
        try {
            Path view = scratch.folder();
            try {
                Files.setPosixFilePermissions(view, PosixFilePermissions.fromString("rwxr-xr-x"));
                filling.fill(view);
                return view;
            } catch (IOException | RuntimeException e) {
                remove(view);
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot show data in " + scratch.root(), e);
        }
    }

    public void remove(Path view) {
        remove(new Workspace(view));
    }

    /// Runs a script outside any run, and stores nothing of what it leaves.
    ///
    /// @throws StepStopped if there was no slot within the time that the script itself may take
    public Execution runAlone(RunScript script, Path data) {
        Instant latest = clock.instant().plusSeconds(script.timeoutSeconds());
        return run(script, data, new Window(latest, latest.plusSeconds(script.timeoutSeconds())), ScriptListener.NONE);
    }

    /// Scripts of other runs count, too.
    private ResourceShare share(RunScript script, int slot, ScriptListener listener) {
        int slots = sandbox.slots();
        return script.kind().isProbe() ? sandbox.machine().probed(slot, slots)
                : sandbox.machine().share(slot, slots, slots == 1 ? 1 : Math.max(listener.beside(), contenders.get()));
    }

    /// A submission's script is a run's last one and shares with no other.
    private ScriptDeadline deadline(RunScript script, Window window) {
        return new ScriptDeadline(clock, window, Duration.ofSeconds(script.timeoutSeconds()), sandbox.slots(),
                script.kind() == RunScript.Kind.SUBMISSION ? () -> 1 : contenders::get);
    }

    private static void remove(Workspace workspace) {
        try {
            workspace.delete();
        } catch (IOException e) {
            // A script can make a folder that its own user cannot empty; its result is good all the same.
            LOG.warnf("the folder %s could not be removed: %s", workspace.folder(), e);
        }
    }

    private Execution run(RunScript script, ScriptJobSpec job, ScriptDeadline deadline) throws IOException, InterruptedException {
        Workspace workspace = job.workspace();
        try {
            Path written = workspace.write(script.content(), script.filename());
            LOG.infof("%s, %d characters, runs in %s for at most %d s", written, script.content().length(), workspace.folder(),
                    deadline.allowed().toSeconds());
        } catch (Invalid refusal) {
            EvaluationResult refused = Evaluator.refused(refusal);
            return new Execution.Crashed(refused, String.valueOf(refused.errorTraceback()));
        }
        if (!script.kind().isProbe()) {
            ScriptRules.errorMasking(script.content()).forEach(LOG::warn);
        }
        if (script.kind() == RunScript.Kind.MACHINE) {
            // The first of a run.
            sandbox.asRoot(workspace.folder(), Optional.of(job.data().toRealPath())).ifPresent(LOG::warn);
        }
        Sandbox.Raw raw = sandbox.run(job);
        boolean ended = !raw.timedOut() && raw.exitCode() == 0;
        if (script.kind() == RunScript.Kind.HOLDOUT) {
            return held(workspace, raw, ended, job.listener());
        }
        Optional<String> wrong = workspace.wrongSubmission(job.listener().most());
        Validation validation = null;
        if (ended && wrong.isEmpty() && isValidated(script)) {
            try {
                validation = job.listener().validate(workspace.submission());
            } catch (Invalid unusable) {
                wrong = Optional.of("./final/submission.csv cannot be scored: " + unusable.getMessage());
            }
        }
        Execution.Submission submission = wrong.isEmpty() && ended && script.kind().isScored() ? keep(workspace, job.listener()) : null;
        if (submission != null && script.kind() == RunScript.Kind.SUBMISSION) {
            workspace.unreadableSubmission().ifPresent(why -> LOG.warnf("./final/submission.csv is no CSV: %s", why));
        }
        Optional<String> form = Optional.ofNullable(submission).map(Execution.Submission::wrong).map(said -> "./final/submission.csv is " + said);
        EvaluationResult printed = Evaluator.result(raw);
        EvaluationResult result = isValidated(script) ? Evaluator.validated(printed, validation, wrong)
                : script.kind() == RunScript.Kind.SUBMISSION && job.listener().scores() ? Evaluator.validated(printed, null, wrong.or(() -> form))
                : Evaluator.counted(printed, script.kind(), wrong.or(() -> form));
        String bug = Evaluator.bug(result, raw.timedOut(), deadline.length().plusMillis(500).toSeconds()).orElse(null);
        return Execution.of(result, raw.timedOut(), submission, bug);
    }

    private static boolean isValidated(RunScript script) {
        return script.holdout() != null && script.kind() == RunScript.Kind.SOLUTION;
    }

    private static Execution held(Workspace workspace, Sandbox.Raw raw, boolean ended, ScriptListener listener) throws IOException {
        Path folder = workspace.finalFolder().resolve("holdout");
        Execution.Submission kept = ended && Files.isDirectory(folder) ? listener.hold(folder) : null;
        EvaluationResult result = Evaluator.result(raw);
        return Execution.of(result, raw.timedOut(), kept, Evaluator.bug(result, raw.timedOut(), 0).orElse(null));
    }

    /// The last script's submission is the run's; a solution's a last resort.
    private static Execution.Submission keep(Workspace workspace, ScriptListener listener) throws IOException {
        Path file = workspace.submission();
        String key = listener.keep("submission-" + digest(file).substring(0, 12) + ".csv", Files.newInputStream(file));
        return new Execution.Submission(key, Files.size(file), workspace.submissionRows(), listener.wrong(file).orElse(null));
    }

    /// The digest of a file of any size, as [Sha256#hex].
    public static String digest(Path file) throws IOException {
        try (DigestInputStream in = new DigestInputStream(Files.newInputStream(file), Sha256.digest())) {
            in.transferTo(java.io.OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(in.getMessageDigest().digest());
        }
    }
}
