package io.mlestar.app.program;

import io.mlestar.adapter.model.Models;
import io.mlestar.adapter.model.Probe;
import io.mlestar.adapter.script.Sandbox;
import io.mlestar.adapter.script.ScriptRunner;
import io.mlestar.adapter.script.isolation.Isolation;
import io.mlestar.adapter.script.isolation.IsolationSelfTest;
import io.mlestar.adapter.script.isolation.Python;
import io.mlestar.adapter.script.isolation.ScriptUser;
import io.mlestar.adapter.tool.Permission;
import io.mlestar.adapter.tool.ToolSettings;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.MachineFacts;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepStopped;
import io.mlestar.core.store.StoreUnavailable;
import io.mlestar.core.survey.MachineReading;
import io.mlestar.core.survey.SurveyScripts;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.DataModality;
import io.mlestar.core.task.ModelSettings;
import io.mlestar.core.task.PipelineConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Checks all that a run needs.
///
/// @param store address of the store
/// @param ask whether models are asked a tiny question, which costs a little
public record Doctor(String store, PipelineConfig config, boolean ask, CompositionRoot root) {
    private static final int PROBE_SECONDS = 60;
    private static final int CONNECT_MILLIS = 5_000;

    /// One line each, in this order; looked at side by side.
    public List<Finding> findings() {
        List<Supplier<List<Finding>>> looks = List.of(this::ofStore, this::ofModels, this::ofSearch, this::ofPython, this::ofSandbox,
                this::ofBroker, () -> ofMachine(library -> true));
        return looks.stream().parallel().map(Supplier::get).toList().stream().flatMap(List::stream).toList();
    }

    /// What a run on such data would lack here, apart from its store; empty if nothing.
    public List<Finding> beforeRun(DataModality modality) {
        Set<String> needed = needed(modality);
        List<Supplier<List<Finding>>> looks = List.of(this::ofModels, this::ofPython, this::ofSandbox, () -> ofMachine(needed::contains));
        return looks.stream().parallel().map(Supplier::get).toList().stream().flatMap(List::stream)
                .filter(finding -> finding.verdict() != Finding.Verdict.OK).distinct().toList();
    }

    /// Libraries without which most scripts for such data crash.
    private static Set<String> needed(DataModality modality) {
        Set<String> needed = new HashSet<>(Set.of("numpy", "pandas", "scikit-learn", "lightgbm"));
        needed.addAll(switch (modality) {
            case TABULAR -> Set.of();
            case IMAGE -> Set.of("torch", "torchvision", "timm", "pillow");
            case TEXT -> Set.of("torch", "transformers");
            case AUDIO -> Set.of("torch", "torchaudio", "librosa", "soundfile");
            case MIXED -> Set.of("torch");
        });
        return needed;
    }

    private List<Finding> ofStore() {
        try {
            StoreProbe probe = StoreProbe.of(root.store(store));
            return List.of(probe.wrong().map(wrong -> Finding.error("store", store + " " + wrong,
                    "runs would be paid twice: use a server that honours If-None-Match: *, or see MLE_STAR_S3_CREATE"))
                    .orElseGet(() -> Finding.ok("store", String.format(Locale.ROOT,
                            "%s: write (%d ms), read, list; of 16 writers of one key one wins", store, probe.write().toMillis()))));
        } catch (Invalid | StoreUnavailable e) {
            return List.of(Finding.error("store", e.getMessage(), "check the address, AWS_ENDPOINT_URL_S3, AWS_REGION and the credentials"));
        }
    }

    private List<Finding> ofModels() {
        Models models = root.models();
        return Arrays.stream(AgentType.values()).map(config.models()::modelOf).distinct().map(name -> ofModel(models, name)).toList();
    }

    private Finding ofModel(Models models, String name) {
        try {
            models.get(name);
            if (!ask && !ModelSettings.isRecorded(name)) {
                return Finding.ok("model", name + ": what it needs is set; doctor --ask asks it");
            }
            return switch (models.probe(name)) {
                case Probe.NotAsked() -> Finding.ok("model", name + ": recorded answers, no model is asked");
                case Probe.Answered(Duration after) -> Finding.ok("model", name + " answered in " + after.toMillis() + " ms");
                case Probe.Busy(String said) -> Finding.warning("model", said, "");
                case Probe.Wrong(String said) -> Finding.error("model", said, "");
            };
        } catch (Invalid e) {
            return Finding.error("model", e.getMessage(), "");
        }
    }

    private List<Finding> ofSearch() {
        try {
            return List.of(ToolSettings.of(config.tools(), Permission.withoutApprover(), root.environment()).search()
                    .map(engine -> Finding.ok("search", engine.provider() + " at " + engine.baseUrl()))
                    .orElseGet(() -> root.models().canSearch(config.models().modelOf(AgentType.RETRIEVER), config.models())
                            ? Finding.ok("search", "the provider's own, of model " + config.models().modelOf(AgentType.RETRIEVER))
                            : Finding.warning("search", "no search engine: the retriever works from the model's knowledge",
                                    "set TAVILY_API_KEY, SEARXNG_BASE_URL, or GOOGLE_SEARCH_API_KEY and GOOGLE_SEARCH_ENGINE_ID")));
        } catch (IllegalArgumentException e) {
            return List.of(Finding.error("search", e.getMessage(), ""));
        }
    }

    private List<Finding> ofPython() {
        try {
            Python python = root.python();
            return List.of(Finding.ok("python", python.version() + " at " + python.executable()));
        } catch (Invalid e) {
            return List.of(Finding.error("python", e.getMessage(), ""));
        }
    }

    /// Tries what a script could do.
    private List<Finding> ofSandbox() {
        try {
            Python python = root.python();
            Sandbox sandbox = root.sandbox();
            Isolation isolation = sandbox.isolation();
            new StartupCheck(root).sandbox(config).check(python);
            String name = isolation.name().toLowerCase(Locale.ROOT);
            String missing = IsolationSelfTest.of(isolation, python).missing();
            String unlimited = Sandbox.unlimited(isolation);
            return List.of(missing.isEmpty() ? Finding.ok("sandbox", name + ", tried: no network, no files but a script's own and the data")
                    : Finding.warning("sandbox", name + ", tried: " + missing, ""),
                    ofUser(sandbox),
                    unlimited.isEmpty() ? Finding.ok("limits", "memory and processes of each script as a whole")
                            : Finding.warning("limits", unlimited, "run this in a session of systemd (cgroup v2), or in a container with a limit of memory"));
        } catch (Invalid e) {
            return List.of(Finding.error("sandbox", e.getMessage(), ""));
        }
    }

    private static Finding ofUser(Sandbox sandbox) {
        try {
            int user = ScriptUser.user();
            return sandbox.asRoot(Path.of(System.getProperty("java.io.tmpdir"), "script"), Optional.empty())
                    .map(why -> Finding.warning("user", why, "let others read it, or run this program as another user"))
                    .orElse(Finding.ok("user", user == 0 ? "scripts run as users of their own; as uid 0, without its rights, if others may not read the data"
                            : "scripts run as uid " + user + ", as this program does"));
        } catch (IOException e) {
            return Finding.ok("user", "scripts run as the user that this program runs as");
        }
    }

    private List<Finding> ofBroker() {
        if (!root.hasBroker()) {
            return List.of(Finding.ok("broker", "the embedded one, since K_SINK is not set"));
        }
        String sink = root.environment().get("K_SINK");
        try (Socket socket = new Socket()) {
            URI uri = URI.create(sink);
            int port = uri.getPort() > 0 ? uri.getPort() : "https".equals(uri.getScheme()) ? 443 : 80;
            socket.connect(new InetSocketAddress(uri.getHost(), port), CONNECT_MILLIS);
            return List.of(Finding.ok("broker", sink + " can be reached"));
        } catch (IOException | IllegalArgumentException e) {
            return List.of(Finding.error("broker", "K_SINK " + sink + " cannot be reached: " + e.getMessage(),
                    "check the SinkBinding and the network policies"));
        }
    }

    /// What the survey of a run would find, by the same program in the same sandbox.
    ///
    /// @param needed of the libraries
    private List<Finding> ofMachine(Predicate<String> needed) {
        try {
            Sandbox sandbox = root.sandbox();
            return of(probed(sandbox), sandbox.slots(), needed);
        } catch (Invalid | StepStopped e) {
            return List.of(Finding.error("machine", e.getMessage(), ""));
        }
    }

    private static MachineFacts probed(Sandbox sandbox) {
        try {
            Path nothing = Files.createTempDirectory("mlestar-doctor-", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
            try {
                RunScript probe = new RunScript(SurveyScripts.MACHINE, RunScript.Kind.MACHINE, PROBE_SECONDS);
                return MachineReading.read(new ScriptRunner(sandbox, InstantSource.system()).runAlone(probe, nothing).evaluation().stdout());
            } finally {
                Files.delete(nothing);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Finding> of(MachineFacts facts, int slots, Predicate<String> needed) {
        List<Finding> findings = new ArrayList<>();
        findings.add(
                facts.isKnown() ? Finding.ok("machine", String.join(", ", facts.inWords())) : Finding.warning("machine", facts.warning().orElseThrow(), ""));
        findings.add(Finding.ok("scripts", slots + " at once; MLE_STAR_SCRIPTS_AT_ONCE changes that"));
        findings.add(Finding.ok("gpu", facts.gpus().isEmpty() ? "none; scripts use the processors"
                : facts.gpus().stream().map(MachineFacts.Gpu::inWords).collect(Collectors.joining("; "))));
        if (facts.isKnown()) {
            String there = facts.libraries().isEmpty() ? "none" : facts.libraries().entrySet().stream()
                    .map(library -> library.getKey() + " " + library.getValue()).collect(Collectors.joining(", "));
            List<String> missing = facts.missing().stream().filter(needed).toList();
            findings.add(missing.isEmpty() ? Finding.ok("libraries", there)
                    : Finding.warning("libraries", there, "scripts that use " + String.join(", ", missing) + " will crash; install what you need"));
        }
        if (!facts.weights().isEmpty()) {
            findings.add(Finding.ok("weights", String.join(", ", facts.weights())));
        }
        return findings;
    }
}
