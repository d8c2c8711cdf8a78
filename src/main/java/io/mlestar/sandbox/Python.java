package io.mlestar.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// The interpreter that runs the scripts.
///
/// @param executable the real program, behind any launcher script
/// @param prefixes folders that it needs besides the system's
/// @param version e.g. `3.11.7`
public record Python(Path executable, List<Path> prefixes, String version) {
    private static final String PROBE = "import json, sys, platform;"
            + "print(json.dumps([sys.executable, platform.python_version(), sys.prefix, sys.base_prefix]))";

    private static final String VERSIONS = String.join("\n", "import json, sys, importlib.metadata as metadata", "found = {}",
            "for name in sys.argv[1:]:", "    try: found[name] = metadata.version(name)",
            "    except metadata.PackageNotFoundError: pass", "print(json.dumps(found))");

    private static final String LIBRARIES = "import hashlib, importlib.metadata as metadata;"
            + "print(hashlib.sha256(chr(10).join(sorted({str(one.metadata['Name']) + ' ' + str(one.version)"
            + " for one in metadata.distributions()})).encode()).hexdigest())";

    /// The interpreter that `MLE_STAR_PYTHON` names; `python3` if it is not set.
    ///
    /// @throws Invalid as `find`
    public static Python of(Map<String, String> environment) {
        return find(environment.getOrDefault("MLE_STAR_PYTHON", "python3"));
    }

    /// Asks the interpreter who it is.
    ///
    /// @param command a path, or a name on the PATH
    /// @throws Invalid if there is no such interpreter or it is older than 3.9
    public static Python find(String command) {
        try {
            Process process = new ProcessBuilder(command, "-c", PROBE).redirectError(ProcessBuilder.Redirect.DISCARD).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(20, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw missing(command);
            }
            JsonNode found = answer(command, output);
            String version = found.path(1).asText();
            String[] parts = version.split("\\.");
            if (Integer.parseInt(parts[0]) < 3 || Integer.parseInt(parts[0]) == 3 && Integer.parseInt(parts[1]) < 9) {
                throw new Invalid("the Python interpreter \"" + command + "\" is " + version + "; scripts need 3.9 or newer (MLE_STAR_PYTHON)");
            }
            List<Path> prefixes = new ArrayList<>();
            for (int i = 2; i < found.size(); i++) {
                Path prefix = Path.of(found.path(i).asText());
                if (!prefix.startsWith("/usr") && !prefixes.contains(prefix)) {
                    prefixes.add(prefix);
                }
            }
            return new Python(Path.of(found.path(0).asText()), List.copyOf(prefixes), version);
        } catch (IOException e) {
            throw missing(command);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw missing(command);
        }
    }

    /// Versions of the libraries that are installed, by the names of their distributions; those that are not are left out.
    public Map<String, String> versions(List<String> libraries) {
        Map<String, String> versions = new LinkedHashMap<>();
        try {
            List<String> command = new ArrayList<>(List.of(executable.toString(), "-c", VERSIONS));
            command.addAll(libraries);
            Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
            byte[] output = process.getInputStream().readAllBytes();
            Json.parse(output).properties().forEach(library -> versions.put(library.getKey(), library.getValue().asText()));
        } catch (IOException | Invalid e) {
            // An interpreter that cannot say what it has has nothing.
        }
        return versions;
    }

    /// Digest of the names and versions of all libraries that are installed; empty if the interpreter cannot say.
    public String libraries() {
        try {
            Process process = new ProcessBuilder(executable.toString(), "-c", LIBRARIES).redirectError(ProcessBuilder.Redirect.DISCARD).start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            return "";
        }
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
        return new Invalid("the Python interpreter \"" + command + "\" does not run; install python3 or set MLE_STAR_PYTHON");
    }
}
