package io.mlestar.cluster;

import io.mlestar.FreePort;
import io.mlestar.Waiting;
import io.mlestar.app.cli.Program;
import module java.base;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;

/// A Knative Service with at most one pod: a process of the built program that is started when the
/// first request comes for it, and again after it was killed or had nothing to do. A request waits
/// for a pod that starts (knative/serving 1.15 to 1.23, `pkg/activator`). The queue proxy cuts off
/// a request whose answer has not begun in time, with 504 (`pkg/http/handler/timeout.go`), and
/// answers 502 for a process that dies under it (its reverse proxy). A pod with no request under
/// way is idle, whatever else it does.
final class Pod {
    /// `responseStartTimeoutSeconds` of a Service that does not set it
    /// (`pkg/apis/config/defaults.go`).
    static final Duration USUAL_RESPONSE_START = Duration.ofSeconds(300);
    private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    /// Between SIGTERM and SIGKILL (Kubernetes, `terminationGracePeriodSeconds`).
    private static final Duration GRACE = Duration.ofSeconds(30);

    private final Path folder;
    private final List<String> command;
    private final Supplier<Map<String, String>> environment;
    private final Duration responseStart;
    private Process process;
    private int port;
    private int starts;
    private int busy;
    private long idleSince = System.nanoTime();

    /// @param folder for its log
    /// @param command that its image starts
    /// @param environment of the next process
    /// @param responseStart how long a request may wait for the beginning of its answer
    Pod(Path folder, List<String> command, Supplier<Map<String, String>> environment, Duration responseStart) {
        this.folder = folder;
        this.command = command;
        this.environment = environment;
        this.responseStart = responseStart;
    }

    /// @param type of its content; empty if it says none
    record Answer(int status, String type, String body) {
        Answer(int status, String body) {
            this(status, "", body);
        }

        Answer(HttpResponse<String> answer) {
            this(answer.statusCode(), answer.headers().firstValue("Content-Type").orElse(""), answer.body());
        }
    }

    Answer post(String path, Map<String, String> headers, byte[] body) throws IOException, InterruptedException {
        URI address = enter(path);
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(address).timeout(responseStart)
                    .POST(HttpRequest.BodyPublishers.ofByteArray(body));
            headers.forEach(request::setHeader);
            return new Answer(CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8)));
        } catch (HttpTimeoutException e) {
            return new Answer(504, "request timeout");
        } catch (IOException e) {
            return new Answer(502, "dial or read failed: " + e.getMessage());
        } finally {
            leave();
        }
    }

    Answer get(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address(path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return new Answer(CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8)));
    }

    /// The address at which it listens, once it does.
    synchronized URI address(String path) throws IOException, InterruptedException {
        if (process == null || !process.isAlive()) {
            start();
        }
        return URI.create("http://127.0.0.1:" + port + path);
    }

    private synchronized URI enter(String path) throws IOException, InterruptedException {
        URI address = address(path);
        busy++;
        return address;
    }

    private synchronized void leave() {
        busy--;
        idleSince = System.nanoTime();
    }

    /// SIGTERM if no request was under way for as long: the autoscaler goes by requests and knows
    /// of no other work (knative/serving 1.15 to 1.23, `pkg/autoscaler`).
    synchronized void stopIfIdle(Duration window) throws InterruptedException {
        boolean isRunning = process != null && process.isAlive();
        if (isRunning && busy == 0 && System.nanoTime() - idleSince > window.toNanos()) {
            end(process);
        }
    }

    /// Ends it as a new revision does: whatever comes from now on goes to a new pod, while the old
    /// one ends what it is doing.
    void rollOut() {
        Thread.startVirtualThread(() -> {
            try {
                delete();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /// SIGTERM whatever it is doing; what comes meanwhile goes to a new one.
    void delete() throws InterruptedException {
        Process old;
        synchronized (this) {
            old = process;
            process = null;
        }
        if (old != null) {
            end(old);
        }
    }

    static void end(Process process) throws InterruptedException {
        process.toHandle().destroy();
        if (!process.waitFor(GRACE.toSeconds(), TimeUnit.SECONDS)) {
            kill(process);
        }
    }

    private void start() throws IOException, InterruptedException {
        port = FreePort.any();
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
        builder.environment().put("MLE_STAR_DATA", Program.MINI + ":" + Program.EXAMPLE);
        builder.environment().putAll(environment);
        return builder.start();
    }
}
