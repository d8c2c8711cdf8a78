package io.mlestar.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/// What stands between a broker and a function's process: it cuts off a request whose answer has not begun in time, with 504 (knative/serving 1.15 to 1.23,
/// `pkg/http/handler/timeout.go`), and answers 502 for a process that dies under it (its reverse proxy). A pod with no request under way is
/// idle, whatever else it does.
///
/// @param responseStart `responseStartTimeoutSeconds` of the Service; 300 s if it says nothing (`pkg/apis/config/defaults.go`)
record QueueProxy(Pod pod, Duration responseStart) {
    private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final Duration LEFT_OUT = Duration.ofSeconds(300);

    record Answer(int status, String body) {}

    static QueueProxy of(Pod pod, long seconds) {
        return new QueueProxy(pod, seconds > 0 ? Duration.ofSeconds(seconds) : LEFT_OUT);
    }

    Answer pass(String path, Map<String, String> headers, byte[] body) throws IOException, InterruptedException {
        URI address = pod.enter(path);
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(address).timeout(responseStart).POST(HttpRequest.BodyPublishers.ofByteArray(body));
            headers.forEach(request::setHeader);
            HttpResponse<String> answer = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
            return new Answer(answer.statusCode(), answer.body());
        } catch (HttpTimeoutException e) {
            return new Answer(504, "request timeout");
        } catch (IOException e) {
            return new Answer(502, "dial or read failed: " + e.getMessage());
        } finally {
            pod.leave();
        }
    }
}
