package io.mlestar.adapter.broker;

import io.mlestar.core.base.Backoff;
import io.mlestar.core.event.Event;
import io.mlestar.core.event.Functions.Spec;
import io.mlestar.core.event.Functions;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// The subscribers of each event, with their retries. The Triggers of `k8s/base` say the same to a
/// cluster's broker; a test compares.
public record Routes(List<Trigger> triggers) {
    private static final int RETRIES = 10;
    private static final Backoff BACKOFF =
            new Backoff(Duration.ofMillis(200), Duration.ofMinutes(15));
    /// A function's own answer comes before the broker stops to wait for it.
    private static final Duration MARGIN = Duration.ofMinutes(1);
    private static final Subscriber DEAD_LETTERS =
            new Subscriber(Functions.deadLetter().kubernetesName(),
                    "/" + Functions.deadLetter().export());

    public Routes {
        triggers = List.copyOf(triggers);
    }

    /// The receiver of events.
    ///
    /// @param path of the address
    public record Subscriber(String name, String path) {}

    /// Retries and timeout.
    ///
    /// @param retries after the first delivery
    /// @param timeout of one delivery
    /// @param deadLetters gets what could not be delivered; null drops it
    public record Delivery(
            int retries,
            Backoff backoff,
            Duration timeout,
            Subscriber deadLetters) {}

    /// @param filter attributes of the events that the subscriber wants, each with its exact value
    public record Trigger(Map<String, String> filter, Subscriber subscriber, Delivery delivery) {
        public Trigger {
            filter = Map.copyOf(filter);
        }

        /// All events of a type.
        public Trigger(String type, Subscriber subscriber, Delivery delivery) {
            this(Map.of("type", type), subscriber, delivery);
        }

        boolean wants(Event event) {
            return filter.entrySet()
                    .stream()
                    .allMatch(wanted -> wanted.getValue().equals(event.attribute(wanted.getKey())));
        }
    }

    public List<Trigger> of(Event event) {
        return triggers.stream().filter(trigger -> trigger.wants(event)).toList();
    }

    /// Each event to its function: Funqy chooses by the type, whatever the path.
    public static Routes toFunctions() {
        return new Routes(Functions.ALL.stream().map(Routes::trigger).toList());
    }

    private static Trigger trigger(Spec function) {
        return new Trigger(function.type(), new Subscriber(function.kubernetesName(), "/"),
                new Delivery(RETRIES, BACKOFF, function.longestRequest().plus(MARGIN),
                        DEAD_LETTERS));
    }
}
