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
import io.mlestar.core.task.SearchSettings;
import io.mlestar.core.task.TaskDescription;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Checks all that a run is started with, before anything is paid for (REQ-OR-002).
public record Launch(Models models, Prompts prompts, Machine machine, Map<String, String> environment) {
    private static final Logger LOG = Logger.getLogger("mle_star");
    private static final int LONGEST_ID = 63;
    /// Digits of the digest in the ids of runs that events ask for.
    private static final int MARK = 16;

    /// @param runId chosen by the user; empty for one made from `origin`
    /// @param origin what makes a run id unique, e.g. the id of the event that asked for the run
    /// @param task as the user wrote it; a relative `data_dir` is looked for in `base`
    /// @throws Invalid naming what is wrong
    public RunHeader header(Optional<String> runId, String origin, JsonNode task, JsonNode config, Path base, Instant now) {
        return header(runId.orElseGet(() -> named(Json.readStrictly(task, TaskDescription.class).competitionId(), origin)), task, config, base, now, true);
    }

    /// @param byHand whether a user of the command line starts it; else it has to pass [Admission] before anything is looked for
    private RunHeader header(String runId, JsonNode task, JsonNode config, Path base, Instant now, boolean byHand) {
        TaskDescription described = Json.readStrictly(task, TaskDescription.class);
        Metric.checkDirection(described);
        String id = StepPath.root(runId).run();
        PipelineConfig asked = PipelineConfig.resolve(config, environment);
        if (!byHand) {
            admission().check(described.withDataDir(DataSets.resolved(described.dataDir(), base)), asked);
        }
        String data = new DataSets(environment).found(described.dataDir(), base);
        ScriptHardware place = hardware(asked, described);
        PipelineConfig resolved = asked.on(place.kind());
        resolved.models().used().forEach(this::checkModel);
        checkPrices(resolved);
        AgentConfig.of(resolved);
        if (resolved.search().agentsLook() > 0 && ScriptHardware.isCluster(environment)) {
            LOG.warn("agents_look: agents do not look at the data here, since the functions that ask models have no Python");
        }
        return new RunHeader(id, described.withDataDir(data), resolved, place.description(), ProgramVersion.HERE.toString(), prompts.digest(), now,
                now.plusSeconds(resolved.limits().timeLimitSeconds()), null, here());
    }

    /// What a run with these settings would ask, take and cost on this machine, if scripts and answers take as long as they usually do.
    public Forecast forecast(PipelineConfig config) {
        return Forecast.of(config, Forecast.RunDurations.USUAL, machine.slots(environment),
                (model, tokens) -> models.price(model, config.models().prices(), tokens));
    }

    private static RunHeader apart(RunHeader header, Records records) {
        Stores.checkApart(header.task().dataDir(), records.store().address(""));
        return header;
    }

    private Admission admission() {
        return new Admission(models, environment, Optional.empty());
    }

    /// A run that an event asks for by a [RunRequest], as far as [Admission] allows.
    ///
    /// @throws Invalid naming what is wrong
    public RunHeader requested(Records records, JsonNode data, String origin, Path base, Instant now) {
        RunRequest requested = RunRequest.of(data, BucketObject.by(environment));
        ObjectNode config = requested.settings();
        // The same event names the same run.
        String id = requested.runId().orElseGet(() -> named(requested.fork() != null ? requested.fork().run()
                : Json.readStrictly(requested.ownTask(), TaskDescription.class).competitionId(), origin));
        Optional<RunHeader> begun = records.header(StepPath.root(id).run());
        if (begun.isPresent()) {
            checkSame(begun.get(), requested, config);
            return begun.get();
        }
        DailyBudget.check(environment, records.store(), now);
        RunRequest.Fork fork = requested.fork();
        return fork != null ? fork(records, fork.run(), fork.at(), List.of(), id, config, now, false)
                : apart(header(id, requested.ownTask(), config, base, now, false), records);
    }

    /// @param origin what makes it unique, of which there are as many as of digests
    private static String named(String after, String origin) {
        return runId(after, Sha256.hex(origin.getBytes(StandardCharsets.UTF_8)).substring(0, MARK));
    }

    /// Makes a run's id of the name of a task or of another run, with other characters replaced, and a mark that tells it from others.
    public static String runId(String after, String mark) {
        String name = after.replaceAll("[^A-Za-z0-9._-]", "-").replaceAll("\\.{2,}", ".").replaceFirst("^[^A-Za-z0-9]+", "");
        int most = LONGEST_ID - 1 - mark.length();
        return (name.isEmpty() ? "run" : name.substring(0, Math.min(most, name.length()))) + "-" + mark;
    }

    /// @throws Invalid if a run of this name is there that is not the one asked for
    private void checkSame(RunHeader begun, RunRequest requested, ObjectNode config) {
        boolean same;
        if (requested.fork() != null) {
            same = begun.origin() != null && begun.origin().run().equals(requested.fork().run());
        } else {
            TaskDescription task = Json.readStrictly(requested.ownTask(), TaskDescription.class).withDataDir(begun.task().dataDir());
            PipelineConfig asked = PipelineConfig.resolve(config, environment);
            same = task.equals(begun.task()) && Json.tree(asked.on(hardware(asked, task).kind())).equals(Json.tree(begun.config()));
        }
        if (!same) {
            throw new Invalid("run " + begun.runId() + " was begun with another task or configuration; use another run_id");
        }
    }

    /// A run that begins with what `other` has finished and what does not depend on step `at`, and goes on in its own way.
    ///
    /// @param at path of a step of the other run, without the run; null to share all that succeeded
    /// @param redo paths of the other's steps that are done again with all that is below them, or `failed`
    /// @param changes to the other's configuration
    /// @throws Invalid naming what is wrong
    public RunHeader fork(Records records, String other, @Nullable String at, List<String> redo, Optional<String> runId, ObjectNode changes, Instant now) {
        admission().checkTakenUp(records.header(other).orElseThrow(() -> new Invalid("there is no run " + other)));
        return fork(records, other, at, redo, runId.orElseGet(() -> firstFree(records, other)), changes, now, true);
    }

    private RunHeader fork(Records records, String other, @Nullable String at, List<String> redo, String runId, ObjectNode changes, Instant now,
            boolean byHand) {
        RunHeader from = records.header(other).orElseThrow(() -> new Invalid("there is no run " + other));
        Stream.concat(Stream.ofNullable(at).filter(step -> records.request(new StepPath(other, step)).isEmpty()),
                RunHeader.Redo.of(redo, false).steps().stream().filter(step -> !ResultReuse.isKnown(records, new StepPath(other, step)))).findFirst()
                .ifPresent(step -> {
                    throw new Invalid("run " + other + " has no step " + step + "; mlestar show " + other + " lists its steps");
                });
        List<String> again = at == null ? redo
                : Stream.concat(redo.stream(), ResultReuse.dependents(records, from, new StepPath(other, at)).stream()).toList();
        ObjectNode config = (ObjectNode) Json.tree(from.config());
        config.setAll(changes);
        RunHeader header = apart(header(runId, Json.tree(from.task()), config, Path.of("/"), now, byHand), records);
        SearchSettings search = header.config().search();
        if (search.validation() != from.config().search().validation() || !search.folds().equals(from.config().search().folds())) {
            throw new Invalid("a fork has the validation and the folds of its run, since scores by other rows cannot be compared; begin a new run for others");
        }
        return header.from(new RunHeader.Origin(other, at, now, RunHeader.Redo.of(again, header.isElsewhereThan(from))));
    }

    /// Null in a cluster, where other machines run the scripts.
    private RunHeader.@Nullable Environment here() {
        if (ScriptHardware.isCluster(environment)) {
            return null;
        }
        try {
            Python python = Python.of(environment);
            return new RunHeader.Environment(python.version() + " at " + python.executable(), python.libraries(),
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
        String limit = config.limits().maxBudgetUsd() == null ? DailyBudget.VARIABLE : "max_budget_usd";
        for (AgentType agent : AgentType.values()) {
            String model = config.models().modelOf(agent);
            if (!models.isPriced(model, config.models().prices())) {
                throw new Invalid(limit + " needs prices, but that of model " + model
                        + (model.equals(config.models().model()) ? "" : " (agents." + agent.id() + ".model)") + " is unknown; set prices, e.g. prices: {\""
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
