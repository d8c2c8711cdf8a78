package io.mlestar.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.app.cli.Program;
import io.mlestar.core.base.Backoff;
import io.mlestar.core.base.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// Knative's JobSink: one Job per event, named by source and id, so that the same event again starts nothing; the event lies in a
/// file (knative/eventing 1.15 to 1.23, `cmd/jobsink/main.go`). Its pods are Kubernetes': each is Pending until a node has room for it, without any notice
/// (Kubernetes 1.28 and later, `pkg/scheduler`); one that fails is followed by another as often as the backoff limit says (`pkg/controller/job/job_controller.go`); and
/// a container that takes too much memory is killed whole, so that it says nothing (`pkg/kubelet/kuberuntime/kuberuntime_container_linux.go`,
/// `memory.oom.group`). A Job that failed publishes nothing.
final class JobSink {
    private static final int MOST_KILLS = 2;

    private final Path folder;
    private final Map<String, String> environment;
    private final int backoffLimit;
    private final Supplier<Duration> pending;
    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private final Set<Running> running = ConcurrentHashMap.newKeySet();

    /// @param attempt from 0
    private record Running(Process process, String step, int attempt) {}

    /// @param pending how long the next pod waits for a node
    JobSink(Path folder, Map<String, String> environment, int backoffLimit, Supplier<Duration> pending) {
        this.folder = folder;
        this.environment = environment;
        this.backoffLimit = backoffLimit;
        this.pending = pending;
    }

    /// @param attributes of the event, without the prefix `ce-`
    void take(Map<String, String> attributes, byte[] data) throws IOException {
        String name = md5(attributes.get("source") + attributes.get("id"));
        if (!names.add(name)) {
            return;
        }
        Path job = Files.createDirectories(folder.resolve(name));
        ObjectNode event = Json.object();
        attributes.forEach(event::put);
        event.set("data", Json.parse(data));
        Files.write(job.resolve("event"), Json.bytes(event));
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(Map.of("K_EXECUTION_MODE", "batch", "K_EVENT_PATH", job.toString()));
        Thread.startVirtualThread(() -> run(job, attributes.getOrDefault("subject", ""), all));
    }

    private void run(Path job, String step, Map<String, String> environment) {
        for (int attempt = 0; attempt <= backoffLimit && Backoff.sleep(pending.get()); attempt++) {
            try {
                Process process = Pod.program(Program.COMMAND, job.resolve("job-" + attempt + ".log"), environment);
                Running now = new Running(process, step, attempt);
                running.add(now);
                int code = process.waitFor();
                running.remove(now);
                if (code == 0 || code == 2) {
                    return;
                }
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /// kill -9 of any one, but not of the same Job for a third time: then its script would be to blame, and the run another one.
    ///
    /// @return false if none runs
    boolean killOne(Random random) throws InterruptedException {
        List<Process> now = running.stream().filter(job -> job.attempt() < MOST_KILLS).map(Running::process).filter(Process::isAlive).toList();
        if (!now.isEmpty()) {
            Pod.kill(now.get(random.nextInt(now.size())));
        }
        return !now.isEmpty();
    }

    /// The kernel ends all that is in the container of a step's script.
    void killForMemory(String step) {
        try {
            for (Running job : running) {
                if (job.step().equals(step)) {
                    Pod.kill(job.process());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String md5(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
