package io.mlestar.core.engine;

import io.mlestar.core.store.StoreUnavailable;
import java.util.function.BooleanSupplier;

/// Interrupts the thread that made it once a run is cancelled: its answer would not be used
/// (REQ-OR-030).
final class CancelWatch {
    private static final long LOOK_MILLIS = 2_000;

    private final Thread caller = Thread.currentThread();
    private final Thread watch;
    private boolean over;
    private boolean interrupted;

    CancelWatch(BooleanSupplier isCancelled) {
        this.watch = Thread.ofVirtual().start(() -> look(isCancelled));
    }

    private void look(BooleanSupplier isCancelled) {
        try {
            while (true) {
                Thread.sleep(LOOK_MILLIS);
                if (isCancelledNow(isCancelled)) {
                    interrupt();
                    return;
                }
            }
        } catch (InterruptedException e) {
            // The call is over.
        }
    }

    private static boolean isCancelledNow(BooleanSupplier isCancelled) {
        try {
            return isCancelled.getAsBoolean();
        } catch (StoreUnavailable e) {
            return false;
        }
    }

    private synchronized void interrupt() {
        if (!over) {
            interrupted = true;
            caller.interrupt();
        }
    }

    /// Ends the watch, and takes the interruption back so that what was found out can be stored.
    /// May be called again.
    ///
    /// @return whether the call was interrupted
    synchronized boolean end() {
        if (!over) {
            over = true;
            watch.interrupt();
            if (interrupted) {
                Thread.interrupted();
            }
        }
        return interrupted;
    }
}
