package io.mlestar.app.program;

import io.mlestar.app.console.LogSettings;
import io.mlestar.app.console.Logging;
import io.mlestar.app.http.AllowedHosts;
import io.mlestar.app.start.TaskFolder;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.store.StoreUnavailable;
import io.mlestar.core.task.PipelineConfig;
import java.net.BindException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;

/// The functions as a server that is there until it is stopped.
///
/// @param host address to listen on
/// @param port null for that of the environment
/// @param hostNames by which browsers and programs reach it
/// @param store where the runs are
/// @param model of runs that name none; null for that of the environment
/// @param tasks folder of the tasks that the page may start runs of; null for that of the
///   environment
public record Serving(
        String host,
        @Nullable Integer port,
        List<String> hostNames,
        String store,
        @Nullable String model,
        @Nullable String tasks) {
    private static final int LAST_PORT = 65_535;

    /// The address that a pod listens on by default: all of its addresses, since the cluster
    /// decides who may reach it.
    public static String hostOfPod(Map<String, String> environment) {
        return environment.getOrDefault("QUARKUS_HTTP_HOST", "0.0.0.0");
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
        if (model != null) {
            settings.put(Server.MODEL, model);
        }
        if (tasks != null) {
            settings.put(Server.TASKS, tasks);
        }
        if (port != null) {
            settings.put(Server.PORT, port.toString());
        }
        if (!hostNames.isEmpty()) {
            settings.put("mle_star.host.names", String.join(",", hostNames));
        }
        Optional<Throwable> failed = Server.run(settings, null);
        return failed.isEmpty() ? 0 : refused(failed.get());
    }

    private void check(CompositionRoot root) {
        if (port != null && (port < 0 || port > LAST_PORT)) {
            throw new Invalid("--port must be from 0 to " + LAST_PORT + ", but is " + port);
        }
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
        TaskFolder.of(Optional
                .ofNullable(tasks == null ? root.environment().get(TaskFolder.VARIABLE) : tasks));
        PipelineConfig config =
                root.config(model == null ? Json.object() : Json.object().put("model", model));
        if (model != null) {
            root.models().get(config.models().model());
        }
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
