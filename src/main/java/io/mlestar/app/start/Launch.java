package io.mlestar.app.start;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.bucket.BucketObject;
import io.mlestar.adapter.bucket.DataSets;
import io.mlestar.adapter.bucket.Stores;
import io.mlestar.adapter.grade.Metric;
import io.mlestar.adapter.model.Models;
import io.mlestar.adapter.script.Machine;
import io.mlestar.adapter.script.isolation.Isolation;
import io.mlestar.adapter.script.isolation.Python;
import io.mlestar.app.start.RunRequest.Basis;
import io.mlestar.app.start.RunRequest.Fork;
import io.mlestar.app.start.RunRequest.NewTask;
import io.mlestar.core.agent.AgentConfig;
import io.mlestar.core.agent.Prompts;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.ProgramVersion;
import io.mlestar.core.base.Sha256;
import io.mlestar.core.engine.ResultReuse;
import io.mlestar.core.records.DailyBudget;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.TaskDescription;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// The one way to a run: makes its header of what is asked for, and checks all that it is started
/// with, before anything is paid for (REQ-OR-002).
public record Launch(
        Models models,
        Prompts prompts,
        Machine machine,
        Map<String, String> environment) {
    private static final Logger LOG = Logger.getLogger("mle_star");
    private static final int LONGEST_ID = 63;
    /// Digits of the digest in the ids of runs that events ask for.
    private static final int MARK = 16;
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("MMdd-HHmmss", Locale.ROOT);

    /// Reads the data of an event that asks for a run.
    ///
    /// @throws Invalid as [RunRequest#of]
    public RunRequest request(JsonNode data) {
        return RunRequest.of(data, BucketObject.by(environment));
    }

    /// Makes the header of the run that is asked for, or finds it if the run has begun. Nothing is
    /// stored.
    ///
    /// @throws Invalid naming what is wrong
    public RunHeader prepare(Records records, RunRequest request, Caller caller, Instant now) {
        String id = StepPath
                .root(request.runId().orElseGet(() -> name(records, request.basis(), caller, now)))
                .run();
        Optional<RunHeader> begun = records.header(id);
        if (begun.isPresent()) {
            checkBegun(records, begun.get(), request, caller);
            return begun.get();
        }
        DailyBudget.check(environment, records.store(), now);
        RunHeader header = switch (request.basis()) {
            case NewTask(TaskDescription task) -> header(id, task, request.settings(), caller, now);
            case Fork fork -> fork(records, id, fork, request.settings(), caller, now);
        };
        Stores.checkApart(header.task().dataDir(), records.store().address(""));
        return header;
    }

    private RunHeader header(
            String id,
            TaskDescription task,
            JsonNode settings,
            Caller caller,
            Instant now) {
        Metric.checkDirection(task);
        PipelineConfig asked = PipelineConfig.resolve(settings, environment);
        if (caller instanceof Caller.Sender) {
            // The request is checked before anything is looked for on this machine.
            admission().check(task, asked);
        }
        String data = new DataSets(environment).found(task.dataDir(), Path.of(""));
        ScriptHardware place = hardware(asked, task);
        PipelineConfig resolved = asked.on(place.kind());
        resolved.models().used().forEach(this::checkModel);
        checkPrices(resolved);
        AgentConfig.of(resolved);
        if (resolved.search().agentsLook() > 0 && ScriptHardware.isCluster(environment)) {
            LOG.warn(
                    "agents_look: agents do not look at the data here, since the functions that ask models have no Python");
        }
        return new RunHeader(id, task.withDataDir(data), resolved, place.description(),
                ProgramVersion.HERE.toString(), prompts.digest(), now,
                now.plusSeconds(resolved.limits().timeLimitSeconds()), null, here());
    }

    /// Estimates calls, time and cost of a run with these settings on this machine, if scripts and
    /// answers take as long as they usually do.
    public Forecast forecast(PipelineConfig config) {
        return Forecast.of(config, Forecast.RunDurations.USUAL, machine.slots(environment), models);
    }

    private Admission admission() {
        return new Admission(models, environment, Optional.empty());
    }

    /// The id of a run for which the caller has chosen none.
    private static String name(Records records, Basis basis, Caller caller, Instant now) {
        String after = switch (basis) {
            case NewTask(TaskDescription task) -> task.competitionId();
            case Fork fork -> fork.run();
        };
        return switch (caller) {
            case Caller.CommandLine() when basis instanceof Fork -> firstFree(records, after);
            case Caller.CommandLine() ->
                runId(after, STAMP.format(now.atZone(ZoneId.systemDefault())));
            case Caller.Sender(String origin) ->
                runId(after,
                        Sha256.hex(origin.getBytes(StandardCharsets.UTF_8)).substring(0, MARK));
        };
    }

    /// Makes a run's id of the name of a task or of another run, with other characters replaced,
    /// and a mark that tells it from others.
    static String runId(String after, String mark) {
        String name =
                after.replaceAll("[^A-Za-z0-9._-]", "-")
                        .replaceAll("\\.{2,}", ".")
                        .replaceFirst("^[^A-Za-z0-9]+", "");
        int most = LONGEST_ID - 1 - mark.length();
        String cut = name.substring(0, Math.min(most, name.length()));
        return (cut.isEmpty() ? "run" : cut) + "-" + mark;
    }

    /// @throws Invalid if the run that has this name is not the one asked for, or its data are gone
    private void checkBegun(Records records, RunHeader begun, RunRequest request, Caller caller) {
        boolean isByHand = caller instanceof Caller.CommandLine;
        String run = begun.runId();
        if (isByHand && request.basis() instanceof Fork) {
            throw new Invalid("there is a run " + run + " already; use another --run-id");
        }
        if (!isSame(begun, request)) {
            throw new Invalid(
                    "run " + run + (isByHand
                            ? " was started with another task or configuration; use another --run-id"
                            : " was begun with another task or configuration; use another run_id"));
        }
        if (isByHand && !records.hasEnded(run)) {
            new DataSets(environment).found(begun.task().dataDir(), Path.of(""));
        }
    }

    /// True if the run has the task and the settings that are asked for, once the environment and
    /// the machine have given the rest. A fork has only to name the same other run.
    private boolean isSame(RunHeader begun, RunRequest request) {
        return switch (request.basis()) {
            case Fork fork -> begun.origin() != null && begun.origin().run().equals(fork.run());
            case NewTask(TaskDescription task) -> {
                PipelineConfig asked = PipelineConfig.resolve(request.settings(), environment);
                yield begun.task()
                        .equals(task.withDataDir(pinned(task.dataDir(), begun.task().dataDir())))
                        && Json.tree(begun.config())
                                .equals(Json.tree(asked.on(hardware(asked, task).kind())));
            }
        };
    }

    /// An address without a pin means the data that the run began with.
    private static String pinned(String asked, String begun) {
        return DataSets.isRemote(asked) && begun.startsWith(asked + "#") ? begun : asked;
    }

    /// A run that begins with what another has finished, and goes on in its own way.
    private RunHeader fork(
            Records records,
            String id,
            Fork fork,
            ObjectNode changes,
            Caller caller,
            Instant now) {
        String other = fork.run();
        RunHeader from =
                records.header(other).orElseThrow(() -> new Invalid("there is no run " + other));
        if (caller instanceof Caller.CommandLine) {
            admission().checkTakenUp(from);
        }
        checkSteps(records, fork);
        List<String> again = new ArrayList<>(fork.redo());
        if (fork.at() != null) {
            again.addAll(ResultReuse.dependents(records, from, new StepPath(other, fork.at())));
        }
        ObjectNode config = (ObjectNode) Json.tree(from.config());
        config.setAll(changes);
        RunHeader header = header(id, from.task(), config, caller, now);
        if (!header.config().searchSettings().scoresAlike(from.config().searchSettings())) {
            throw new Invalid(
                    "a fork has the search and the folds of its run, since scores by other rows cannot be compared; begin a new run for others");
        }
        return header.from(
                new RunHeader.Origin(other, fork.at(), now,
                        RunHeader.Redo.of(again, header.isElsewhereThan(from))));
    }

    /// @throws Invalid if the other run has no such steps
    private static void checkSteps(Records records, Fork fork) {
        if (fork.at() != null && records.request(new StepPath(fork.run(), fork.at())).isEmpty()) {
            throw noStep(fork.run(), fork.at());
        }
        for (String step : RunHeader.Redo.of(fork.redo(), false).steps()) {
            if (!ResultReuse.isKnown(records, new StepPath(fork.run(), step))) {
                throw noStep(fork.run(), step);
            }
        }
    }

    private static Invalid noStep(String run, String step) {
        return new Invalid("run " + run + " has no step " + step + "; mlestar show " + run
                + " lists its steps");
    }

    /// Null in a cluster, where other machines run the scripts.
    private RunHeader.@Nullable Environment here() {
        if (ScriptHardware.isCluster(environment)) {
            return null;
        }
        try {
            Python python = Python.of(environment);
            return new RunHeader.Environment(python.version() + " at " + python.executable(),
                    python.libraries(),
                    Isolation.of(python, environment).name().toLowerCase(Locale.ROOT));
        } catch (Invalid e) {
            // A missing interpreter is reported when a script needs it.
            return null;
        }
    }

    /// A budget needs a price for each model.
    private void checkPrices(PipelineConfig config) {
        if (config.limits().maxBudgetUsd() == null && DailyBudget.of(environment).isEmpty()) {
            return;
        }
        String limit =
                config.limits().maxBudgetUsd() == null ? DailyBudget.VARIABLE : "max_budget_usd";
        for (AgentType agent : AgentType.values()) {
            String model = config.models().modelOf(agent);
            if (!models.isPriced(model, config.models().prices())) {
                throw new Invalid(limit + " needs prices, but that of model " + model
                        + (model.equals(config.models().model())
                                ? ""
                                : " (agents." + agent.id() + ".model)")
                        + " is unknown; set prices, e.g. prices: {\""
                        + model + "\": {input: 3, output: 15}}, in USD per million tokens");
            }
        }
    }

    /// In a cluster other processes ask the models, and only they have the keys.
    private void checkModel(String name) {
        if (ScriptHardware.isCluster(environment)) {
            models.check(name);
        } else {
            models.get(name);
        }
    }

    private ScriptHardware hardware(PipelineConfig config, TaskDescription task) {
        return ScriptHardware.of(config.hardware(), task.dataModality(), environment, machine);
    }

    private static String firstFree(Records records, String run) {
        for (int number = 2;; number++) {
            String id = run + "-" + number;
            if (records.header(id).isEmpty()) {
                return id;
            }
        }
    }
}
