package io.mlestar.core.result;

import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.task.LimitSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The commands that help with a run that does not go on by itself, without the option for its
/// store.
public final class NextCommands {
    private NextCommands() {}

    /// A look at the script that failed; then a new run that keeps what succeeded, with twice the
    /// money or time if the run had too little.
    public static List<String> failed(RunHeader run, StepResult end, @Nullable Crash crash) {
        LimitSettings limits = run.config().limits();
        String reason = String.valueOf(end.reason());
        List<String> commands = new ArrayList<>();
        if (crash != null) {
            commands.add("mlestar show " + run.runId() + " " + crash.step());
        }
        String again = "mlestar fork " + run.runId() + " --at phase1 --set ";
        if (limits.maxBudgetUsd() != null && reason.contains("budget")) {
            commands.add(again
                    + String.format(Locale.ROOT, "max_budget_usd=%.2f", 2 * limits.maxBudgetUsd()));
        } else if (end.isStopped() && reason.contains("time")) {
            commands.add(again + "time_limit_seconds=" + 2L * limits.timeLimitSeconds());
        } else {
            String redo = crash == null ? "" : " --redo " + crash.step().replaceFirst("/.*", "");
            commands.add("mlestar resume " + run.runId() + redo);
        }
        return commands;
    }
}
