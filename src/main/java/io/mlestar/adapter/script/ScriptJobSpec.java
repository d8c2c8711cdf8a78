package io.mlestar.adapter.script;

import io.mlestar.adapter.script.isolation.Workspace;
import io.mlestar.core.base.Sha256;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// One process in the sandbox.
///
/// @param data folder that the workspace's `input` shows
/// @param program the command line
/// @param allowed total time, from the start; asked repeatedly, since scripts that come later may
///   get a share
/// @param rows see [RunScript#rows]
record ScriptJobSpec(
        Workspace workspace,
        Path data,
        List<String> program,
        Supplier<Duration> allowed,
        ResourceShare share,
        ScriptListener listener,
        Optional<Integer> rows) {
    /// The share of the machine that one script gets.
    ///
    /// @param threads that its libraries use unless it says otherwise
    /// @param gpus as `CUDA_VISIBLE_DEVICES` names them; empty leaves what the machine says
    /// @param facts for a probe of the machine, which cannot see them from inside a sandbox; empty
    ///   for any other script
    record ResourceShare(int threads, List<String> gpus, String facts) {}

    /// The limits that the script is told, as variables of its environment.
    Map<String, String> limits() {
        Map<String, String> limits =
                new HashMap<>(Map.of(RunScript.SECONDS, String.valueOf(allowed.get().toSeconds())));
        rows.ifPresent(most -> limits.put(RunScript.ROWS, most.toString()));
        return limits;
    }

    /// Stores the submission that the script wrote: the last script's is the run's, a solution's a
    /// last resort.
    Execution.Submission keptSubmission() throws IOException {
        Path file = workspace.submission();
        String key = listener.keep(
                "submission-" + Sha256.hex(Files.newInputStream(file)).substring(0, 12) + ".csv",
                Files.newInputStream(file));
        return new Execution.Submission(key, Files.size(file), workspace.submissionRows(),
                listener.wrong(file).orElse(null));
    }
}
