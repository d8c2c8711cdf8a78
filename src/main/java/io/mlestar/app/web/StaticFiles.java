package io.mlestar.app.web;

import io.mlestar.app.http.HttpError;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.Sha256;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The style sheets and scripts of the pages, from the jar. Pages name them with [#version], so
/// browsers may keep them for good.
final class StaticFiles {
    private static final Map<String, String> TYPES =
            Map.of("css", "text/css; charset=utf-8", "js", "text/javascript; charset=utf-8",
                    "svg", "image/svg+xml");
    private static final List<String> RESOURCES = List.of("/META-INF/resources/figures.css",
            "/web/page.css", "/web/icon.svg", "/web/workflow.svg", "/web/chosen.js",
            "/web/clock.js", "/web/copy.js", "/web/live.js", "/web/output.js", "/web/run.js",
            "/web/runs.js", "/web/step.js", "/web/tree.js");

    private final Map<String, byte[]> files = new LinkedHashMap<>();
    private final String version;

    StaticFiles() {
        MessageDigest digest = Sha256.digest();
        for (String resource : RESOURCES) {
            byte[] content = read(resource);
            files.put(resource.substring(resource.lastIndexOf('/') + 1), content);
            digest.update(content);
        }
        version = HexFormat.of().formatHex(digest.digest(), 0, 8);
    }

    private static byte[] read(String resource) {
        try (InputStream content = StaticFiles.class.getResourceAsStream(resource)) {
            return content.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A digest of all files together.
    String version() {
        return version;
    }

    void serve(RoutingContext context) {
        String name = context.pathParam("file");
        byte[] content = files.get(name);
        if (content == null) {
            throw new HttpError(404, "there is no file " + Json.line(name));
        }
        boolean named = version.equals(context.request().getParam("v"));
        context.response()
                .putHeader("Cache-Control",
                        named ? "public, max-age=31536000, immutable" : "no-cache");
        if (!EntityTag.spares(context, version)) {
            context.response()
                    .putHeader("Content-Type", TYPES.get(name.substring(name.lastIndexOf('.') + 1)))
                    .end(Buffer.buffer(content));
        }
    }
}
