package io.mlestar.cluster;

import io.mlestar.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A Knative Service with at most one pod: a process of the built program that is started when the first request comes for it,
/// and again after it was killed.
final class Pod {
    private final Path folder;
    private final List<String> arguments;
    private final Map<String, String> environment;
    private Process process;
    private int port;
    private int starts;

    /// @param folder for its log
    Pod(Path folder, List<String> arguments, Map<String, String> environment) {
        this.folder = folder;
        this.arguments = arguments;
        this.environment = environment;
    }

    /// Where it listens, once it does.
    synchronized URI address(String path) throws IOException, InterruptedException {
        if (process == null || !process.isAlive()) {
            start();
        }
        return URI.create("http://127.0.0.1:" + port + path);
    }

    private void start() throws IOException, InterruptedException {
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        List<String> all = new ArrayList<>(arguments);
        all.addAll(List.of("--port", Integer.toString(port)));
        process = program(all, folder.resolve("pod-" + starts++ + ".log"), environment);
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

    static Process program(List<String> arguments, Path log, Map<String, String> environment) throws IOException {
        List<String> command = new ArrayList<>(List.of(Path.of("mlestar").toAbsolutePath().toString()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).directory(log.getParent().toFile())
                .redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("MLE_STAR_"));
        builder.environment().putAll(environment);
        return builder.start();
    }
}
