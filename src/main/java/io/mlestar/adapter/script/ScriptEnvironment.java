package io.mlestar.adapter.script;

import io.mlestar.adapter.script.ScriptJobSpec.ResourceShare;
import io.mlestar.adapter.script.isolation.Python;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// All that a script sees of the environment: no keys, no tokens (REQ-EX-004).
///
/// @param visibleGpus chosen by the operator, as `CUDA_VISIBLE_DEVICES` names them
/// @param offline whether there is no network
record ScriptEnvironment(
        Python python,
        Weights weights,
        Optional<String> visibleGpus,
        boolean offline) {
    /// Variables from which libraries take their number of threads; the last is joblib's, whose
    /// `n_jobs=-1` means so many.
    private static final List<String> THREADS =
            List.of("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
                    "NUMEXPR_MAX_THREADS", "POLARS_MAX_THREADS", "RAYON_NUM_THREADS",
                    "LOKY_MAX_CPU_COUNT");

    Map<String, String> variables(Path home, ResourceShare share) {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("PATH", python.executable().getParent() + ":/usr/local/bin:/usr/bin:/bin");
        environment.put("HOME", home.toString());
        environment.put("TMPDIR", home.toString());
        // Behind a wall the user has no name, and libraries fail that name a folder after it
        // (PyTorch).
        environment.put("USER", "script");
        environment.put("LOGNAME", "script");
        environment.put("LANG", "C.UTF-8");
        environment.put("PYTHONUNBUFFERED", "1");
        environment.put("PYTHONHASHSEED", "0");
        environment.put("PYTHONFAULTHANDLER", "1");
        environment.put("PYTHONDONTWRITEBYTECODE", "1");
        environment.put("NO_ALBUMENTATIONS_UPDATE", "1");
        THREADS.forEach(variable -> environment.put(variable, Integer.toString(share.threads())));
        // A thread of OpenMP that waits spins. On processors that others use, too, it soon has to
        // sleep, or it takes them from the threads it waits for.
        environment.put("GOMP_SPINCOUNT", "1000");
        // Warnings of changes in later versions of libraries would fill the output of a script.
        environment.put("PYTHONWARNINGS", "ignore::DeprecationWarning,ignore::FutureWarning");
        environment.putAll(weights.environment(home, offline));
        Optional<String> visible =
                share.gpus().isEmpty() ? visibleGpus : Optional.of(String.join(",", share.gpus()));
        visible.ifPresent(chosen -> environment.put(Machine.DEVICES, chosen));
        if (!share.facts().isEmpty()) {
            environment.put("SURVEY_TOLD", share.facts());
        }
        return environment;
    }
}
