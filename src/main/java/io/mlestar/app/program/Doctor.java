package io.mlestar.app.program;

import io.mlestar.adapter.model.Models;
import io.mlestar.adapter.model.Probe;
import io.mlestar.adapter.script.Sandbox;
import io.mlestar.adapter.script.isolation.Isolation;
import io.mlestar.adapter.script.isolation.IsolationSelfTest;
import io.mlestar.adapter.script.isolation.Python;
import io.mlestar.adapter.script.isolation.ScriptUser;
import io.mlestar.adapter.tool.Permission;
import io.mlestar.adapter.tool.ToolSettings;
import io.mlestar.app.program.upkeep.StoreProbe;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.StepStopped;
import io.mlestar.core.store.StoreUnavailable;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.DataModality;
import io.mlestar.core.task.ModelSettings;
import io.mlestar.core.task.PipelineConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Checks all that a run needs.
///
/// @param store address of the store
/// @param ask whether models are asked a tiny question, which costs a little
public record Doctor(String store, PipelineConfig config, boolean ask, CompositionRoot root) {
    private static final int CONNECT_MILLIS = 5_000;

    /// One finding of `mlestar doctor`.
    ///
    /// @param what the thing, in one word
    /// @param todo what to do about it; empty if nothing
    public record Finding(String what, Verdict verdict, String found, String todo) {
        /// The severity of a finding.
        public enum Verdict { OK, WARNING, ERROR }

        static Finding ok(String what, String found) {
            return new Finding(what, Verdict.OK, found, "");
        }

        static Finding warning(String what, String found, String todo) {
            return new Finding(what, Verdict.WARNING, found, todo);
        }

        static Finding error(String what, @Nullable String found, String todo) {
            return new Finding(what, Verdict.ERROR, String.valueOf(found), todo);
        }

        public String line() {
            return String.format(Locale.ROOT, "%-8s %-10s %s%s",
                    verdict.name().toLowerCase(Locale.ROOT), what,
                    found.lines().findFirst().orElse(""), todo.isEmpty() ? "" : "; " + todo);
        }
    }

    /// One thing to look at.
    ///
    /// @param what the thing, in one word
    /// @param todo what to do if it cannot be used
    record Check(String what, String todo, Examination look) {
        /// Runs the check. If it fails, the one finding says why.
        List<Finding> findings() {
            try {
                return look.findings();
            } catch (IOException | IllegalArgumentException | StepStopped | StoreUnavailable e) {
                return List.of(Finding.error(what, e.getMessage(), todo));
            }
        }
    }

    interface Examination {
        List<Finding> findings() throws IOException;
    }

    /// One line each, in this order.
    public List<Finding> findings() {
        return findings(checks());
    }

    /// All of them.
    Stream<Check> checks() {
        return Stream.of(
                Stream.of(new Check("settings", "", this::ofSettings), new Check("store",
                        "check the address, AWS_ENDPOINT_URL_S3, AWS_REGION and the credentials",
                        this::ofStore)),
                ofModels(), Stream.of(new Check("search", "", this::ofSearch)), ofScripts(),
                Stream.of(new Check("broker", "check the SinkBinding and the network policies",
                        this::ofBroker), ofMachine(library -> true)))
                .flatMap(checks -> checks);
    }

    /// The warnings and errors that a run on such data would meet here, apart from its store; empty
    /// if there are none.
    public List<Finding> beforeRun(DataModality modality) {
        return findings(
                Stream.of(ofModels(), ofScripts(),
                        Stream.of(ofMachine(MachineExamination.neededFor(modality)::contains)))
                        .flatMap(checks -> checks))
                .stream()
                .filter(finding -> finding.verdict() != Finding.Verdict.OK)
                .toList();
    }

    /// Looks at all of them side by side. What is wrong with several things, such as a Python that
    /// is missing, is said of the first.
    private static List<Finding> findings(Stream<Check> checks) {
        Set<String> errors = new HashSet<>();
        return checks.toList()
                .parallelStream()
                .map(Check::findings)
                .toList()
                .stream()
                .flatMap(List::stream)
                .filter(finding -> finding.verdict() != Finding.Verdict.ERROR
                        || errors.add(finding.found()))
                .toList();
    }

    private List<Finding> ofSettings() {
        new StartupCheck(root).variables();
        return List.of(Finding.ok("settings", "no variable of the environment has a wrong value"));
    }

    /// A folder that is not there is not made: its name may be mistyped.
    private List<Finding> ofStore() {
        if (!store.contains(":") && !store.isBlank() && !Files.exists(Path.of(store))) {
            return List
                    .of(Finding.ok("store", store + " is not there yet; the first run makes it"));
        }
        StoreProbe probe = StoreProbe.of(root.store(store));
        return List.of(probe.wrong()
                .map(wrong -> Finding.error("store", store + " " + wrong,
                        "runs would be paid twice: use a server that honours If-None-Match: *"))
                .orElseGet(() -> Finding.ok("store",
                        String.format(Locale.ROOT,
                                "%s: write (%d ms), read, list; of 16 writers of one key one wins",
                                store, probe.write().toMillis()))));
    }

    private Stream<Check> ofModels() {
        return config.models()
                .used()
                .stream()
                .map(name -> new Check("model", "", () -> ofModel(name)));
    }

    private List<Finding> ofModel(String name) {
        Models models = root.models();
        models.get(name);
        if (!ask && !ModelSettings.isRecorded(name)) {
            return List
                    .of(Finding.ok("model", name + ": what it needs is set; doctor --ask asks it"));
        }
        return switch (models.probe(name, Probe.QuestionForm.AS_AGENTS_ASK)) {
            case Probe.NotAsked() ->
                List.of(Finding.ok("model", name + ": recorded answers, no model is asked"));
            case Probe.Answered(Duration after, List<String> lacks) ->
                ofAnswered(name, after, lacks);
            case Probe.Busy(String said) -> List.of(Finding.warning("model", said, ""));
            case Probe.Wrong(String said) -> List.of(Finding.error("model", said, ""));
        };
    }

    private static List<Finding> ofAnswered(String name, Duration after, List<String> lacks) {
        List<Finding> findings = new ArrayList<>();
        findings.add(Finding.ok("model", name + " answered in " + after.toMillis() + " ms"));
        lacks.forEach(lack -> findings.add(Finding.warning("model", lack, "")));
        return findings;
    }

    private List<Finding> ofSearch() {
        return List.of(ToolSettings
                .of(config.tools(), Permission.withoutApprover(), root.environment())
                .search()
                .map(engine -> Finding.ok("search", engine.provider() + " at " + engine.baseUrl()))
                .orElseGet(() -> root.models()
                        .canSearch(config.models().modelOf(AgentType.RETRIEVER), config.models())
                                ? Finding.ok("search",
                                        "the provider's own, of model "
                                                + config.models().modelOf(AgentType.RETRIEVER))
                                : Finding.warning("search",
                                        "no search engine: the retriever works from the model's knowledge",
                                        "set TAVILY_API_KEY, SEARXNG_BASE_URL, or GOOGLE_SEARCH_API_KEY and GOOGLE_SEARCH_ENGINE_ID")));
    }

    private Stream<Check> ofScripts() {
        return Stream.of(
                new Check("python", "",
                        () -> List.of(
                                Finding.ok("python",
                                        root.python().version() + " at "
                                                + root.python().executable()))),
                new Check("sandbox", "", this::ofSandbox));
    }

    /// Tries what a script could do.
    private List<Finding> ofSandbox() {
        Python python = root.python();
        Sandbox sandbox = root.sandbox();
        Isolation isolation = sandbox.isolation();
        new StartupCheck(root).sandbox(config).check(python);
        String name = isolation.name().toLowerCase(Locale.ROOT);
        String missing = IsolationSelfTest.of(isolation, python).missing();
        String unlimited = isolation.unlimited();
        return List.of(
                missing.isEmpty()
                        ? Finding.ok("sandbox", name
                                + ", tried: no network, no files but a script's own and the data")
                        : Finding.warning("sandbox", name + ", tried: " + missing, ""),
                ofUser(sandbox),
                unlimited.isEmpty()
                        ? Finding.ok("limits", "memory and processes of each script as a whole")
                        : Finding.warning("limits", unlimited,
                                "run this in a session of systemd (cgroup v2), or in a container with a limit of memory"));
    }

    private static Finding ofUser(Sandbox sandbox) {
        try {
            int user = ScriptUser.user();
            return sandbox
                    .asRoot(Path.of(System.getProperty("java.io.tmpdir"), "script"),
                            Optional.empty())
                    .map(why -> Finding.warning("user", why,
                            "let others read it, or run this program as another user"))
                    .orElse(Finding.ok("user", user == 0
                            ? "scripts run as users of their own; as uid 0, without its rights, if others may not read the data"
                            : "scripts run as uid " + user + ", as this program does"));
        } catch (IOException e) {
            return Finding.ok("user", "scripts run as the user that this program runs as");
        }
    }

    private List<Finding> ofBroker() {
        if (!root.hasBroker()) {
            return List.of(Finding.ok("broker", "the embedded one, since K_SINK is not set"));
        }
        String sink = Objects.requireNonNull(root.environment().get("K_SINK"));
        try (Socket socket = new Socket()) {
            URI uri = URI.create(sink);
            int usual = "https".equals(uri.getScheme()) ? 443 : 80;
            socket.connect(
                    new InetSocketAddress(uri.getHost(), uri.getPort() > 0 ? uri.getPort() : usual),
                    CONNECT_MILLIS);
            return List.of(Finding.ok("broker", sink + " can be reached"));
        } catch (IOException | IllegalArgumentException e) {
            throw new Invalid("K_SINK " + sink + " cannot be reached: " + e.getMessage());
        }
    }

    /// @param needed libraries that are reported if they are missing
    private Check ofMachine(Predicate<String> needed) {
        return new Check("machine", "", new MachineExamination(root, needed));
    }
}
