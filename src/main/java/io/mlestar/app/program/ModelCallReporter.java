package io.mlestar.app.program;

import io.mlestar.adapter.model.ModelCallListener;
import io.mlestar.core.engine.Watchers;
import io.mlestar.core.step.StepPath;
import io.mlestar.show.telemetry.Outages;
import io.mlestar.show.telemetry.ProcessMetrics;
import io.mlestar.show.telemetry.Tracing;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/// Reports the server's calls of models to metrics, traces and the log of outages.
@Singleton
class ModelCallReporter implements ModelCallListener {
    private final ProcessMetrics metrics;
    private final Tracing tracing;
    private final Outages outages;

    ModelCallReporter(ProcessMetrics metrics, Tracing tracing, Watchers watchers) {
        this.metrics = metrics;
        this.tracing = tracing;
        this.outages = new Outages(watchers::outage, InstantSource.system());
    }

    @Override
    public Map<String, String> headers(StepPath step) {
        return tracing.context(step);
    }

    @Override
    public void retried(Optional<StepPath> step, String provider, String reason, String said) {
        metrics.modelRetried(provider, reason);
        outages.retried(step, provider, reason, said);
    }

    @Override
    public void givenUp(Optional<StepPath> step, String provider, String said) {
        outages.givenUp(step, provider, said);
    }

    @Override
    public void answered(Optional<StepPath> step, String provider) {
        outages.answered(step, provider);
    }
}
