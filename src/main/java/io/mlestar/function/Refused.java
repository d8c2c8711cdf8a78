package io.mlestar.function;

/// A request that is not taken, and why, fit to be shown to whoever sent it.
final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int status;

    /// @param status of HTTP; 4xx unless the same request may succeed later
    Refused(int status, String message) {
        super(message);
        this.status = status;
    }

    int status() {
        return status;
    }
}
