package io.mlestar.app.program;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.app.console.LogSettings;
import io.mlestar.app.console.Logging;
import io.mlestar.app.http.AllowedHosts;
import io.mlestar.app.start.TaskFolder;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.store.FolderStore;
import io.mlestar.core.store.StoreUnavailable;
import io.mlestar.core.task.PipelineConfig;
import java.net.BindException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.config.ConfigProvider;

/// The functions as a server that is there until it is stopped.
///
/// @param host address to listen on
/// @param port empty for that of the environment
/// @param hostNames by which browsers and programs reach it
/// @param store where the runs are
/// @param model of runs that name none; empty for that of the environment
/// @param tasks folder of the tasks that the page may start runs of; empty for that of the
///   environment
public record Serving(
        String host,
        Optional<Integer> port,
        List<String> hostNames,
        String store,
        Optional<String> model,
        Optional<String> tasks) {
    private static final int LAST_PORT = 65_535;

    /// The address that a pod listens on by default: all of its addresses, since the cluster
    /// decides who may reach it.
    public static String hostOfPod(Map<String, String> environment) {
        return environment.getOrDefault("QUARKUS_HTTP_HOST", "0.0.0.0");
    }

    /// A pod's, all of which is in the environment.
    public static Serving ofPod(Map<String, String> environment) {
        return new Serving(hostOfPod(environment), Optional.empty(), List.of(),
                environment.getOrDefault("MLE_STAR_STORE", FolderStore.USUAL), Optional.empty(),
                Optional.empty());
    }

    /// Serves, and waits for the end.
    ///
    /// @return the exit code
    /// @throws Invalid if it is wrong, before anything is served
    public int run(CompositionRoot root) throws Exception {
        check(root);
        Map<String, String> settings = Logging.settings(LogSettings.of(root.environment()), false);
        settings.putAll(
                Map.of(Server.HOST, host, Server.STORE, store, "mle_star.all.runs", "true"));
        model.ifPresent(name -> settings.put(Server.MODEL, name));
        tasks.ifPresent(folder -> settings.put(Server.TASKS, folder));
        port.ifPresent(number -> settings.put(Server.PORT, number.toString()));
        if (!hostNames.isEmpty()) {
            settings.put("mle_star.host.names", String.join(",", hostNames));
        }
        Optional<Throwable> failed = Server.run(settings, null);
        return failed.isEmpty() ? 0 : refused(failed.get());
    }

    private void check(CompositionRoot root) {
        port.filter(number -> number < 0 || number > LAST_PORT).ifPresent(number -> {
            throw new Invalid("--port must be from 0 to " + LAST_PORT + ", but is " + number);
        });
        try {
            InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new Invalid(
                    "--host must be an address or a name of this machine, but is \"" + host + "\"");
        }
        // A bucket is opened when the server has begun.
        if (!store.startsWith("s3://")) {
            checkStore(root);
        }
        AllowedHosts.of(host, hostNames, false);
        TaskFolder.of(tasks.or(
                () -> Optional.ofNullable(root.environment().get(TaskFolder.VARIABLE))));
        ObjectNode asked = Json.object();
        model.ifPresent(name -> asked.put("model", name));
        PipelineConfig config = root.config(asked);
        model.ifPresent(_ -> root.models().get(config.models().model()));
        new StartupCheck(root).check(config);
    }

    private void checkStore(CompositionRoot root) {
        try {
            root.store(store);
        } catch (StoreUnavailable e) {
            throw new Invalid(e.getMessage());
        }
    }

    private static int refused(Throwable failure) throws Exception {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BindException) {
                return ExitCode.said(
                        "port " + ConfigProvider.getConfig().getValue(Server.PORT, String.class)
                                + " is in use; choose another with --port",
                        ExitCode.FAILED);
            }
        }
        throw failure instanceof Exception known
                ? known
                : new IllegalStateException("the server could not be started", failure);
    }
}
