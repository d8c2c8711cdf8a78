package io.mlestar.core.engine;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.StepPath;
import java.util.List;
import java.util.Random;

/// An engine whose events come in any order, some of them twice, and while scripts run. What it does is the same for the same seed.
abstract class MixedOrder extends OneEngine implements Performer {
    private static final int REPEATED_OF = 10;
    private static final int MEANWHILE = 8;

    private final Random order;
    private final Engine own = new Engine(records, this::take, this, clock, new Watcher() {});

    MixedOrder(long seed) {
        this.order = new Random(seed);
    }

    @Override
    public String promptsDigest() {
        return world.promptsDigest();
    }

    /// What happens while a script of this step runs, until somebody has ended it.
    void meanwhile(StepPath step) {
        while (order.nextInt(MEANWHILE) > 0 && records.result(step).isEmpty()) {
            deliver();
        }
    }

    /// An event for what is being done waits until it is done.
    private void deliver() {
        List<Event> waiting = events.stream().filter(event -> !own.isInFlight(Event.stepOf(event.data()))).toList();
        if (!waiting.isEmpty()) {
            Event next = waiting.get(order.nextInt(waiting.size()));
            if (order.nextInt(REPEATED_OF) > 0) {
                events.remove(next);
            }
            own.work(Event.stepOf(next.data()));
        }
    }

    /// @return the result
    JsonNode runs(String config) {
        own.start(World.header("r", config));
        while (!events.isEmpty()) {
            deliver();
        }
        return store.read("runs/r/result.json").map(Json::parse).orElseThrow();
    }

    List<KnownStep> steps() {
        return records.all(StepPath.root("r")).toList();
    }
}
