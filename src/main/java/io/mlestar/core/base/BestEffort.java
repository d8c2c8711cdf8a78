package io.mlestar.core.base;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Runs what only reports on a run: its report, drawings, log, progress and metrics. A failure
/// there, whatever it is, is a warning of one line. It neither ends the run nor changes its exit
/// code.
///
/// @param warnings receives the line
/// @param retries whether an [Unavailable] is passed on, since the whole call is made again once
///   the store is back
public record BestEffort(Consumer<String> warnings, boolean retries) {
    private static final Logger LOG = Logger.getLogger("mle_star");
    private static final int LONGEST = 400;

    /// Warns in the log.
    public static final BestEffort LOGGED = new BestEffort(LOG::warn, false);
    /// Warns in the log, and passes an [Unavailable] on.
    public static final BestEffort RETRIED = new BestEffort(LOG::warn, true);

    /// @param what the beginning of the warning, as "Progress failed"
    public void run(String what, Runnable report) {
        Optional<Boolean> _ = get(what, () -> {
            report.run();
            return true;
        });
    }

    /// @return what the report gives; empty if it failed
    public <T> Optional<T> get(String what, Supplier<? extends @Nullable T> report) {
        try {
            return Optional.ofNullable(report.get());
        } catch (Unavailable e) {
            if (retries) {
                throw e;
            }
            warn(what, e);
        } catch (RuntimeException | Error e) {
            warn(what, e);
        }
        return Optional.empty();
    }

    private void warn(String what, Throwable failure) {
        String reason = failure.getMessage() == null
                ? failure.getClass().getSimpleName()
                : failure.getMessage();
        try {
            LOG.debugf(failure, "%s", what);
            warnings.accept(what + ": " + Excerpt.line(reason, LONGEST));
        } catch (RuntimeException | Error _) {
            // There is nothing left to say it with.
            return;
        }
    }
}
