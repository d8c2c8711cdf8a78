package io.mlestar.store;

import java.util.Objects;

/// An object of the store is there and is not what it should be: cut off, overwritten, or written by something else. To try again
/// does not help. It is the fault of one run; the others are not concerned.
public final class DamagedRecord extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String reason;

    public DamagedRecord(String key, String reason) {
        super("record " + key + " cannot be read: " + reason + "; put a whole copy in its place, or begin another run");
        this.reason = reason;
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }

    /// What is wrong with it, without its key.
    public String reason() {
        return reason;
    }
}
