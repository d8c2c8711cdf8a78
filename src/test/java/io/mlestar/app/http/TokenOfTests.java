package io.mlestar.app.http;

import io.vertx.ext.web.Router;
import jakarta.enterprise.event.Observes;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/// Lets the requests of tests in: each shows the token of the server that runs within the test,
/// unless it shows one of its own.
class TokenOfTests {
    private static final int BEFORE_THE_GUARD = Guard.FIRST - 1;

    void install(@Observes Router router, @ConfigProperty(name = "mle_star.token") String token) {
        router.route().order(BEFORE_THE_GUARD).handler(context -> {
            if (context.request().getHeader("Authorization") == null) {
                context.request().headers().set("Authorization", "Bearer " + token);
            }
            context.next();
        });
    }
}
