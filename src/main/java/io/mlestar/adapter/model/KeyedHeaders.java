package io.mlestar.adapter.model;

import java.net.http.HttpRequest;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The headers of a request as a provider's client writes them; one of them carries the key.
record KeyedHeaders(Map<String, List<String>> headers) {
    private static final Set<String> KEY_HEADERS =
            Set.of("x-api-key", "x-goog-api-key", "authorization");
    private static final String BEARER = "(?i)^bearer +";

    /// @param keyHeader in which the server wants the key; null leaves it where it is
    void addTo(HttpRequest.Builder sent, @Nullable String keyHeader) {
        headers.forEach((name, values) -> values.forEach(value -> {
            if (keyHeader == null || !isKey(name)) {
                sent.header(name, value);
            } else {
                sent.header(keyHeader, value.replaceFirst(BEARER, ""));
            }
        }));
    }

    private static boolean isKey(String header) {
        return KEY_HEADERS.contains(header.toLowerCase(Locale.ROOT));
    }

    /// Errors are logged and stored, and a server may repeat the key.
    String withoutKey(String body) {
        String clean = body;
        for (Map.Entry<String, List<String>> header : headers.entrySet()) {
            if (isKey(header.getKey())) {
                for (String value : header.getValue()) {
                    clean = clean.replace(value.replaceFirst(BEARER, ""), "[key]");
                }
            }
        }
        return clean;
    }
}
