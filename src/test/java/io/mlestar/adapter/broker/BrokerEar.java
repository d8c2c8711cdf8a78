package io.mlestar.adapter.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Waiting;
import io.mlestar.core.event.Event;
import module java.base;

/// Hears what the broker says of the events of one step.
record BrokerEar(String subject, BlockingQueue<String> told) implements EmbeddedBroker.Listener {
    BrokerEar(String subject) {
        this(subject, new LinkedBlockingQueue<>());
    }

    private void tell(String what, Event event) {
        if (event.subject().equals(subject)) {
            told.add(what);
        }
    }

    /// Waits for all of it, and nothing else may have been said.
    void assertTold(String... all) throws InterruptedException {
        for (String what : all) {
            assertThat(told.poll(Waiting.MOST.toSeconds(), TimeUnit.SECONDS)).isEqualTo(what);
        }
        assertThat(told).isEmpty();
    }

    @Override
    public void published(Event event) {
        tell("published", event);
    }

    @Override
    public void delivered(Event event) {
        tell("delivered", event);
    }

    @Override
    public void retried(Event event) {
        tell("retried", event);
    }

    @Override
    public void buried(Event event) {
        tell("buried", event);
    }

    @Override
    public void lost(Event event) {
        tell("lost", event);
    }
}
