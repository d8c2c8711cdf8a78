package io.mlestar.telemetry;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.engine.RunHeader;
import io.mlestar.engine.Scored;
import io.mlestar.engine.StepRequest;
import io.mlestar.engine.StepResult.Status;
import io.mlestar.engine.StepResult;
import io.mlestar.engine.Trace;
import io.mlestar.step.StepPath;
import io.mlestar.task.AgentType;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/// Sends a span for each step that ended to an OpenTelemetry collector, as OTLP over HTTP. A span begins and ends when its step did, and
/// is made when the result is stored, so no process keeps one open. All else is set by the standard variables `OTEL_…`.
final class Spans implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger("mle_star.traces");
    private static final Map<String, String> DEFAULTS = Map.of("otel.service.name", "mlestar",
            "otel.exporter.otlp.protocol", "http/protobuf",
            "otel.metrics.exporter", "none", "otel.logs.exporter", "none");
    private static final int LONGEST_REASON = 300;
    private static final int LAST_SECONDS = 5;
    /// The span that is being made on this thread.
    private static final ScopedValue<Born> BORN = ScopedValue.newInstance();

    private record Born(Trace trace, StepPath step) {}

    private final OpenTelemetrySdk sdk;
    private final Tracer tracer;

    Spans() {
        sdk = AutoConfiguredOpenTelemetrySdk.builder().setComponentLoader(new OtlpHttp.Parts()).addPropertiesSupplier(() -> DEFAULTS).disableShutdownHook()
                .addSpanExporterCustomizer((exporter, properties) -> new LoggingSpanExporter(exporter,
                        properties.getString("otel.exporter.otlp.traces.endpoint", properties.getString("otel.exporter.otlp.endpoint", "?")),
                        new AtomicBoolean()))
                .addTracerProviderCustomizer((provider, properties) -> provider.setIdGenerator(new Ids()))
                .build().getOpenTelemetrySdk();
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

    void ended(Trace trace, RunHeader run, StepPath step, StepRequest request, StepResult result) {
        ScopedValue.where(BORN, new Born(trace, step)).run(() -> {
            // A result of another run was there at once.
            Instant begin = result.sharedWith() == null ? result.startedAt() : request.askedAt();
            Span span = tracer.spanBuilder(name(step, request)).setSpanKind(SpanKind.INTERNAL).setParent(parent(trace, step))
                    .setStartTimestamp(begin).setAllAttributes(attributes(run, step, request, result)).startSpan();
            if (result.status() != Status.DONE || Tracing.outcome(result).equals("crashed")) {
                span.setStatus(StatusCode.ERROR, reason(result));
            }
            span.end(result.sharedWith() == null ? result.endedAt() : begin);
        });
    }

    private static Context parent(Trace trace, StepPath step) {
        return trace.parent(step).map(span -> Context.root().with(Span.wrap(SpanContext.createFromRemoteParent(trace.id(), span,
                trace.sampled() ? TraceFlags.getSampled() : TraceFlags.getDefault(), TraceState.getDefault())))).orElse(Context.root());
    }

    private static String name(StepPath step, StepRequest request) {
        String name = step.inside().isEmpty() ? "pipeline" : step.name().replaceFirst("-?\\d+$", "");
        return request.isAgent() ? "invoke_agent " + name : name;
    }

    private static Attributes attributes(RunHeader run, StepPath step, StepRequest request, StepResult result) {
        AttributesBuilder all = Attributes.builder().put("mlestar.run", step.run()).put("mlestar.step", step.toString())
                .put("mlestar.kind", request.isAgent() ? "agent" : request.isScript() ? "script" : "phase")
                .put("mlestar.outcome", Tracing.outcome(result));
        step.refinementPath().ifPresent(path -> all.put("mlestar.path", path));
        Double score = Scored.of(result);
        if (score != null) {
            all.put("mlestar.score", score);
        }
        if (result.costUsd() != null) {
            all.put("mlestar.cost_usd", result.costUsd());
        }
        if (result.sharedWith() != null) {
            all.put("mlestar.shared_with", result.sharedWith());
        }
        if (request.isScript()) {
            all.put("mlestar.script.kind", request.input().path("kind").asText().toLowerCase(Locale.ROOT));
        }
        if (request.isAgent()) {
            agent(all, run, request, result);
        }
        if (result.status() != Status.DONE) {
            all.put("error.type", Tracing.outcome(result));
        }
        return all.build();
    }

    /// The conventions for generative AI: one question to an agent, with all that its tools and retries took.
    private static void agent(AttributesBuilder all, RunHeader run, StepRequest request, StepResult result) {
        String agent = request.type().substring(request.type().lastIndexOf('.') + 1);
        all.put("mlestar.agent", agent).put("gen_ai.operation.name", "invoke_agent").put("gen_ai.agent.name", agent);
        JsonNode usage = result.value() == null ? null : result.value().path("usage");
        if (usage == null) {
            AgentType.of(agent).ifPresent(type -> all.put("gen_ai.request.model", run.config().modelOf(type)));
            return;
        }
        String model = usage.path("model").asText();
        String name = model.substring(model.indexOf(':') + 1);
        all.put("gen_ai.provider.name", model.substring(0, Math.max(0, model.indexOf(':')))).put("gen_ai.request.model", name)
                .put("gen_ai.response.model", name).put("gen_ai.usage.input_tokens", usage.path("input_tokens").asLong())
                .put("gen_ai.usage.output_tokens", usage.path("output_tokens").asLong())
                .put("gen_ai.usage.cache_read.input_tokens", usage.path("cached_tokens").asLong());
    }

    private static String reason(StepResult result) {
        String said = result.reason() != null ? result.reason() : result.value().path("bug").asText("").strip().lines()
                .reduce((first, second) -> second).orElse("");
        return said.substring(0, Math.min(said.length(), LONGEST_REASON));
    }

    /// Sends what is left, within some seconds.
    @Override
    public void close() {
        if (!sdk.shutdown().join(LAST_SECONDS, TimeUnit.SECONDS).isSuccess()) {
            LOG.warnf("the last spans were not sent: the collector did not take them within %d s", LAST_SECONDS);
        }
    }
}
