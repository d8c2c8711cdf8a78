package io.mlestar.event;

import io.mlestar.task.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/// Posts events to an address: the broker's (`K_SINK`), or a function's.
public final class HttpSink implements Publisher {
    private final HttpClient client;
    private final URI address;
    private final Duration timeout;

    /// @param timeout for the whole request; the receiver may work that long before it answers
    public HttpSink(HttpClient client, URI address, Duration timeout) {
        this.client = client;
        this.address = address;
        this.timeout = timeout;
    }

    /// One client for many sinks. HTTP/1.1: on plain connections the JDK's client would first ask to upgrade.
    public static HttpClient client() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(10)).build();
    }

    @Override
    public void publish(Event event) {
        int status;
        try {
            status = post(event);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokerUnavailable("interrupted while sending to " + address, e);
        } catch (IOException e) {
            throw new BrokerUnavailable("cannot send to " + address + ": " + e, e);
        }
        if (status / 100 != 2) {
            throw new BrokerUnavailable(address + " answered " + status, null);
        }
    }

    /// Sends the event and returns the HTTP status.
    int post(Event event) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address).timeout(timeout)
                .POST(HttpRequest.BodyPublishers.ofByteArray(Json.bytes(event.data())));
        event.headers().forEach(request::header);
        return client.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
    }
}
