package io.mlestar.app.start;

import io.mlestar.adapter.bucket.DataSets;
import io.mlestar.adapter.bucket.SharedFolders;
import io.mlestar.adapter.model.Models;
import io.mlestar.adapter.tool.ToolSettings;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.DailyBudget;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.task.ModelSettings;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.core.task.ToolAccess;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Checks what a run may have only if the operator allows it: folders, commands, addresses, prices,
/// permissions. It is the one place for all runs that are not started by hand: when an event asks
/// for a run, and whenever a process works on a run of the store, into which others may have
/// written. The table in `docs/settings.md` says who may set what.
///
/// @param byHand the run that the user of the command line has this process conduct; empty for a
///   server
public record Admission(Models models, Map<String, String> environment, Optional<String> byHand) {
    /// Permission modes from the most lenient to the strictest.
    private static final List<String> STRICTER =
            List.of("bypassPermissions", "acceptEdits", "custom");

    /// @throws Invalid saying what the operator would have to allow
    public void check(RunHeader run) {
        if (byHand.filter(run.runId()::equals).isPresent()) {
            return;
        }
        try {
            check(run.task(), run.config());
        } catch (Invalid e) {
            throw new Invalid("run " + run.runId() + " brings what the operator has not allowed: "
                    + e.getMessage());
        }
    }

    /// @param task with an absolute `data_dir`, or one in the working folder
    /// @throws Invalid saying what the operator would have to allow
    public void check(TaskDescription task, PipelineConfig config) {
        PipelineConfig own = PipelineConfig.resolve(Json.object(), environment);
        SharedFolders folders = SharedFolders.of(environment);
        folders.checkData(task.dataDir());
        config.models()
                .used()
                .stream()
                .filter(model -> ModelSettings.isRecorded(model)
                        && !model.equals(own.models().model()))
                .forEach(model -> folders.check("model " + ModelSettings.RECORDED + "FOLDER",
                        model.substring(ModelSettings.RECORDED.length())));
        checkPrices(config.models());
        checkPermissions(config.tools(), own.tools());
        checkServers(config.tools());
    }

    /// Checks a stored run that a user of the command line takes up, since another user may have
    /// written it: it starts no program that the environment does not allow, and shows no keys.
    ///
    /// @throws Invalid saying what the operator would have to allow
    public void checkTakenUp(RunHeader run) {
        if (!DataSets.isRemote(run.task().dataDir())) {
            SharedFolders.of(environment).checkKeys("data_dir", run.task().dataDir());
        }
        checkServers(run.config().tools());
    }

    private void checkServers(ToolAccess tools) {
        tools.mcpServers().forEach((name, server) -> server.checkUntrusted(name, environment));
    }

    /// The operator sets the day's budget and the prices by which it is counted.
    private void checkPrices(ModelSettings settings) {
        boolean isLimited = DailyBudget.of(environment).isPresent();
        settings.prices()
                .keySet()
                .stream()
                .filter(model -> isLimited || models.isPriced(model, Map.of()))
                .findFirst()
                .ifPresent(model -> {
                    throw new Invalid("prices." + model
                            + (isLimited
                                    ? " is not taken where " + DailyBudget.VARIABLE
                                            + " limits the day's money"
                                    : " is known here and stays as it is")
                            + ", for a run that is not started by hand; MLE_STAR_MODELS names prices where the program runs");
                });
        if (isLimited) {
            settings.used()
                    .stream()
                    .filter(model -> !models.isPriced(model, Map.of()))
                    .findFirst()
                    .ifPresent(model -> {
                        throw new Invalid(
                                DailyBudget.VARIABLE + " needs prices, but that of model " + model
                                        + " is unknown; MLE_STAR_MODELS names prices where the "
                                        + "program runs");
                    });
        }
    }

    private static void checkPermissions(ToolAccess asked, ToolAccess own) {
        String mode = asked.permissionMode();
        if (STRICTER.indexOf(mode) < STRICTER.indexOf(own.permissionMode())) {
            throw new Invalid("permission_mode: " + mode + " is the operator's to choose; it is "
                    + own.permissionMode()
                    + ", or what MLE_STAR_PERMISSION_MODE says where the program runs");
        }
        if (asked.blockedCommands() != null
                && !asked.blockedCommands().containsAll(ToolSettings.BLOCKED_COMMANDS)) {
            throw new Invalid(
                    "blocked_commands must hold the built-in ones, " + ToolSettings.BLOCKED_COMMANDS
                            + ", for a run that is not started by hand");
        }
    }
}
