package io.mlestar.show.log;

import io.mlestar.core.phase.EnsemblePhase;
import io.mlestar.core.phase.Finalization;
import io.mlestar.core.phase.FirstPhase;
import io.mlestar.core.phase.Pipeline;
import io.mlestar.core.phase.Refinement;
import io.mlestar.core.phase.ScriptSearch;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Arithmetic;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.Step;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.Results.FinalResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntSupplier;
import org.jboss.logging.Logger;

/// Writes the log tables of the requirements: what is asked, begun and found out, logged when its
/// record is stored. A replay stores nothing twice, so it logs nothing twice.
public final class StepLog implements Watcher {
    private static final Logger LOG = Logger.getLogger("mle_star");
    private final IntSupplier slots;

    /// @param slots how many scripts can run at once; read when a run begins
    public StepLog(IntSupplier slots) {
        this.slots = slots;
    }

    @Override
    public void asked(RunHeader run, StepPath path, StepRequest request) {
        Step<?> step = request.step(path.plainName());
        if (step instanceof Pipeline) {
            checkSlots(run);
        }
        marker(step, LOG);
        LOG.debugf("event=asked step=%s work=%s", path, request.work());
        asked(run, path, step).forEach(line -> line.write("asked", path));
    }

    /// Paths that share a slot wait for each other (REQ-OR-056).
    private void checkSlots(RunHeader run) {
        int paths = run.config().search().numParallelSolutions();
        int most = slots.getAsInt();
        if (most < paths) {
            LOG.warnf("run %s: %d refinement paths share %d %s for scripts", run.runId(), paths,
                    most,
                    most == 1 ? "slot" : "slots");
        }
    }

    /// The boundaries of the phases (REQ-OR-047); all paths together are one phase.
    private static void marker(Step<?> step, Logger log) {
        switch (step) {
            case FirstPhase phase1 -> log.info("=== Phase 1: Initial Solution Generation ===");
            case Refinement path when path.path() == 0 -> log.info("=== Phase 2: Refinement ===");
            case ScriptSearch phase2 -> log.info("=== Phase 2: Search ===");
            case EnsemblePhase phase3 -> log.info("=== Phase 3: Ensemble ===");
            case Finalization last -> log.info("=== Finalization ===");
            default -> {}
        }
    }

    @Override
    public void started(RunHeader run, StepPath path, StepRequest request) {
        Step<?> step = request.step(path.plainName());
        if (step instanceof RunScript script) {
            LogLine.debug("script-written")
                    .with("path", script.filename())
                    .with("length", script.content().length())
                    .write("written", path);
        }
        started(run, path, step).write("started", path);
    }

    @Override
    public void unreadable(RunHeader run, StepPath path, String reason) {
        LogLine.warn("unreadable")
                .with("agent", path.plainName())
                .raw(" reason=\"" + reason.strip().replaceAll("\\s+", " ") + "\"")
                .write("unreadable", path);
    }

    @Override
    public void ended(RunHeader run, StepPath path, StepRequest request, StepResult result) {
        Step<?> step = request.step(path.plainName());
        List<LogLine> lines = new ArrayList<>(lines(run, path, request, step, result));
        lines.set(0,
                lines.getFirst()
                        .raw(String.format(Locale.ROOT, " status=%s duration=%.3f cost_usd=%s",
                                result.status().name().toLowerCase(Locale.ROOT),
                                result.took().toMillis() / 1000.0, result.costUsd())));
        lines.forEach(line -> line.write("ended", path));
        if (result.ending() instanceof StepResult.Done done && request.isAgent()
                && LOG.isDebugEnabled()) {
            LOG.debugf("prompt of %s:%n%s%nanswer:%n%s", path, done.answer().prompt(),
                    done.answer().text());
        }
    }

    @Override
    public void published(RunHeader run, FinalResult result) {
        FinalLines.of(result).forEach(line -> line.write("published", run.root()));
    }

    @Override
    public void failed(RunHeader run, String reason) {
        LogLine.error("run-failed")
                .with("reason", reason)
                .write("published", run.root());
    }

    private static List<LogLine> asked(RunHeader run, StepPath path, Step<?> step) {
        return switch (step) {
            case Agent<?> agent -> AgentLines.asked(run, path, agent);
            case RunScript script -> List.of();
            case Arithmetic<?> arithmetic -> List.of();
            case Phase<?> phase -> PhaseLines.asked(run, phase);
        };
    }

    private static LogLine started(RunHeader run, StepPath path, Step<?> step) {
        return switch (step) {
            case Agent<?> agent -> AgentLines.started(run, path, agent);
            case RunScript script -> ScriptLines.started(script);
            case Arithmetic<?> arithmetic ->
                LogLine.info("arithmetic-start").with("kind", arithmetic.name());
            case Phase<?> phase ->
                throw new IllegalArgumentException(
                        path + " is a phase, which has no start of its own");
        };
    }

    private static <R> LogLine computed(Arithmetic<R> arithmetic, StepResult.Done done) {
        return LogLine.info("arithmetic-complete")
                .with("kind", arithmetic.name())
                .with("says", arithmetic.summary(done.of(arithmetic.resultType())));
    }

    private static List<LogLine> lines(
            RunHeader run,
            StepPath path,
            StepRequest request,
            Step<?> step,
            StepResult result) {
        return switch (result.ending()) {
            case StepResult.Unfinished missed -> PhaseLines.missed(run, path, step, missed);
            case StepResult.Done done -> switch (step) {
                case Agent<?> agent -> AgentLines.answered(path, agent, done.answer());
                case RunScript script -> ScriptLines.ended(script, done.execution());
                case Arithmetic<?> arithmetic -> List.of(computed(arithmetic, done));
                case Phase<?> phase -> PhaseResultLines.of(request, phase, done.of(phase),
                        Duration.between(request.askedAt(), result.endedAt()).toMillis() / 1000.0);
            };
        };
    }
}
