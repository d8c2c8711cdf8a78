package io.mlestar.show.telemetry;

import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.ProxyRules;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Trace;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Arithmetic;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.AgentType;
import io.mlestar.show.view.StepView;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.trace.IdGenerator;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/// Sends a span for each step that ended to an OpenTelemetry collector, as OTLP over HTTP. A span
/// starts and ends when its step did, and is made when the result is stored, so no process keeps
/// one open. The standard variables `OTEL_…` configure the rest.
final class Spans implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger("mle_star.traces");
    private static final Map<String, String> DEFAULTS =
            Map.of("otel.service.name", "mlestar", "otel.exporter.otlp.protocol", "http/protobuf",
                    "otel.metrics.exporter", "none", "otel.logs.exporter", "none");
    private static final int LONGEST_REASON = 300;
    private static final int LAST_SECONDS = 5;
    /// The span that is being made on this thread.
    private static final ScopedValue<Born> BORN = ScopedValue.newInstance();

    private record Born(Trace trace, StepPath step) {}

    private final OpenTelemetrySdk sdk;
    private final Tracer tracer;

    Spans(ProxyRules proxies) {
        sdk = AutoConfiguredOpenTelemetrySdk.builder()
                .setComponentLoader(new OtlpHttp.Parts(proxies))
                .addPropertiesSupplier(() -> DEFAULTS)
                .disableShutdownHook()
                .addSpanExporterCustomizer(
                        (exporter, properties) -> new LoggingSpanExporter(exporter,
                                properties.getString("otel.exporter.otlp.traces.endpoint",
                                        properties.getString("otel.exporter.otlp.endpoint", "?")),
                                new AtomicBoolean()))
                .addTracerProviderCustomizer(
                        (provider, properties) -> provider.setIdGenerator(new Ids()))
                .build()
                .getOpenTelemetrySdk();
        tracer = sdk.getTracer("mlestar");
    }

    /// Names a span by its step.
    private static final class Ids implements IdGenerator {
        @Override
        public String generateSpanId() {
            return BORN.get().trace().span(BORN.get().step());
        }

        @Override
        public String generateTraceId() {
            return BORN.get().trace().id();
        }
    }

    void ended(Trace trace, RunHeader run, StepPath path, StepRequest request, StepResult result) {
        ScopedValue.where(BORN, new Born(trace, path)).run(() -> {
            StepView step = StepView.of(new KnownStep(path, request, Optional.of(result)));
            // A result shared with another run took no time.
            boolean shared = result.sharedWith() != null;
            Instant begin = shared ? request.askedAt() : result.startedAt();
            Span span = tracer.spanBuilder(name(path, request))
                    .setSpanKind(SpanKind.INTERNAL)
                    .setParent(parent(trace, path))
                    .setStartTimestamp(begin)
                    .setAllAttributes(attributes(run, step, request, result))
                    .startSpan();
            reason(step).ifPresent(reason -> span.setStatus(StatusCode.ERROR, reason));
            span.end(shared ? begin : result.endedAt());
        });
    }

    private static Context parent(Trace trace, StepPath step) {
        return trace.parent(step)
                .map(span -> Context.root()
                        .with(Span.wrap(SpanContext.createFromRemoteParent(trace.id(), span,
                                trace.sampled() ? TraceFlags.getSampled() : TraceFlags.getDefault(),
                                TraceState.getDefault()))))
                .orElse(Context.root());
    }

    private static String name(StepPath step, StepRequest request) {
        String name =
                step.inside().isEmpty() ? "pipeline" : step.name().replaceFirst("-?\\d+$", "");
        return request.isAgent() ? "invoke_agent " + name : name;
    }

    /// OpenTelemetry leaves out attributes that are null.
    private static Attributes attributes(
            RunHeader run,
            StepView step,
            StepRequest request,
            StepResult result) {
        String outcome = Tracing.outcome(request, result);
        AttributesBuilder all = Attributes.builder()
                .put("mlestar.run", step.path().run())
                .put("mlestar.step", step.path().toString())
                .put("mlestar.kind",
                        request.isPhase() ? "phase" : request.work().replaceFirst("/.*", ""))
                .put("mlestar.outcome", outcome)
                .put("mlestar.path", step.path().refinementPath().orElse(null))
                .put(AttributeKey.doubleKey("mlestar.score"), step.score().value())
                .put(AttributeKey.doubleKey("mlestar.cost_usd"), result.costUsd())
                .put("mlestar.shared_with", result.sharedWith())
                .put("error.type", result.isDone() ? null : outcome);
        switch (step.step()) {
            case RunScript script ->
                all.put("mlestar.script.kind", script.kind().name().toLowerCase(Locale.ROOT));
            case Agent<?> agent -> agent(all, run, agent.type(), step);
            case Arithmetic<?> arithmetic -> {}
            case Phase<?> phase -> {}
        }
        return all.build();
    }

    /// The conventions for generative AI: one question to an agent, with all that its tools and
    /// retries took.
    private static void agent(
            AttributesBuilder all,
            RunHeader run,
            AgentType agent,
            StepView step) {
        all.put("mlestar.agent", agent.id())
                .put("gen_ai.operation.name", "invoke_agent")
                .put("gen_ai.agent.name", agent.id());
        if (step.found() instanceof StepView.Replied(var asked, Answer answer)) {
            String model = answer.usage().model();
            int colon = model.indexOf(':');
            all.put("gen_ai.provider.name", model.substring(0, Math.max(0, colon)))
                    .put("gen_ai.request.model", model.substring(colon + 1))
                    .put("gen_ai.response.model", model.substring(colon + 1))
                    .put("gen_ai.usage.input_tokens", answer.usage().inputTokens())
                    .put("gen_ai.usage.output_tokens", answer.usage().outputTokens())
                    .put("gen_ai.usage.cache_read.input_tokens", answer.usage().cachedTokens());
        } else {
            all.put("gen_ai.request.model", run.config().models().modelOf(agent));
        }
    }

    /// The reason why the step failed; empty if it did not, or failed in another run.
    private static Optional<String> reason(StepView step) {
        String said = switch (step.found()) {
            case StepView.NotDone(StepResult.Unfinished missed) -> missed.reason();
            case StepView.Executed(var script, Execution.Failed failed) when step.known()
                    .place()
                    .equals(step.path()) ->
                failed.error();
            case StepView.Executed ran -> null;
            case StepView.Computed<?> computed -> null;
            case StepView.Replied replied -> null;
            case StepView.Returned<?> returned -> null;
            case StepView.Pending pending -> null;
        };
        return Optional.ofNullable(said).map(reason -> Excerpt.clip(reason, LONGEST_REASON));
    }

    /// Sends the remaining spans, within some seconds.
    @Override
    public void close() {
        if (!sdk.shutdown().join(LAST_SECONDS, TimeUnit.SECONDS).isSuccess()) {
            LOG.warnf("the last spans were not sent: the collector did not take them within %d s",
                    LAST_SECONDS);
        }
    }
}
