package io.mlestar.adapter.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.sun.net.httpserver.HttpExchange;
import io.mlestar.LocalServer;
import io.mlestar.adapter.model.Answerer.Asked;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.StepPath;
import module java.base;

/// A model provider on this machine: speaks the real form over real HTTP, refuses what the real one
/// would refuse, and keeps what it got. What it refuses because the client is wrong is also a
/// violation, so that a client that hides a 400 does not hide the mistake.
abstract class FakeProvider implements AutoCloseable {
    /// The one key that is good here, until others are.
    static final String KEY = "key-of-the-test";

    /// A request as it came.
    ///
    /// @param headers by name, whatever its case
    record Received(String method, String path, Map<String, String> headers, JsonNode body) {
        Optional<String> header(String name) {
            return Optional.ofNullable(headers.get(name));
        }
    }

    private record PlannedFault(Predicate<Asked> when, Fault fault) {}

    private final LocalServer server;
    private final Answerer answerer;
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final List<String> violations = new CopyOnWriteArrayList<>();
    /// They wait for their requests; each meets one.
    private final List<PlannedFault> faults = new CopyOnWriteArrayList<>();
    private final AtomicInteger ids = new AtomicInteger();
    private volatile Set<String> keys = Set.of(KEY);
    private volatile UnaryOperator<JsonNode> rewriting = UnaryOperator.identity();
    private volatile Function<JsonNode, Optional<Fault.Foreign>> refusing = _ -> Optional.empty();
    private volatile boolean isStrict = true;
    private volatile long lastNanos;

    FakeProvider(Answerer answerer) throws IOException {
        this.answerer = answerer;
        server = LocalServer.start(this::handle);
    }

    /// The address at which clients find the server; no slash at the end.
    public final String url() {
        return server.address();
    }

    /// These are good from now on, and no others.
    public final void accept(String... good) {
        keys = Set.of(good);
    }

    /// The number of requests that showed this key so far, good or not.
    public final long shown(String key) {
        return received.stream().filter(request -> key(request).equals(Optional.of(key))).count();
    }

    /// All requests so far, the refused ones too.
    final List<Received> received() {
        return List.copyOf(received);
    }

    /// The next requests meet these faults, one each.
    final void plan(Fault... next) {
        plan(_ -> true, next);
    }

    /// The next requests that `when` holds for meet these faults, one each; others pass. A request
    /// meets the first that fits.
    final void plan(Predicate<Asked> when, Fault... next) {
        for (Fault fault : next) {
            faults.add(new PlannedFault(when, fault));
        }
    }

    /// All answers from now on are sent as this makes them.
    final void rewrite(UnaryOperator<JsonNode> how) {
        rewriting = how;
    }

    /// Refuses what this server does not take though the protocol has it.
    ///
    /// @param how gives nothing for the body of a request that it takes
    final void refuse(Function<JsonNode, Optional<Fault.Foreign>> how) {
        refusing = how;
    }

    /// Nothing that clients send is a violation from now on: what they were sent was not of its
    /// protocol.
    final void tolerate() {
        isStrict = false;
    }

    /// The number of planned faults that have met no request yet.
    final int faultsLeft() {
        return faults.size();
    }

    /// The time that the last request took in here, from its first byte to the answer's last, for a
    /// bench that asks one after the other.
    final double lastMillis() {
        return lastNanos / 1e6;
    }

    private void handle(HttpExchange exchange) throws IOException {
        long begin = System.nanoTime();
        try (exchange) {
            work(exchange);
        } finally {
            lastNanos = System.nanoTime() - begin;
        }
    }

    private void work(HttpExchange exchange) throws IOException {
        try {
            List<String> wrong = new ArrayList<>();
            Received request = read(exchange, wrong);
            Optional<JsonNode> aside = aside(request);
            if (aside.isPresent()) {
                send(exchange, 200, aside.get());
                return;
            }
            received.add(request);
            Optional<Fault.Foreign> refusal = refusing.apply(request.body());
            if (refusal.isPresent()) {
                send(exchange, refusal.get());
            } else if (!serves(request.path()) || !request.method().equals("POST")) {
                wrong.add(request.method() + " " + request.path() + " is not served here");
                refuse(exchange, 404, wrong);
            } else if (key(request).isEmpty()) {
                wrong.add("there is no key");
                refuse(exchange, 401, wrong);
            } else if (!keys.contains(key(request).orElseThrow())) {
                send(exchange, 401, error(401, "the key is not valid"));
            } else {
                check(request, wrong::add);
                Optional<Asked> asked = asked(request, wrong);
                if (wrong.isEmpty()) {
                    meet(exchange, request, asked.orElseThrow());
                } else {
                    refuse(exchange, 400, wrong);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            violations.add("a mistake in this server: " + e);
            throw e;
        }
    }

    private Received read(HttpExchange exchange, List<String> wrong) throws IOException {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.getFirst()));
        String text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        if (!headers.getOrDefault("content-type", "").matches("application/json(; ?charset=utf-8)?")) {
            wrong.add("content-type must be application/json, but is " + headers.get("content-type"));
        }
        JsonNode body = MissingNode.getInstance();
        try {
            body = Json.parse(text);
        } catch (Invalid e) {
            wrong.add("the body is " + e.getMessage());
        }
        return new Received(exchange.getRequestMethod(), exchange.getRequestURI().getPath(), headers, body);
    }

    private Optional<Asked> asked(Received request, List<String> wrong) {
        String run = request.header("x-mlestar-run").orElse("no-run");
        try {
            Optional<StepPath> step = request.header("x-mlestar-step")
                    .map(path -> path.startsWith(run + "/") ? StepPath.parse(path) : new StepPath(run, path));
            String prompt = "";
            List<String> results = new ArrayList<>();
            for (JsonNode message : messages(request.body())) {
                String said = said(message);
                prompt = said.isEmpty() ? prompt : said;
                results.addAll(toolResults(message));
            }
            return Optional.of(new Asked(step, request.header("x-mlestar-agent").orElse(""), model(request),
                    system(request.body()), prompt, tools(request.body()), results));
        } catch (Invalid e) {
            wrong.add("x-mlestar-step: " + e.getMessage());
            return Optional.empty();
        }
    }

    /// The first fault that fits is used up.
    private synchronized Optional<Fault> fault(Asked asked) {
        Optional<PlannedFault> met = faults.stream().filter(planned -> planned.when().test(asked)).findFirst();
        met.ifPresent(faults::remove);
        return met.map(PlannedFault::fault);
    }

    private void meet(HttpExchange exchange, Received request, Asked asked) throws IOException, InterruptedException {
        switch (fault(asked).orElse(null)) {
            case null -> reply(exchange, request, asked, new Fault.Changed(Supplier::get));
            case Fault.Status(int code, Map<String, String> headers) -> {
                headers.forEach(exchange.getResponseHeaders()::set);
                send(exchange, code, error(code, "planned by the test"));
            }
            case Fault.Foreign foreign -> send(exchange, foreign);
            case Fault.Cut.BEFORE_THE_ANSWER -> throw new IOException("cut, as planned");
            case Fault.Cut.IN_THE_BODY -> {
                byte[] whole = Json.bytes(answer(request.body(), Reply.text("never to be read whole")));
                send(exchange, 200, "application/json", whole, whole.length / 2);
            }
            case Fault.Malformed.BODY -> {
                String whole = Json.line(answer(request.body(), Reply.text("not JSON to its end")));
                byte[] half = whole.substring(0, whole.length() / 2).getBytes(StandardCharsets.UTF_8);
                send(exchange, 200, "application/json", half, half.length);
            }
            case Fault.Slow slow -> {
                Thread.sleep(slow.delay());
                reply(exchange, request, asked, new Fault.Changed(Supplier::get));
            }
            case Fault.Changed changed -> reply(exchange, request, asked, changed);
        }
    }

    private void reply(HttpExchange exchange, Received request, Asked asked, Fault.Changed changed) throws IOException {
        Reply reply;
        try {
            reply = changed.change().apply(() -> answerer.answer(asked));
        } catch (StepFailed e) {
            send(exchange, 400, error(400, e.getMessage()));
            return;
        } catch (RuntimeException | AssertionError e) {
            refuse(exchange, 500, List.of("the answerer failed: " + e));
            return;
        }
        send(exchange, 200, rewriting.apply(answer(request.body(), reply)));
    }

    private void refuse(HttpExchange exchange, int status, List<String> wrong) throws IOException {
        violations.addAll(wrong);
        send(exchange, status, error(status, String.join("; ", wrong)));
    }

    private static void send(HttpExchange exchange, Fault.Foreign foreign) throws IOException {
        send(exchange, foreign.code(), foreign.contentType(), foreign.body().getBytes(StandardCharsets.UTF_8),
                Integer.MAX_VALUE);
    }

    private static void send(HttpExchange exchange, int status, JsonNode body) throws IOException {
        send(exchange, status, "application/json", Json.bytes(body), Integer.MAX_VALUE);
    }

    /// @param most bytes to send; fewer than announced cuts the connection
    private static void send(HttpExchange exchange, int status, String type, byte[] body, int most) throws IOException {
        exchange.getResponseHeaders().set("content-type", type);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body, 0, Math.min(body.length, most));
            exchange.getResponseBody().flush();
        }
    }

    /// An id that this server has not given yet.
    final String newId(String prefix) {
        return prefix + "%024d".formatted(ids.incrementAndGet());
    }

    @Override
    public final void close() {
        server.close();
        if (isStrict && !violations.isEmpty()) {
            throw new AssertionError("the client sent what the provider would refuse: " + violations);
        }
    }

    /// True if requests go to this address.
    abstract boolean serves(String path);

    /// The answer to a request that is no question to a model; empty if it is one.
    Optional<JsonNode> aside(Received request) {
        return Optional.empty();
    }

    /// The key that the caller shows at the door.
    abstract Optional<String> key(Received request);

    /// Everything in the request that the provider would not take.
    abstract void check(Received request, Consumer<String> violations);

    abstract String system(JsonNode body);

    /// Results of tools within one message.
    abstract List<String> toolResults(JsonNode message);

    /// The answer in the provider's form.
    abstract JsonNode answer(JsonNode body, Reply reply);

    /// The error in the provider's form.
    abstract JsonNode error(int status, String message);

    /// All of the conversation.
    JsonNode messages(JsonNode body) {
        return body.path("messages");
    }

    /// The text that the user says in a message; empty if the message is another's.
    String said(JsonNode message) {
        return message.path("role").asText().equals("user") ? text(message.path("content")) : "";
    }

    String model(Received request) {
        return request.body().path("model").asText();
    }

    /// Names of the tools that are offered.
    List<String> tools(JsonNode body) {
        return stream(body.path("tools"))
                .map(tool -> tool.path("function").path("name").asText(tool.path("name").asText())).toList();
    }

    static Stream<JsonNode> stream(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }

    /// The text of a string or of a list of blocks.
    static String text(JsonNode content) {
        return content.isTextual() ? content.asText()
                : String.join("\n", stream(content).filter(block -> block.path("type").asText().equals("text"))
                        .map(block -> block.path("text").asText()).toList());
    }

    /// The number of tokens in the named parts of the body, as they came.
    static long tokens(JsonNode body, String... parts) {
        long tokens = 0;
        for (String part : parts) {
            tokens += body.has(part) ? Reply.tokens(body.path(part).toString()) : 0;
        }
        return tokens;
    }
}
