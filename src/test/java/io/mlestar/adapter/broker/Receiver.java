package io.mlestar.adapter.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import io.mlestar.LocalServer;
import io.mlestar.Waiting;
import io.mlestar.core.base.Json;
import module java.base;

/// Stands where the functions stand: takes events over HTTP, keeps them, and answers as it is told.
final class Receiver implements AutoCloseable {
    /// An event as it came.
    ///
    /// @param headers by their names in lower case
    /// @param atNanos when it came
    record Received(String method, String path, Map<String, String> headers, JsonNode data, long atNanos) {
        String id() {
            return headers.get("ce-id");
        }

        boolean isDeadLetter() {
            return path.equals("/dead-letter") && headers.containsKey("ce-knativeerrorcode");
        }
    }

    private final LocalServer server;
    private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
    private final ToIntFunction<Received> answer;

    /// @param answer the HTTP status for each event
    Receiver(ToIntFunction<Received> answer) throws IOException {
        this.answer = answer;
        server = LocalServer.start(this::handle);
    }

    private void handle(HttpExchange exchange) throws IOException {
        long now = System.nanoTime();
        byte[] body = exchange.getRequestBody().readAllBytes();
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.getFirst()));
        Received event = new Received(exchange.getRequestMethod(), exchange.getRequestURI().getPath(), headers,
                Json.parse(body), now);
        received.add(event);
        exchange.sendResponseHeaders(answer.applyAsInt(event), -1);
        exchange.close();
    }

    URI address() {
        return URI.create(server.address() + "/");
    }

    /// The next event; waits for it.
    Received next() throws InterruptedException {
        Received event = received.poll(Waiting.MOST.toSeconds(), TimeUnit.SECONDS);
        if (event == null) {
            throw new AssertionError("no event came");
        }
        return event;
    }

    /// The number of events that have come and that [#next()] has not given.
    int waiting() {
        return received.size();
    }

    @Override
    public void close() {
        server.close();
    }
}
