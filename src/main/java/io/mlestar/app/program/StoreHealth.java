package io.mlestar.app.program;

import io.mlestar.core.records.Records;
import io.mlestar.core.store.StoreUnavailable;
import io.smallrye.health.api.Wellness;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.jboss.logging.Logger;

/// Whether the store answers. Readiness does not depend on it: without the store each process answers 503. Strangers may ask, so the reason goes to the
/// log only, and the store is asked at most every five seconds.
@Wellness
@Singleton
class StoreHealth implements HealthCheck {
    private static final Logger LOG = Logger.getLogger("mle_star");
    private static final Duration FRESH = Duration.ofSeconds(5);
    private static final String NAME = "store";

    private final Records records;
    private final InstantSource clock;
    private Instant asked = Instant.MIN;
    private boolean answers;

    StoreHealth(Records records, InstantSource clock) {
        this.records = records;
        this.clock = clock;
    }

    @Override
    public synchronized HealthCheckResponse call() {
        Instant now = clock.instant();
        if (asked.plus(FRESH).isBefore(now)) {
            answers = ask();
            asked = now;
        }
        return answers ? HealthCheckResponse.up(NAME)
                : HealthCheckResponse.named(NAME).down().withData("reason", "the store is out of reach; the log says why").build();
    }

    private boolean ask() {
        try {
            records.store().read("health");
            return true;
        } catch (StoreUnavailable e) {
            LOG.warnf("the store is out of reach: %s", e.getMessage());
            return false;
        }
    }
}
