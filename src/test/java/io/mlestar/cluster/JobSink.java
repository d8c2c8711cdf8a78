package io.mlestar.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.app.cli.Program;
import io.mlestar.core.base.Backoff;
import io.mlestar.core.base.Json;
import module java.base;

/// Knative's JobSink: one Job per event, named by source and id, so that the same event again
/// starts nothing; the event lies in a file (knative/eventing 1.15 to 1.23, `cmd/jobsink/main.go`).
/// Its pods are Kubernetes': each is Pending until a node has room for it, without any notice
/// (Kubernetes 1.28 and later, `pkg/scheduler`); one that fails is followed by another as often as
/// the backoff limit says (`pkg/controller/job/job_controller.go`); and a container that takes too
/// much memory is killed whole, so that it says nothing
/// (`pkg/kubelet/kuberuntime/kuberuntime_container_linux.go`, `memory.oom.group`). A Job that
/// failed publishes nothing.
final class JobSink {
    private static final int MOST_KILLS = 2;

    private final Path folder;
    private final Map<String, String> environment;
    private final int backoffLimit;
    private final Supplier<Duration> pending;
    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private final Set<Running> running = ConcurrentHashMap.newKeySet();
    private final Set<Process> drained = ConcurrentHashMap.newKeySet();

    /// A way in which a Job's pod ends before its time.
    enum PodEnd {
        /// The kernel ends all that is in its container.
        OUT_OF_MEMORY,
        /// A person drains its node: SIGTERM, and a pod elsewhere, which is no failure of the Job
        /// (`podFailurePolicy`).
        DRAINED
    }

    /// @param failures before it
    private record Running(Process process, String step, int failures) {}

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
        int failures = 0;
        for (int pod = 0; failures <= backoffLimit && Backoff.sleep(pending.get()); pod++) {
            try {
                Process process = Pod.program(Program.COMMAND, job.resolve("job-" + pod + ".log"), environment);
                Running now = new Running(process, step, failures);
                running.add(now);
                int code = process.waitFor();
                running.remove(now);
                if (code == 0 || code == 2) {
                    return;
                }
                failures += drained.contains(process) ? 0 : 1;
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /// kill -9 of any one, but not of the same Job for a third time: then its script would be to
    /// blame, and the run another one.
    ///
    /// @return false if none runs
    boolean killOne(Random random) throws InterruptedException {
        List<Process> now = running.stream().filter(job -> job.failures() < MOST_KILLS).map(Running::process).filter(Process::isAlive).toList();
        if (!now.isEmpty()) {
            Pod.kill(now.get(random.nextInt(now.size())));
        }
        return !now.isEmpty();
    }

    /// Ends the pod of a step's script, if it runs here, and waits for it.
    void end(String step, PodEnd how) {
        try {
            for (Running job : running) {
                if (job.step().equals(step)) {
                    switch (how) {
                        case OUT_OF_MEMORY -> Pod.kill(job.process());
                        case DRAINED -> {
                            drained.add(job.process());
                            Pod.end(job.process());
                        }
                    }
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
