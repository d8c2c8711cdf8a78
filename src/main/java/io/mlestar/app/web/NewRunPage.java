package io.mlestar.app.web;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.app.http.ContentNegotiation;
import io.mlestar.app.program.RunSupervisor;
import io.mlestar.app.program.Server;
import io.mlestar.app.start.Caller;
import io.mlestar.app.start.Forecast;
import io.mlestar.app.start.Launch;
import io.mlestar.app.start.RunRequest;
import io.mlestar.app.start.RunRequest.NewTask;
import io.mlestar.app.start.TaskFolder;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.task.Preset;
import io.mlestar.show.render.Formats;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/// Starts a run of a task that lies in the folder of tasks, by the rules for runs that an event
/// asks for.
///
/// ```
/// GET  /new                        a form
/// GET  /new?task=…&preset=…        the same with an estimate, or with what is wrong
/// POST /runs                       starts the run: {"task", "preset", "model"?, "max_budget_usd"?, "mark"?}
/// ```
@Singleton
class NewRunPage {
    private static final int BEFORE_FUNQY = -500;
    private static final int LONGEST = 200;

    private final TaskFolder tasks;
    private final Launch launch;
    private final Records records;
    private final RunSupervisor supervisor;
    private final StaticFiles files = new StaticFiles();

    NewRunPage(
            @ConfigProperty(name = Server.TASKS) Optional<String> folder,
            Launch launch,
            Records records,
            RunSupervisor supervisor) {
        this.tasks = TaskFolder.of(folder);
        this.launch = launch;
        this.records = records;
        this.supervisor = supervisor;
    }

    /// The fields of the form.
    ///
    /// @param budget in USD, as typed; empty for none
    /// @param mark told from others: the same form starts one run, however often it is sent
    public record Wish(String task, String preset, String model, String budget, String mark) {
        static Wish of(UnaryOperator<@Nullable String> said) {
            String mark = text(said.apply("mark"));
            return new Wish(text(said.apply("task")), text(said.apply("preset")),
                    text(said.apply("model")), text(said.apply("max_budget_usd")),
                    mark.isEmpty() ? UUID.randomUUID().toString() : mark);
        }

        private static String text(@Nullable String typed) {
            String text = typed == null ? "" : typed.strip();
            if (text.length() > LONGEST) {
                throw new Invalid(
                        "a field of the form may have " + LONGEST + " characters, but one has "
                                + text.length());
            }
            return text;
        }

        private ObjectNode settings() {
            ObjectNode settings = Preset.named(preset).settings();
            if (!budget.isEmpty()) {
                settings.put("max_budget_usd", budget);
            }
            if (!model.isEmpty()) {
                settings.put("model", model);
            }
            return settings;
        }
    }

    /// The estimate for a run, as `plan` makes it.
    ///
    /// @param cost in USD
    /// @param model that it would ask
    /// @param isBounded whether a budget ends it
    public record Estimate(
            Forecast forecast,
            String hours,
            String cost,
            String model,
            boolean isBounded) {
        static Estimate of(RunHeader run, Forecast forecast) {
            return new Estimate(forecast, Formats.duration(forecast.hours() * 3600),
                    Formats.dollars(forecast.costUsd()), run.config().models().model(),
                    run.config().limits().maxBudgetUsd() != null);
        }

        public String script() {
            return Formats.duration(Forecast.RunDurations.USUAL.scriptSeconds());
        }

        public String answer() {
            return Formats.duration(Forecast.RunDurations.USUAL.callSeconds());
        }
    }

    void install(@Observes Router router) {
        router.get("/new").order(BEFORE_FUNQY).blockingHandler(this::form, false);
        router.post("/runs").order(BEFORE_FUNQY).blockingHandler(this::start, false);
    }

    private void form(RoutingContext context) {
        Wish wish = Wish.of(context.request()::getParam);
        Estimate estimate = null;
        String wrong = "";
        if (!wish.task().isEmpty()) {
            try {
                RunHeader run = header(wish);
                estimate = Estimate.of(run, launch.forecast(run.config()));
            } catch (Invalid e) {
                if (ContentNegotiation.form(context) != ContentNegotiation.MediaType.HTML) {
                    throw e;
                }
                wrong = e.getMessage();
                context.response().setStatusCode(HttpURLConnection.HTTP_BAD_REQUEST);
            }
        }
        PageTemplates.send(context, new PageTemplates.start(tasks.names(), List.of(Preset.values()),
                wish, Optional.ofNullable(estimate), wrong, files.version()));
    }

    private void start(RoutingContext context) {
        boolean page = ContentNegotiation.form(context) == ContentNegotiation.MediaType.HTML;
        JsonNode said = RunSteering.said(context, page);
        RunHeader run = header(Wish.of(field -> said.path(field).asText()));
        supervisor.start(run);
        context.response()
                .setStatusCode(
                        page ? HttpURLConnection.HTTP_SEE_OTHER : HttpURLConnection.HTTP_ACCEPTED)
                .putHeader("x-mlestar-run", run.runId())
                .putHeader("Location", "/runs/" + run.runId())
                .end();
    }

    /// The run that the form asks for, checked as one that an event asks for.
    ///
    /// @throws Invalid naming what is wrong
    private RunHeader header(Wish wish) {
        RunRequest request = new RunRequest(Optional.empty(), NewTask.of(tasks.file(wish.task())),
                wish.settings());
        return launch.prepare(records, request, new Caller.Sender("page " + wish.mark()),
                Instant.now());
    }
}
