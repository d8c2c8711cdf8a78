package io.mlestar.app.program;

import io.mlestar.adapter.model.Models;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Functions;
import io.smallrye.health.api.Wellness;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;

/// Whether the default model could be asked: its key is there. No model is asked. An agent's pod without it can do nothing; a server for everything
/// can, since each run may name another model, so it only says what is missing.
@Wellness
@Singleton
class ModelHealth implements HealthCheck {
    private static final String NAME = "model";

    private final CompositionRoot root;
    private final Models models;
    private final Optional<String> export;

    /// @param export `QUARKUS_FUNQY_EXPORT`, the one function of this process
    ModelHealth(CompositionRoot root, Models models, @ConfigProperty(name = "quarkus.funqy.export") Optional<String> export) {
        this.root = root;
        this.models = models;
        this.export = export;
    }

    @Override
    public HealthCheckResponse call() {
        boolean agent = export.flatMap(Functions::exported).filter(function -> function.kind() == Functions.FunctionKind.AGENT).isPresent();
        if (export.isPresent() && !agent) {
            return HealthCheckResponse.up(NAME);
        }
        try {
            String model = root.config(Json.object()).models().model();
            models.get(model);
            return HealthCheckResponse.named(NAME).up().withData("model", model).build();
        } catch (Invalid e) {
            return HealthCheckResponse.named(NAME).status(!agent).withData("missing", e.getMessage()).build();
        }
    }
}
