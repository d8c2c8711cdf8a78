package io.mlestar.app.web;

import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import jakarta.enterprise.event.Observes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/// The program's descriptions of its interfaces: OpenAPI 3.1 of the HTTP routes and events, JSON
/// Schemas of what lies in a store. The files of `docs/interfaces` are in the program; `make
/// interfaces` writes them.
class Descriptions {
    private static final int BEFORE_FUNQY = -500;
    private static final List<String> FILES = List.of("openapi.json", "schemas.json");

    void install(@Observes Router router) {
        for (String file : FILES) {
            Buffer content = Buffer.buffer(read("/interfaces/" + file));
            router.get("/" + file)
                    .order(BEFORE_FUNQY)
                    .handler(context -> context.response()
                            .putHeader("Content-Type", "application/json")
                            .putHeader("X-Content-Type-Options", "nosniff")
                            .putHeader("Cache-Control", "no-cache")
                            .end(content));
        }
    }

    private static byte[] read(String resource) {
        try (InputStream content = Descriptions.class.getResourceAsStream(resource)) {
            return Objects.requireNonNull(content, resource).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
