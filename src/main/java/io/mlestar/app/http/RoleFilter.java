package io.mlestar.app.http;

import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/// Answers 404 to requests that this process does not serve, and 503 to work that arrives while it
/// stops.
@Singleton
class RoleFilter {
    /// Runs after the failures' handler, which gives the 404 its words, and before everything else.
    private static final int FIRST = -900;

    private static final int FIRST_TO_STOP = 1;

    private final Role role;
    private volatile boolean ending;

    RoleFilter(Role role) {
        this.role = role;
    }

    /// @throws io.mlestar.core.base.Invalid as [Role#of]
    @Produces
    @Singleton
    static Role role(
            @ConfigProperty(name = "quarkus.funqy.export") Optional<String> export,
            @ConfigProperty(name = "mle_star.role") Optional<String> role) {
        return Role.of(export, role);
    }

    void install(@Observes Router router) {
        router.post().order(FIRST).handler(this::stillOpen);
        if (!(role instanceof Role.Everything)) {
            router.route().order(FIRST).handler(this::check);
        }
    }

    void close(@Observes @Priority(FIRST_TO_STOP) ShutdownDelayInitiatedEvent stop) {
        ending = true;
    }

    private void stillOpen(RoutingContext context) {
        if (ending) {
            context.fail(503);
        } else {
            context.next();
        }
    }

    private void check(RoutingContext context) {
        String path = context.normalizedPath();
        if (path.equals("/q/metrics") || path.equals("/q/health") || path.startsWith("/q/health/")
                || role.serves(context.request().method().name(), path,
                        Envelope.of(context).map(Envelope::type))) {
            context.next();
        } else {
            context.fail(404);
        }
    }
}
