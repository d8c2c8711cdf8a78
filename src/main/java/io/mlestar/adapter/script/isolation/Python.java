package io.mlestar.adapter.script.isolation;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The interpreter that runs the scripts.
///
/// @param executable the real program, behind any launcher script
/// @param prefixes folders that it needs beside the system's
/// @param version e.g. `3.11.7`
public record Python(Path executable, List<Path> prefixes, String version) {
    private static final Duration MOST = Duration.ofSeconds(20);
    private static final String PROBE = "import json, sys, platform;"
            + "print(json.dumps([sys.executable, platform.python_version(), sys.prefix, sys.base_prefix]))";

    private static final String LIBRARIES = "import hashlib, importlib.metadata as metadata;"
            + "print(hashlib.sha256(chr(10).join(sorted({str(one.metadata['Name']) + ' ' + str(one.version)"
            + " for one in metadata.distributions()})).encode()).hexdigest())";

    /// The interpreter that `MLE_STAR_PYTHON` names; `python3` if it is not set.
    ///
    /// @throws Invalid as `find`
    public static Python of(Map<String, String> environment) {
        return find(environment.getOrDefault("MLE_STAR_PYTHON", "python3"));
    }

    /// Asks the interpreter for its version and folders.
    ///
    /// @param command a path, or a name on the PATH
    /// @throws Invalid if there is no such interpreter, it does not answer, or it is older than
    ///   3.10
    public static Python find(String command) {
        return find(command, MOST);
    }

    /// @param most how long the answer may take
    static Python find(String command, Duration most) {
        JsonNode found = answer(command, ShortCommand.answer(List.of(command, "-c", PROBE), most)
                .orElseThrow(() -> missing(command)));
        String version = found.path(1).asText();
        String[] parts = version.split("\\.", -1);
        int major = Integer.parseInt(parts[0]);
        if (major < 3 || major == 3 && Integer.parseInt(parts[1]) < 10) {
            throw new Invalid("the Python interpreter \"" + command + "\" is " + version
                    + "; scripts need 3.10 or newer (MLE_STAR_PYTHON)");
        }
        List<Path> prefixes = new ArrayList<>();
        for (int i = 2; i < found.size(); i++) {
            Path prefix = Path.of(found.path(i).asText());
            if (!prefix.startsWith("/usr") && !prefixes.contains(prefix)) {
                prefixes.add(prefix);
            }
        }
        return new Python(Path.of(found.path(0).asText()), List.copyOf(prefixes), version);
    }

    /// Digest of the names and versions of all libraries that are installed; empty if the
    /// interpreter cannot say.
    public String libraries() {
        return ShortCommand.answer(List.of(executable.toString(), "-c", LIBRARIES), MOST)
                .map(String::strip)
                .orElse("");
    }

    private static JsonNode answer(String command, String output) {
        try {
            JsonNode found = Json.parse(output);
            if (found.path(1).asText().matches("\\d+\\.\\d+\\..*")) {
                return found;
            }
        } catch (Invalid e) {
            // Some other program, as below.
        }
        throw missing(command);
    }

    private static Invalid missing(String command) {
        return new Invalid(
                "the Python interpreter \"" + command
                        + "\" does not run; install python3 or set MLE_STAR_PYTHON");
    }
}
