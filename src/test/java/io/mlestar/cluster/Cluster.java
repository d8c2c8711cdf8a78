package io.mlestar.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.ProjectFiles;
import io.mlestar.adapter.broker.EmbeddedBroker;
import io.mlestar.adapter.broker.HttpSink;
import io.mlestar.adapter.broker.Routes.Subscriber;
import io.mlestar.app.cli.FunctionsProgram;
import io.mlestar.app.cli.Program;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.deploy.CommittedRoutes;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import module java.base;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.logging.Level;
import java.util.logging.Logger;

/// A Knative cluster on this machine: the Services and JobSinks of manifests as processes of the
/// built program, started from zero when the first event comes for them and ended when they are
/// idle, a broker that routes by their Triggers, and the sweep's timer. The processes share nothing
/// but the store. Its rules are Knative's: retries, timeouts and base64 dead letters are
/// [EmbeddedBroker]'s (knative/eventing 1.15 to 1.23, `pkg/kncloudevents`), those of pods [Pod]'s,
/// those of Jobs [JobSink]'s. What a bucket does is the test's to say.
final class Cluster implements AutoCloseable {
    /// Those of the profile `full`.
    static final List<JsonNode> FULL = ProjectFiles.manifests(Path.of("k8s/base"));
    private static final int BACKOFF_LIMIT = 3;
    /// `max.request.size` of a Kafka broker, which answers 503 to more
    /// (knative-extensions/eventing-kafka-broker,
    /// `data-plane/config/broker/100-config-kafka-broker-data-plane.yaml`).
    private static final int LARGEST_EVENT = 1 << 20;
    /// In place of a minute, so that a short run sees it.
    private static final Duration IDLE = Duration.ofSeconds(30);
    private static final Logger CONNECTIONS = Logger.getLogger("io.vertx.core.net.impl.ConnectionBase");

    private final Vertx vertx = Vertx.vertx();
    private final EmbeddedBroker broker;
    private final HttpServer ingress;
    private final Map<String, Pod> services = new TreeMap<>();
    private final Map<String, JobSink> sinks = new HashMap<>();
    private final BlockingQueue<Event> ended = new LinkedBlockingQueue<>();
    private final Set<String> asked = ConcurrentHashMap.newKeySet();
    private final List<Event> received = new CopyOnWriteArrayList<>();
    private final AtomicInteger sweeps = new AtomicInteger();
    private final Random random;
    private final List<Map<String, String>> environments;
    private final ScheduledExecutorService autoscaler = Executors.newSingleThreadScheduledExecutor();

    /// The things that happen to its events and to its Jobs' pods.
    ///
    /// @param events on their way
    /// @param pending how long a Job's next pod waits for a node
    record Fates(EmbeddedBroker.Fate events, Supplier<Duration> pending) {
        static final Fates KIND = new Fates(EmbeddedBroker.Fate.KIND, () -> Duration.ZERO);
    }

    Cluster(Path folder, List<Map<String, String>> versions, Fates fates, Random random) throws IOException {
        this(FULL, folder, versions, fates, random);
    }

    /// @param manifests its objects
    /// @param folder for the logs of the processes
    /// @param versions of the program, by the environment of its processes, the store's address in
    ///   each; a pod that starts is of any of them
    Cluster(List<JsonNode> manifests, Path folder, List<Map<String, String>> versions, Fates fates, Random random)
            throws IOException {
        this.random = random;
        // A process that is killed resets its connections; that is what this is for.
        CONNECTIONS.setLevel(Level.OFF);
        ingress = vertx.createHttpServer().requestHandler(this::take).listen(0, "127.0.0.1").toCompletionStage()
                .toCompletableFuture().join();
        environments = versions.stream().map(version -> {
            Map<String, String> environment = new ConcurrentHashMap<>(version);
            environment.put("K_SERVICE", "a-function");
            environment.put("K_SINK", "http://127.0.0.1:" + ingress.actualPort() + "/");
            return environment;
        }).toList();
        for (JsonNode manifest : manifests) {
            String name = manifest.path("metadata").path("name").asText();
            Path logs = Files.createDirectories(folder.resolve(name));
            if (manifest.path("apiVersion").asText().startsWith("serving.knative.dev/")) {
                services.put(name, pod(logs, manifest.path("spec").path("template").path("spec"), environments));
            } else if (manifest.path("kind").asText().equals("JobSink")) {
                sinks.put(name, new JobSink(logs, environments.getFirst(), BACKOFF_LIMIT, fates.pending()));
            }
        }
        broker = new EmbeddedBroker(HttpSink.client(vertx, Map.of()), CommittedRoutes.of(manifests), this::address,
                fates.events(), Map.of());
        autoscaler.scheduleWithFixedDelay(this::scaleDown, 1, 1, TimeUnit.SECONDS);
        broker.listen(event -> {
            if (event.endsRun()) {
                ended.add(event);
            }
        });
    }

    private void scaleDown() {
        try {
            for (Pod service : services.values()) {
                service.stopIfIdle(IDLE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// The revision as the manifest has it: its program, and what it sets itself but the paths of a
    /// real cluster.
    private Pod pod(Path logs, JsonNode revision, List<Map<String, String>> environments) throws IOException {
        JsonNode container = revision.path("containers").get(0);
        List<String> program = container.path("image").asText().matches(".*/mlestar-status(:.*)?") ? Program.COMMAND
                : FunctionsProgram.command();
        long responseStart = revision.path("responseStartTimeoutSeconds").asLong(Pod.USUAL_RESPONSE_START.toSeconds());
        return new Pod(logs, program, () -> {
            Map<String, String> all;
            synchronized (random) {
                all = new HashMap<>(environments.get(random.nextInt(environments.size())));
            }
            container.path("env")
                    .forEach(variable -> all.put(variable.path("name").asText(), variable.path("value").asText()));
            all.remove("MLE_STAR_PROMPTS");
            return all;
        }, Duration.ofSeconds(responseStart));
    }

    private URI address(Subscriber subscriber) {
        return URI.create("http://127.0.0.1:" + ingress.actualPort()
                + (sinks.containsKey(subscriber.name()) ? "/jobs/" + subscriber.name()
                        : "/services/" + subscriber.name() + subscriber.path()));
    }

    /// To a pod, as it came. A 2xx answer that is neither empty nor an event is a failure to a
    /// broker (knative/eventing, `pkg/broker/filter/filter_handler.go`).
    private void pass(HttpServerRequest request, byte[] body) throws IOException, InterruptedException {
        String[] parts = request.path().substring("/services/".length()).split("/", 2);
        Map<String, String> headers = new HashMap<>();
        request.headers().forEach((name, value) -> {
            if (name.toLowerCase().startsWith("ce-") || name.equalsIgnoreCase("Content-Type")) {
                headers.put(name, value);
            }
        });
        Pod.Answer answer = services.get(parts[0]).post("/" + parts[1], headers, body);
        request.response().setStatusCode(answer.status() / 100 == 2 && !answer.body().isEmpty() ? 502 : answer.status())
                .end(answer.body());
    }

    /// The broker's door, and the JobSinks'.
    private void take(HttpServerRequest request) {
        Map<String, String> attributes = new HashMap<>();
        request.headers().forEach((name, value) -> {
            if (name.toLowerCase().startsWith("ce-")) {
                attributes.put(name.toLowerCase().substring(3), value);
            }
        });
        request.body().onSuccess(body -> Thread.startVirtualThread(() -> {
            try {
                if (request.path().startsWith("/services/")) {
                    pass(request, body.getBytes());
                    return;
                }
                if (body.length() > LARGEST_EVENT) {
                    request.response().setStatusCode(503).end();
                    return;
                }
                if (request.path().startsWith("/jobs/")) {
                    sinks.get(request.path().substring("/jobs/".length())).take(attributes, body.getBytes());
                } else {
                    asked.add(attributes.getOrDefault("subject", ""));
                    Map<String, String> extensions = new HashMap<>(attributes);
                    extensions.keySet().removeAll(Set.of("specversion", "type", "id", "source", "subject"));
                    Event event = new Event(attributes.get("type"), attributes.get("id"),
                            attributes.getOrDefault("subject", ""), Json.parse(body.getBytes()), extensions);
                    received.add(event);
                    broker.publish(event);
                }
                request.response().setStatusCode(202).end();
            } catch (IOException | RuntimeException | InterruptedException e) {
                request.response().setStatusCode(500).end(String.valueOf(e));
            }
        }));
    }

    /// Posts an event to the broker (`/`), as a user does, or past it (`/services/NAME/`,
    /// `/jobs/NAME`).
    ///
    /// @return the HTTP status
    int post(String path, String type, String id, JsonNode data) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ingress.actualPort() + path))
                .header("ce-specversion", "1.0")
                .header("ce-type", type).header("ce-id", id).header("ce-source", "test")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(Json.bytes(data))).build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        }
    }

    /// Starts a run with one event, and waits for its last one. The timer ticks meanwhile.
    ///
    /// @param standstill how long it may ask for no new step
    /// @param disturbance done again and again until then
    Event run(JsonNode request, Duration standstill, Duration tick, Disturbance disturbance) throws Exception {
        String run = request.path("run_id").asText();
        return run(new Event(Event.RUN_REQUESTED, run + "#requested", run, request), standstill, tick, disturbance);
    }

    Event run(Event request, Duration standstill, Duration tick, Disturbance disturbance) throws Exception {
        broker.publish(request);
        return goOn(request.subject(), standstill, tick, disturbance, () -> false).orElseThrow();
    }

    /// The events that its processes have published.
    List<Event> received() {
        return received;
    }

    /// Lets a run of the store go on, which the sweep finds.
    ///
    /// @return its last event; empty if it is far enough before its end
    Optional<Event> goOn(String run, Duration standstill, Duration tick, Disturbance disturbance,
            BooleanSupplier isFarEnough) throws Exception {
        long gotOn = System.nanoTime();
        int before = 0;
        long nextTick = System.nanoTime() + tick.toNanos();
        while (!isFarEnough.getAsBoolean()) {
            int now = asked.size();
            if (now > before) {
                gotOn = System.nanoTime();
                before = now;
            } else if (System.nanoTime() - gotOn > standstill.toNanos()) {
                throw new AssertionError("run " + run + " stands still after " + before + " steps");
            }
            if (System.nanoTime() > nextTick) {
                nextTick = System.nanoTime() + tick.toNanos();
                broker.publish(new Event(Event.SWEEP, "tick-" + sweeps.incrementAndGet(), "", Json.object()));
            }
            disturbance.happen(this, now);
            Event end = ended.poll(100, TimeUnit.MILLISECONDS);
            if (end != null) {
                return Optional.of(end);
            }
        }
        return Optional.empty();
    }

    /// Something that happens to a cluster.
    @FunctionalInterface
    interface Disturbance {
        Disturbance NONE = (cluster, asked) -> {};

        /// @param asked how many steps the run has asked for by now: the measure of how far it got,
        ///   since machines differ in speed
        void happen(Cluster cluster, int asked) throws Exception;
    }

    /// Changes Secrets, and deletes the functions' pods: returns when they are gone. A Job keeps
    /// what it began with.
    void change(Map<String, String> secrets) throws InterruptedException {
        environments.forEach(environment -> environment.putAll(secrets));
        for (Pod service : services.values()) {
            service.delete();
        }
    }

    /// A new revision of one function, while others go on.
    void rollOut(String function) {
        services.get(function).rollOut();
    }

    /// Ends the pod of a step's script, whichever of the JobSinks runs it.
    void endJob(String step, JobSink.PodEnd how) {
        sinks.values().forEach(sink -> sink.end(step, how));
    }

    /// kill -9 of any process.
    ///
    /// @return its name; empty if none ran
    String killOne(Random random) throws InterruptedException {
        if (random.nextInt(4) == 0) {
            for (Map.Entry<String, JobSink> sink : sinks.entrySet()) {
                if (sink.getValue().killOne(random)) {
                    return sink.getKey();
                }
            }
        }
        List<String> names = new ArrayList<>(services.keySet());
        Collections.shuffle(names, random);
        for (String name : names) {
            if (services.get(name).kill()) {
                return name;
            }
        }
        return "";
    }

    @Override
    public void close() throws InterruptedException {
        broker.close();
        autoscaler.shutdownNow();
        for (Pod service : services.values()) {
            service.kill();
        }
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
