package io.mlestar.adapter.script;

import io.mlestar.adapter.script.isolation.ScriptRules;
import io.mlestar.adapter.script.isolation.Workspace;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Sha256;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepStopped;
import io.mlestar.core.step.Window;
import io.mlestar.core.task.EvaluationResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.jboss.logging.Logger;

/// Runs script steps, each in a fresh folder that is deleted afterwards; as many at once as the sandbox has slots.
public final class ScriptRunner {
    /// Takes what a script gives: its submission, and what it prints while it runs.
    @FunctionalInterface
    public interface Keeper {
        /// @param name made from the content: the same content gets the same name
        /// @return the key under which it was stored
        String keep(String name, InputStream content);

        /// The script has begun.
        ///
        /// @param output the last bytes of what it has printed, as many as asked for
        default void printing(IntFunction<String> output) {}

        /// What is wrong with the form of a submission; empty if nothing is, or nothing shows the form.
        ///
        /// @param rows without the header
        default Optional<String> wrong(Path submission, long rows) {
            return Optional.empty();
        }

        /// Most bytes that a submission may have.
        default long most() {
            return 256L << 20;
        }
    }

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
    /// @param beside how many scripts of its run can be running at once, this one included; asked if more than one can
    /// @param begin called when it has its slot and its folder
    /// @param meanwhile called before the script begins and at each pulse of the sandbox while it runs; what it throws ends the script
    /// @throws StepStopped if there was no slot in time
    public Execution run(RunScript script, Path data, Window window, IntSupplier beside, Keeper keeper, Runnable begin, Runnable meanwhile) {
        contenders.incrementAndGet();
        try {
            Duration patience = Duration.between(clock.instant(), window.latestStart());
            Integer slot = slots.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
            if (slot == null) {
                throw new StepStopped("it waited for one of " + sandbox.slots() + " slots for scripts until its time was over");
            }
            try {
                meanwhile.run();
                Turn turn = turn(script, window);
                Workspace workspace = Workspace.over(scratch.folder(), data);
                try {
                    begin.run();
                    return run(workspace, script, data, turn, allotment(script, slot, beside), keeper, meanwhile);
                } finally {
                    remove(workspace);
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

    /// Runs a script outside any run, and keeps nothing of what it leaves.
    ///
    /// @throws StepStopped if there was no slot within the time that the script itself may take
    public Execution runAlone(RunScript script, Path data) {
        Instant latest = clock.instant().plusSeconds(script.timeoutSeconds());
        return run(script, data, new Window(latest, latest.plusSeconds(script.timeoutSeconds())), () -> 1, (name, content) -> name, () -> {}, () -> {});
    }

    /// There may be scripts of other runs.
    private ResourceShare allotment(RunScript script, int slot, IntSupplier beside) {
        int slots = sandbox.slots();
        return script.kind().isProbe() ? sandbox.machine().probed(slot, slots)
                : sandbox.machine().allotment(slot, slots, slots == 1 ? 1 : Math.max(beside.getAsInt(), contenders.get()));
    }

    /// A submission's script is the last one: there is nobody left to share with.
    private Turn turn(RunScript script, Window window) {
        return new Turn(clock, window, Duration.ofSeconds(script.timeoutSeconds()), sandbox.slots(),
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

    private Execution run(Workspace workspace, RunScript script, Path data, Turn turn, ResourceShare allotment, Keeper keeper,
            Runnable meanwhile) throws IOException, InterruptedException {
        String filename = script.filename();
        try {
            Path written = workspace.write(script.content(), filename);
            LOG.infof("%s, %d characters, runs in %s for at most %d s", written, script.content().length(), workspace.folder(), turn.allowed().toSeconds());
        } catch (Invalid refusal) {
            EvaluationResult refused = Evaluator.refused(refusal);
            return new Execution.Crashed(refused, String.valueOf(refused.errorTraceback()));
        }
        if (!script.kind().isProbe()) {
            ScriptRules.errorMasking(script.content()).forEach(LOG::warn);
        }
        if (script.kind() == RunScript.Kind.MACHINE) {
            // The first of a run.
            sandbox.asRoot(workspace.folder(), Optional.of(data.toRealPath())).ifPresent(LOG::warn);
        }
        Sandbox.Raw raw = sandbox.run(workspace, data, filename, turn::allowed, allotment, keeper::printing, meanwhile);
        Optional<String> wrong = workspace.wrongSubmission(keeper.most());
        Execution.Submission submission = wrong.isEmpty() && !raw.timedOut() && raw.exitCode() == 0 && script.kind().isScored()
                ? keep(workspace, keeper) : null;
        if (submission != null && script.kind() == RunScript.Kind.SUBMISSION) {
            workspace.unreadableSubmission().ifPresent(why -> LOG.warnf("./final/submission.csv is no CSV: %s", why));
        }
        Optional<String> form = Optional.ofNullable(submission).map(Execution.Submission::wrong).map(said -> "./final/submission.csv is " + said);
        EvaluationResult result = Evaluator.counted(Evaluator.result(raw), script.kind(), wrong.or(() -> form));
        String bug = Evaluator.bug(result, raw.timedOut(), turn.length().plusMillis(500).toSeconds()).orElse(null);
        return Execution.of(result, raw.timedOut(), submission, bug);
    }

    /// The last script's submission is the run's; a solution's a last resort.
    private static Execution.Submission keep(Workspace workspace, Keeper keeper) throws IOException {
        Path file = workspace.submission();
        String key = keeper.keep("submission-" + digest(file).substring(0, 12) + ".csv", Files.newInputStream(file));
        long rows = workspace.submissionRows();
        return new Execution.Submission(key, Files.size(file), rows, keeper.wrong(file, rows).orElse(null));
    }

    private static String digest(Path file) throws IOException {
        try (DigestInputStream in = new DigestInputStream(Files.newInputStream(file), Sha256.digest())) {
            in.transferTo(java.io.OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(in.getMessageDigest().digest());
        }
    }
}
