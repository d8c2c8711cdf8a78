package io.mlestar.core.engine;

import io.mlestar.core.base.Controls;
import io.mlestar.core.step.StepPath;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;

/// The output of the scripts that run in this process just now. Scripts elsewhere show theirs only
/// when they end.
public final class RunningOutputs {
    private static final int MOST_BYTES = 16 << 10;

    private final Map<StepPath, IntFunction<String>> running = new ConcurrentHashMap<>();

    /// A script has begun.
    ///
    /// @param output the last bytes of what it has printed, as many as asked for
    public void begun(StepPath step, IntFunction<String> output) {
        running.put(step, output);
    }

    public void ended(StepPath step) {
        running.remove(step);
    }

    /// The last lines that a script has printed, with controls shown; empty if it does not run
    /// here. A line that was written over, as progress bars do, counts as one of its own.
    public Optional<String> tail(StepPath step, int lines) {
        return Optional.ofNullable(running.get(step))
                .map(output -> last(output.apply(MOST_BYTES), lines));
    }

    private static String last(String text, int most) {
        List<String> lines = text.lines().toList();
        return Controls.shown(
                String.join("\n", lines.subList(Math.max(0, lines.size() - most), lines.size())));
    }
}
