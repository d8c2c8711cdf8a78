package io.mlestar;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import module java.base;
import javax.net.ssl.SSLContext;

/// An HTTP server of a test on this machine, on a free port. Each request has a thread of its own.
public final class LocalServer implements AutoCloseable {
    static {
        // Else the JDK's server holds an answer's body back until its head is acknowledged, which
        // takes 40 ms: no real server does that.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;

    private LocalServer(HttpServer server, HttpHandler handler) throws IOException {
        this.server = server;
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(workers);
        server.createContext("/", handler);
        server.start();
    }

    public static LocalServer start(HttpHandler handler) throws IOException {
        return new LocalServer(HttpServer.create(), handler);
    }

    public static LocalServer startEncrypted(SSLContext certificates, HttpHandler handler) throws IOException {
        HttpsServer server = HttpsServer.create();
        server.setHttpsConfigurator(new HttpsConfigurator(certificates));
        return new LocalServer(server, handler);
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /// The address at which clients find it; no slash at the end.
    public String address() {
        return (server instanceof HttpsServer ? "https" : "http") + "://127.0.0.1:" + port();
    }

    /// Hands what comes below a path to another handler.
    public void serve(String path, HttpHandler handler) {
        server.createContext(path, handler);
    }

    @Override
    public void close() {
        server.stop(0);
        workers.shutdownNow();
    }
}
