package io.mlestar.mlflow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// An MLflow tracking server by its REST interface (MLflow's documentation, "REST API", version 2.0). Answers are bounded in size and time.
///
/// @param address without a slash at its end, and without name and password
/// @param authorization the header's value; empty for none
record TrackingServer(URI address, String authorization, HttpClient client) {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration UPLOAD = Duration.ofMinutes(5);
    private static final int LARGEST_ANSWER = 4 << 20;
    private static final int LONGEST_REASON = 300;

    /// The server could not do what it was asked for.
    static final class TrackingRefused extends IOException {
        private static final long serialVersionUID = 1L;
        private final String code;

        TrackingRefused(String code, String message) {
            super(message);
            this.code = code;
        }

        boolean is(String asked) {
            return code.equals(asked);
        }
    }

    /// By MLflow's own variables; empty without `MLFLOW_TRACKING_URI`.
    ///
    /// @throws Invalid if that is no address over HTTP
    static Optional<TrackingServer> of(Map<String, String> environment) {
        String asked = environment.getOrDefault("MLFLOW_TRACKING_URI", "").strip();
        if (asked.isEmpty()) {
            return Optional.empty();
        }
        URI uri;
        try {
            uri = URI.create(asked);
        } catch (IllegalArgumentException e) {
            throw notUsable();
        }
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https") || uri.getHost() == null) {
            throw notUsable();
        }
        String path = uri.getRawPath() == null ? "" : uri.getRawPath().replaceFirst("/+$", "");
        String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
        return Optional.of(new TrackingServer(URI.create(scheme + "://" + uri.getHost() + port + path), authorization(environment, uri.getUserInfo()),
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT).build()));
    }

    private static Invalid notUsable() {
        return new Invalid("MLFLOW_TRACKING_URI is not the address of a tracking server, http://… or https://…");
    }

    private static String authorization(Map<String, String> environment, @Nullable String user) {
        String token = environment.getOrDefault("MLFLOW_TRACKING_TOKEN", "").strip();
        String name = environment.getOrDefault("MLFLOW_TRACKING_USERNAME", "");
        String basic = user != null ? user : name.isEmpty() ? "" : name + ":" + environment.getOrDefault("MLFLOW_TRACKING_PASSWORD", "");
        return !basic.isEmpty() ? "Basic " + Base64.getEncoder().encodeToString(basic.getBytes(StandardCharsets.UTF_8))
                : token.isEmpty() ? "" : "Bearer " + token;
    }

    /// @param query names and values
    JsonNode get(String what, Map<String, String> query) throws IOException {
        String parameters = query.entrySet().stream().map(one -> one.getKey() + "=" + URLEncoder.encode(one.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return answer(request("/api/2.0/mlflow/" + what + "?" + parameters, PATIENCE).GET());
    }

    JsonNode post(String what, ObjectNode body) throws IOException {
        return answer(
                request("/api/2.0/mlflow/" + what, PATIENCE).header("Content-Type", "application/json").POST(BodyPublishers.ofByteArray(Json.bytes(body))));
    }

    /// Sends an artefact to a server that serves them.
    ///
    /// @param path of the artefact, from the root of all of the server's artefacts
    void put(String path, byte[] content) throws IOException {
        answer(request("/api/2.0/mlflow-artifacts/artifacts/" + path, UPLOAD).header("Content-Type", "application/octet-stream")
                .PUT(BodyPublishers.ofByteArray(content)));
    }

    private HttpRequest.Builder request(String path, Duration patience) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path)).timeout(patience);
        return authorization.isEmpty() ? request : request.header("Authorization", authorization);
    }

    private JsonNode answer(HttpRequest.Builder request) throws IOException {
        try {
            HttpResponse<InputStream> response = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            byte[] body;
            try (InputStream stream = response.body()) {
                body = stream.readNBytes(LARGEST_ANSWER);
            }
            JsonNode said = parsed(body);
            if (response.statusCode() / 100 != 2) {
                String message = said.path("message").asText("");
                throw new TrackingRefused(said.path("error_code").asText(""), "status " + response.statusCode()
                        + (message.isEmpty() ? "" : ": " + message.substring(0, Math.min(message.length(), LONGEST_REASON)).replaceAll("\\s+", " ")));
            }
            return said;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static JsonNode parsed(byte[] body) {
        try {
            return Json.parse(new String(body, StandardCharsets.UTF_8));
        } catch (Invalid e) {
            return Json.object();
        }
    }

    /// Says nothing of what proves who asks.
    @Override
    public String toString() {
        return address.toString();
    }
}
