package io.mlestar.cluster;

import io.mlestar.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// A Knative Service with at most one pod: a process of the built program that is started when the first request comes for it, and again
/// after it was killed or had nothing to do. A request waits for a pod that starts (knative/serving 1.15 to 1.23, `pkg/activator`).
final class Pod {
    /// Between SIGTERM and SIGKILL (Kubernetes, `terminationGracePeriodSeconds`).
    private static final Duration GRACE = Duration.ofSeconds(30);

    private final Path folder;
    private final List<String> command;
    private final Supplier<Map<String, String>> environment;
    private Process process;
    private int port;
    private int starts;
    private int busy;
    private long idleSince = System.nanoTime();

    /// @param folder for its log
    /// @param command that its image starts
    /// @param environment of the next process
    Pod(Path folder, List<String> command, Supplier<Map<String, String>> environment) {
        this.folder = folder;
        this.command = command;
        this.environment = environment;
    }

    /// Where it listens, once it does.
    synchronized URI address(String path) throws IOException, InterruptedException {
        if (process == null || !process.isAlive()) {
            start();
        }
        return URI.create("http://127.0.0.1:" + port + path);
    }

    /// Where it listens, once it does, for one request, which has to [#leave].
    synchronized URI enter(String path) throws IOException, InterruptedException {
        URI address = address(path);
        busy++;
        return address;
    }

    synchronized void leave() {
        busy--;
        idleSince = System.nanoTime();
    }

    /// SIGTERM if no request was under way for as long: the autoscaler goes by requests and knows of no other work (knative/serving 1.15 to 1.23,
    /// `pkg/autoscaler`).
    ///
    /// @return whether it was
    synchronized boolean stopIfIdle(Duration window) throws InterruptedException {
        boolean idle = process != null && process.isAlive() && busy == 0 && System.nanoTime() - idleSince > window.toNanos();
        if (idle) {
            end(process);
        }
        return idle;
    }

    /// As a new revision does: whatever comes from now on goes to a new pod, while the old one ends what it is doing.
    synchronized void rollOut() {
        Process old = process;
        process = null;
        if (old != null) {
            Thread.startVirtualThread(() -> {
                try {
                    end(old);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
    }

    private static void end(Process process) throws InterruptedException {
        process.toHandle().destroy();
        if (!process.waitFor(GRACE.toSeconds(), TimeUnit.SECONDS)) {
            kill(process);
        }
    }

    private void start() throws IOException, InterruptedException {
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Map<String, String> here = new HashMap<>(environment.get());
        here.putAll(Map.of("QUARKUS_HTTP_HOST", "127.0.0.1", "QUARKUS_HTTP_PORT", Integer.toString(port)));
        process = program(command, folder.resolve("pod-" + starts++ + ".log"), here);
        Waiting.until("it listens", () -> listens() || !process.isAlive());
    }

    private boolean listens() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /// kill -9.
    ///
    /// @return false if it did not run
    synchronized boolean kill() throws InterruptedException {
        boolean ran = process != null && process.isAlive();
        if (ran) {
            kill(process);
        }
        return ran;
    }

    static void kill(Process process) throws InterruptedException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
    }

    static Process program(List<String> command, Path log, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(log.getParent().toFile())
                .redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("MLE_STAR_"));
        builder.environment().putAll(environment);
        return builder.start();
    }
}
