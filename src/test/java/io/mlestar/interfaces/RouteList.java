package io.mlestar.interfaces;

import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import module java.base;

/// All routes that the program has registered, whichever room did.
@Singleton
public class RouteList {
    private Router router;

    void see(@Observes Router seen) {
        this.router = seen;
    }

    List<Route> routes() {
        return router.getRoutes();
    }
}
