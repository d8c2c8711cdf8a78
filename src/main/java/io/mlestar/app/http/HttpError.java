package io.mlestar.app.http;

/// A request that is refused, with a reason for its sender.
public final class HttpError extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int status;

    /// @param status of HTTP; 4xx unless the same request may succeed later
    public HttpError(int status, String message) {
        super(message);
        this.status = status;
    }

    public int status() {
        return status;
    }
}
