package io.mlestar.store;

/// The store cannot be reached, is full, or refuses us: not the fault of the work, and worth another try later.
public final class StoreUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StoreUnavailable(String message, Throwable cause) {
        super(message, cause);
    }
}
