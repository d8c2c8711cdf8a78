package io.mlestar.function;

import io.mlestar.event.StepLabels;
import io.mlestar.run.Engine;
import io.mlestar.step.StepPath;
import io.mlestar.task.Invalid;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/// Runs script steps beside the requests that bring them, as a cluster's Jobs do; tries again when the store is out of reach.
@Singleton
class Jobs {
    private static final Logger LOG = Logger.getLogger("mle_star.jobs");
    private static final int TRIES = 5;

    private final Engine engine;
    private final Set<StepPath> running = ConcurrentHashMap.newKeySet();

    Jobs(Engine engine) {
        this.engine = engine;
    }

    /// Starts the job, unless it is running already.
    void run(StepPath step) {
        if (running.add(step)) {
            Thread.ofPlatform().daemon().name("job " + step).start(() -> {
                try {
                    StepLabels.during(step, () -> tryTo(step));
                } finally {
                    running.remove(step);
                }
            });
        }
    }

    private void tryTo(StepPath step) {
        for (int attempt = 1; attempt <= TRIES; attempt++) {
            try {
                engine.work(step);
                return;
            } catch (Invalid e) {
                LOG.warnf("job %s is refused: %s", step, e.getMessage());
                return;
            } catch (RuntimeException e) {
                LOG.warnf(e, "try %d of job %s failed", attempt, step);
                if (!pause(Duration.ofSeconds(1L << (attempt - 1)))) {
                    return;
                }
            }
        }
        LOG.errorf("job %s is given up; the sweep will find it", step);
    }

    private static boolean pause(Duration length) {
        try {
            Thread.sleep(length);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
