package io.mlestar.app.web;

import io.vertx.ext.web.RoutingContext;
import java.net.HttpURLConnection;

/// Spares a client that asks again and again what it has already (RFC 9110, 13.1.2).
final class EntityTag {
    private EntityTag() {}

    /// Says the version of the answer in its `ETag`, and ends it with 304 if that is the client's
    /// own.
    ///
    /// @param version of all that the answer shows, in letters and digits
    /// @return whether the answer has ended
    static boolean spares(RoutingContext context, String version) {
        String tag = "\"" + version + "\"";
        context.response().putHeader("ETag", tag);
        if (!tag.equals(context.request().getHeader("If-None-Match"))) {
            return false;
        }
        context.response().setStatusCode(HttpURLConnection.HTTP_NOT_MODIFIED).end();
        return true;
    }
}
