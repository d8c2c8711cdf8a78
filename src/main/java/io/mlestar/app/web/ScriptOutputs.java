package io.mlestar.app.web;

import io.mlestar.core.engine.RunningOutputs;
import io.mlestar.core.step.RunScript;
import io.mlestar.show.view.LiveRun;
import io.mlestar.show.view.StepRow;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/// Shows the output of a run's scripts while they run, if that is in this process.
@Singleton
public class ScriptOutputs {
    private static final int MOST_SCRIPTS = 4;
    private static final int LINES_AMONG_OTHERS = 12;
    private static final int LINES_ALONE = 100;

    private final RunningOutputs running;

    /// The output of one script so far.
    ///
    /// @param text the last lines, controls shown; empty if it has printed nothing, or runs
    ///   elsewhere
    /// @param isHere whether it runs in this process
    public record ScriptOutput(StepRow row, String text, boolean isHere) {}

    ScriptOutputs(RunningOutputs running) {
        this.running = running;
    }

    /// The first few of the open scripts.
    List<ScriptOutput> of(LiveRun run) {
        return run.underWay()
                .stream()
                .filter(ScriptOutputs::isScript)
                .limit(MOST_SCRIPTS)
                .map(row -> of(row, LINES_AMONG_OTHERS))
                .toList();
    }

    /// The output of a running script; empty for any other step.
    List<ScriptOutput> of(Optional<StepRow> row) {
        return row.filter(step -> step.isOpen() && isScript(step))
                .map(step -> of(step, LINES_ALONE))
                .stream()
                .toList();
    }

    private ScriptOutput of(StepRow row, int lines) {
        Optional<String> tail = running.tail(row.step(), lines);
        return new ScriptOutput(row, tail.orElse(""), tail.isPresent());
    }

    private static boolean isScript(StepRow row) {
        return RunScript.NAMES.contains(row.step().plainName());
    }
}
