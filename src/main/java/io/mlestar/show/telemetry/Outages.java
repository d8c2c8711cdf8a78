package io.mlestar.show.telemetry;

import io.mlestar.adapter.model.ModelCallListener;
import io.mlestar.core.step.StepPath;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Prints a line when a provider does not answer, and one when it answers again. Calls that fail
/// together are one outage: at most one line per second and provider.
public final class Outages implements ModelCallListener {
    private static final Duration BETWEEN_LINES = Duration.ofSeconds(1);

    private final Consumer<String> lines;
    private final InstantSource clock;
    /// The time of the last line about each provider that does not answer.
    private final Map<String, Instant> down = new HashMap<>();

    public Outages(Consumer<String> lines, InstantSource clock) {
        this.lines = lines;
        this.clock = clock;
    }

    @Override
    public void retried(Optional<StepPath> step, String provider, String reason, String said) {
        failed(provider, said);
    }

    @Override
    public void givenUp(Optional<StepPath> step, String provider, String said) {
        failed(provider, said);
    }

    private synchronized void failed(String provider, String said) {
        Instant now = clock.instant();
        Instant last = down.get(provider);
        if (last == null || !now.isBefore(last.plus(BETWEEN_LINES))) {
            down.put(provider, now);
            lines.accept(said);
        }
    }

    @Override
    public synchronized void answered(Optional<StepPath> step, String provider) {
        if (down.remove(provider) != null) {
            lines.accept(provider + " answers again");
        }
    }
}
