package io.mlestar.adapter.script;

import io.mlestar.adapter.script.isolation.Workspace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/// One process in the sandbox.
///
/// @param data folder that the workspace's `input` shows
/// @param program the command line
/// @param allowed total time, from the start; asked repeatedly, since scripts that come later may get a share
record ScriptJobSpec(Workspace workspace, Path data, List<String> program, Supplier<Duration> allowed, ResourceShare share, ScriptListener listener) {
    /// What one script gets of the machine.
    ///
    /// @param threads that its libraries use unless it says otherwise
    /// @param gpus as `CUDA_VISIBLE_DEVICES` names them; empty leaves what the machine says
    /// @param facts for a probe of the machine, which cannot see them from inside a sandbox; empty for any other script
    record ResourceShare(int threads, List<String> gpus, String facts) {}
}
