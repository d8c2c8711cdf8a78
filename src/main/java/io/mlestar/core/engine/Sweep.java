package io.mlestar.core.engine;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.engine.RunTrouble.Delay;
import io.mlestar.core.engine.RunTrouble.TroubleKind;
import io.mlestar.core.event.Publisher;
import io.mlestar.core.records.CurrentLimits;
import io.mlestar.core.records.Invocations.Invocation;
import io.mlestar.core.records.Invocations;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.steering.Allowance;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.DamagedRecord;
import io.mlestar.core.store.NewerRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/// Finds what was lost: events that were never sent or never arrived, processes that died, Jobs
/// that never began. Sends events again, which is harmless, since steps are idempotent; gives up on
/// a step whose attempts die again and again; and ends the steps whose deadline has passed, or that
/// need a damaged record.
public final class Sweep {
    private static final Logger LOG = Logger.getLogger("mle_star");
    private static final int MOST_DEATHS = 3;
    /// The sweep ends a step so long after its deadline: a process that is still doing it would
    /// have ended it by then.
    static final Duration SLACK = Duration.ofSeconds(10);

    private final Records records;
    private final Publisher publisher;
    private final Engine engine;
    private final InstantSource clock;
    private final Set<String> ended = ConcurrentHashMap.newKeySet();
    private final Set<String> leftAlone = ConcurrentHashMap.newKeySet();

    /// Runs with which a person may have to do something, as they were at their last sweep.
    private final Map<String, RunTrouble> troubles = new ConcurrentHashMap<>();

    /// One sweep of a run.
    ///
    /// @param limits of the run
    /// @param delays of its open steps
    private record Inspection(CurrentLimits limits, Duration patience, List<Delay> delays) {}

    public Sweep(Records records, Publisher publisher, Engine engine, InstantSource clock) {
        this.records = records;
        this.publisher = publisher;
        this.engine = engine;
        this.clock = clock;
    }

    /// Sweeps all runs that have not ended.
    ///
    /// @param patience how long a step may be in flight before it counts as lost; a script that
    ///   another worker began has its own time limit in addition
    /// @return number of events sent
    public int all(Duration patience) {
        int sent = 0;
        for (String run : records.runs()) {
            try {
                sent += run(run, patience);
            } catch (Invalid | DamagedRecord | NewerRecord e) {
                if (leftAlone.add(run)) {
                    LOG.warnf("run %s is left alone: %s", run, e.getMessage());
                }
            }
        }
        return sent;
    }

    /// @param patience zero if no step of the run can be in flight anywhere
    /// @throws Invalid if this program may not continue the run
    public int run(String run, Duration patience) {
        StepPath root = StepPath.root(run);
        if (ended.contains(run) || records.header(run).isEmpty()) {
            return 0;
        }
        Optional<StepResult> result = records.result(root);
        if (result.isPresent()) {
            if (!records.isAnnounced(run)) {
                engine.work(root);
            }
            ended.add(run);
            note(run, RunTrouble.ofEnded(result.get()));
            return 0;
        }
        Inspection inspection = inspection(run, patience);
        int sent = orFail(root, patience,
                () -> records.request(root)
                        .map(request -> phase(inspection, root, request))
                        .orElse(0));
        note(run, RunTrouble.ofOpen(records.marks(run).halt().isPresent(), inspection.delays()));
        return sent;
    }

    private void note(String run, Optional<RunTrouble> trouble) {
        trouble.ifPresentOrElse(found -> troubles.put(run, found), () -> troubles.remove(run));
    }

    /// Counts the troubles that may need a person, by kind, in the runs that this process has
    /// swept.
    public Map<TroubleKind, Integer> troubles() {
        return RunTrouble.sums(troubles.values(), clock.instant());
    }

    private Inspection inspection(String run, Duration patience) {
        Allowance allowance = Allowance.of(records.store(), run, records.marks(run));
        return new Inspection(allowance.onto(engine.header(run)), patience, new ArrayList<>());
    }

    /// A step that needs a damaged record fails, so that the run comes to an end. Before any step
    /// is in flight the damage is reported instead: the record may still be restored.
    private int orFail(StepPath path, Duration patience, IntSupplier look) {
        try {
            return look.getAsInt();
        } catch (DamagedRecord damaged) {
            if (patience.isZero()) {
                throw damaged;
            }
            engine.fail(path, damaged.getMessage());
            return 0;
        }
    }

    /// Visits the open phases only; a phase without an open step was not woken.
    private int phase(Inspection inspection, StepPath path, StepRequest request) {
        List<KnownStep> open =
                records.below(path).stream().filter(step -> step.result().isEmpty()).toList();
        if (open.isEmpty()) {
            return sendNow(path, request);
        }
        return open.stream().mapToInt(step -> step(inspection, step.path(), step.request())).sum();
    }

    private int step(Inspection inspection, StepPath path, StepRequest request) {
        if (request.isPhase()) {
            return orFail(path, inspection.patience(), () -> phase(inspection, path, request));
        }
        if (!clock.instant().isBefore(Gate.end(inspection.limits(), request).plus(SLACK))) {
            engine.stop(inspection.limits(), path, request);
            return 1;
        }
        return orFail(path, inspection.patience(),
                () -> inspection.patience().isZero()
                        ? sendNow(path, request)
                        : sendIfLost(inspection, path, request));
    }

    /// Sends one event per attempt, however many processes sweep: another would make a second pod
    /// do the step beside the first. Patience counts from the last beginning or event; a script
    /// that another worker began has its own time in addition. A step that never began (a pod that
    /// waits for a node) is not given up.
    private int sendIfLost(Inspection inspection, StepPath path, StepRequest request) {
        Instant now = clock.instant();
        if (engine.isInFlight(path)) {
            inspection.delays().add(Delay.NONE);
            return 0;
        }
        Invocations invocations = records.invocations();
        List<Invocation> attempts = invocations.of(path);
        Invocation last = attempts.isEmpty() ? null : attempts.getLast();
        Instant asked = last == null ? request.askedAt() : last.at();
        // A step that this very worker began would be in flight now, so that attempt died.
        boolean mayRun = last != null && last.isOpen() && !last.worker().equals(engine.worker());
        Duration most = mayRun && request.step(path.plainName()) instanceof RunScript script
                ? StepExecutor.longest(inspection.limits(), request, script, asked)
                        .plus(inspection.patience())
                : inspection.patience();
        inspection.delays()
                .add(new Delay(Duration.between(asked.plus(mayRun ? most : Duration.ZERO), now),
                        request.isScript() && last == null));
        List<Instant> sent = invocations.sentAgain(path);
        Instant since = Stream.concat(sent.stream(), Stream.of(asked))
                .max(Comparator.naturalOrder())
                .orElseThrow();
        if (!Invocations.isOver(since, most, now)) {
            return 0;
        }
        long deaths = attempts.stream().filter(Invocation::isOpen).count();
        if (deaths > MOST_DEATHS) {
            engine.fail(path, "it was begun " + deaths + " times and nothing came back");
            return 0;
        }
        int number = sent.size() + 1;
        if (!invocations.sendAgain(path, number, now)) {
            return 0;
        }
        publisher.publish(request.event(path, "attempt" + number));
        return 1;
    }

    private int sendNow(StepPath path, StepRequest request) {
        publisher.publish(request.event(path, "sweep-" + clock.instant().toEpochMilli()));
        return 1;
    }
}
