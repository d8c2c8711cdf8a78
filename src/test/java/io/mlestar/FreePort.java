package io.mlestar;

import module java.base;

/// A port for a server that has to be told one.
public final class FreePort {
    private FreePort() {}

    /// One that nobody listens on now.
    public static int any() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }
}
