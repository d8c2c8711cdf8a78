package io.mlestar.run;

import io.mlestar.event.Event;
import io.mlestar.event.Publisher;
import io.mlestar.step.StepPath;
import io.mlestar.task.Invalid;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/// Finds what was lost: events that were never sent or never arrived, processes that died at work, Jobs that never began. Sends
/// again, which does no harm, since every step is done once only; and gives a step up after some attempts.
public final class Sweep {
    private static final Logger LOG = Logger.getLogger("mle_star");
    private static final int MOST_ATTEMPTS = 3;

    private final Records records;
    private final Publisher publisher;
    private final Engine engine;
    private final Clock clock;
    private final Set<String> ended = ConcurrentHashMap.newKeySet();

    public Sweep(Records records, Publisher publisher, Engine engine, Clock clock) {
        this.records = records;
        this.publisher = publisher;
        this.engine = engine;
        this.clock = clock;
    }

    /// Sweeps all runs that have not ended.
    ///
    /// @param patience how long a step may be under way before it is taken for lost; a script has its own timeout besides
    /// @return number of events sent
    public int all(Duration patience) {
        int sent = 0;
        for (String run : records.runs()) {
            try {
                sent += run(run, patience);
            } catch (Invalid e) {
                LOG.debugf("run %s is left alone: %s", run, e.getMessage());
            }
        }
        return sent;
    }

    /// @param patience zero if nothing of the run can be under way anywhere
    /// @throws Invalid if this program may not go on with the run
    public int run(String run, Duration patience) {
        StepPath root = StepPath.root(run);
        if (ended.contains(run) || records.header(run).isEmpty()) {
            return 0;
        }
        if (records.result(root).isPresent()) {
            if (!records.isAnnounced(run)) {
                engine.work(root);
            }
            ended.add(run);
            return 0;
        }
        engine.checkPrompts(engine.header(run));
        return records.request(root).map(request -> phase(root, request, patience)).orElse(0);
    }

    /// Goes down the open phases only; a phase none of whose steps is under way was not woken.
    private int phase(StepPath path, StepRequest request, Duration patience) {
        List<Records.Known> open = records.below(path).stream().filter(step -> step.result().isEmpty()).toList();
        if (open.isEmpty()) {
            return sendNow(path, request);
        }
        return open.stream().mapToInt(step -> {
            if (step.request().isPhase()) {
                return phase(step.path(), step.request(), patience);
            }
            return patience.isZero() ? sendNow(step.path(), step.request()) : sendIfLost(step.path(), step.request(), patience);
        }).sum();
    }

    /// Once per attempt, whoever sweeps: an event too many would make a second pod do the step beside the first.
    private int sendIfLost(StepPath path, StepRequest request, Duration patience) {
        Duration most = patience.plusSeconds(request.input().path("timeout_seconds").asLong(0));
        Instant now = clock.instant();
        Instant last = request.askedAt();
        for (int attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
            Optional<Instant> sent = records.sentAgain(path, attempt);
            if (sent.isEmpty()) {
                if (now.isBefore(last.plus(most)) || !records.sendAgain(path, attempt, now)) {
                    return 0;
                }
                publisher.publish(Event.work(request.type(), path, "attempt" + attempt));
                return 1;
            }
            last = sent.get();
        }
        if (!now.isBefore(last.plus(most))) {
            engine.fail(path, String.format(Locale.ROOT, "it was sent %d times and nothing came back within %d s each time",
                    MOST_ATTEMPTS + 1, most.toSeconds()));
        }
        return 0;
    }

    private int sendNow(StepPath path, StepRequest request) {
        publisher.publish(Event.work(request.type(), path, "sweep-" + clock.instant().toEpochMilli()));
        return 1;
    }
}
