package io.mlestar.core.engine;

import module java.base;

/// The GPUs, slots or nodes for scripts, by the virtual clock: first come, first served.
public final class Slots {
    private final VirtualTime time;
    private final VirtualTime.Bell bell;
    private int free;

    /// @param number how many scripts can run at once, at least 1
    public Slots(VirtualTime time, int number) {
        this.time = time;
        this.bell = time.bell();
        this.free = number;
    }

    /// Waits for one.
    ///
    /// @return false if there was none by `latest`
    public boolean take(Instant latest) {
        while (free == 0) {
            if (!time.instant().isBefore(latest)) {
                return false;
            }
            try {
                bell.await(latest);
            } catch (VirtualTime.Died e) {
                pass();
                throw e;
            }
        }
        free--;
        return true;
    }

    /// Gives one back.
    public void give() {
        free++;
        pass();
    }

    private void pass() {
        if (free > 0) {
            bell.ring();
        }
    }
}
