package io.mlestar.adapter.model;

import io.mlestar.adapter.model.Answerer.Asked;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Faults that wait for their requests; each meets one.
final class FaultPlan {
    private record Planned(Predicate<Asked> when, Fault fault) {}

    private final List<Planned> waiting = new ArrayList<>();

    synchronized void add(Predicate<Asked> when, Fault... faults) {
        for (Fault fault : faults) {
            waiting.add(new Planned(when, fault));
        }
    }

    synchronized int left() {
        return waiting.size();
    }

    /// The first that fits; it is used up.
    synchronized Optional<Fault> meets(Asked asked) {
        for (Iterator<Planned> all = waiting.iterator(); all.hasNext();) {
            Planned next = all.next();
            if (next.when().test(asked)) {
                all.remove();
                return Optional.of(next.fault());
            }
        }
        return Optional.empty();
    }
}
