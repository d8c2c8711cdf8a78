package io.mlestar.run;

import io.mlestar.event.Event;
import io.mlestar.event.Publisher;
import io.mlestar.step.StepPath;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Finds what was lost: events that were never sent or never arrived, and processes that died at work. Sends again, which
/// does no harm, since every step is done once only.
public final class Sweep {
    private final Records records;
    private final Publisher publisher;
    private final Clock clock;

    public Sweep(Records records, Publisher publisher, Clock clock) {
        this.records = records;
        this.publisher = publisher;
        this.clock = clock;
    }

    /// Sweeps all runs that have not ended.
    ///
    /// @param patience how long a step may be under way before it is taken for lost; a script has its own timeout besides
    /// @return number of events sent
    public int all(Duration patience) {
        return records.runs().stream().mapToInt(run -> run(run, patience)).sum();
    }

    public int run(String run, Duration patience) {
        StepPath root = StepPath.root(run);
        if (records.header(run).isEmpty() || records.result(root).isPresent()) {
            return 0;
        }
        return records.request(root).map(request -> phase(root, request, patience)).orElse(0);
    }

    /// Goes down the open phases only; a phase none of whose steps is under way was not woken.
    private int phase(StepPath path, StepRequest request, Duration patience) {
        List<Records.Known> open = records.below(path).stream().filter(step -> step.result().isEmpty()).toList();
        if (open.isEmpty()) {
            return send(path, request);
        }
        return open.stream().mapToInt(step -> {
            if (step.request().isPhase()) {
                return phase(step.path(), step.request(), patience);
            }
            return isLost(step.request(), patience) ? send(step.path(), step.request()) : 0;
        }).sum();
    }

    private boolean isLost(StepRequest request, Duration patience) {
        Duration timeout = Duration.ofSeconds(patience.isZero() ? 0 : request.input().path("timeout_seconds").asLong(0));
        return !clock.instant().isBefore(request.askedAt().plus(patience).plus(timeout));
    }

    private int send(StepPath path, StepRequest request) {
        Instant now = clock.instant();
        publisher.publish(Event.work(request.type(), path, "sweep-" + now.toEpochMilli()));
        return 1;
    }
}
