package io.mlestar.app.http;

import io.vertx.ext.web.RoutingContext;

/// Says to a browser what went wrong. A program without pages has none, and answers browsers as it answers programs.
public interface ErrorPage {
    void show(RoutingContext context, int status, String message);
}
