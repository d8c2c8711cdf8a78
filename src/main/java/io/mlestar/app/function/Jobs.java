package io.mlestar.app.function;

import io.mlestar.core.base.Backoff;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Unavailable;
import io.mlestar.core.engine.Engine;
import io.mlestar.core.event.StepLabels;
import io.mlestar.core.step.StepPath;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/// Runs script steps beside the requests that bring them, as a cluster's Jobs do; tries again while
/// the store is out of reach.
@Singleton
class Jobs {
    private static final Logger LOG = Logger.getLogger("mle_star.jobs");
    private static final Backoff BACKOFF =
            new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));

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
                    StepLabels.during(step, () -> tryTo(step, engine::work));
                } finally {
                    running.remove(step);
                }
            });
        }
    }

    /// A store or a broker that is out of reach comes back, and then what was found out is not
    /// lost.
    private void tryTo(StepPath step, Consumer<StepPath> work) {
        for (int attempt = 1;; attempt++) {
            try {
                work.accept(step);
                return;
            } catch (Invalid e) {
                LOG.warnf("job %s is refused: %s", step, e.getMessage());
                return;
            } catch (Unavailable e) {
                LOG.warnf("try %d of job %s failed: %s", attempt, step, e.getMessage());
                if (!Backoff.sleep(BACKOFF.jittered(attempt))) {
                    return;
                }
            } catch (RuntimeException e) {
                LOG.errorf(e, "job %s is given up; the sweep will find it", step);
                return;
            } catch (Error e) {
                // Most likely too little memory for what the script left. It would be too little
                // again.
                LOG.errorf(e, "job %s has failed", step);
                tryTo(step, failed -> engine.fail(failed, "the program could not finish it: " + e));
                return;
            }
        }
    }
}
