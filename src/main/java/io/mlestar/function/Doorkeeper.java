package io.mlestar.function;

import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/// Answers 404 to whatever this process is not for.
class Doorkeeper {
    /// After the failures' handler, which gives the 404 its words; before everything else.
    private static final int FIRST = -900;

    private final Role role;

    Doorkeeper(@ConfigProperty(name = "quarkus.funqy.export") Optional<String> export,
            @ConfigProperty(name = "mle.star.role") Optional<String> role) {
        this.role = Role.of(export, role);
    }

    void install(@Observes Router router) {
        if (!(role instanceof Role.Everything)) {
            router.route().order(FIRST).handler(this::check);
        }
    }

    private void check(RoutingContext context) {
        String path = context.normalizedPath();
        if (path.equals("/q/metrics") || path.equals("/q/health") || path.startsWith("/q/health/")
                || role.serves(context.request().method().name(), path, Envelope.of(context).map(Envelope::type))) {
            context.next();
        } else {
            context.fail(404);
        }
    }
}
