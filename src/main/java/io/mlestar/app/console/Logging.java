package io.mlestar.app.console;

import io.quarkus.bootstrap.logging.InitialConfigurator;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logmanager.formatters.PatternFormatter;
import org.jboss.logmanager.handlers.ConsoleHandler;

/// Sets up the log of this process (REQ-OR-047).
public final class Logging {
    private static final String FORMAT = "mle_star.log.format";
    /// The same as in `application.properties`.
    private static final String TEXT = "%d{yyyy-MM-dd HH:mm:ss,SSS} %-5p %c %s%e%n";
    private static final int FIRST = 1;
    private static final String VARIABLE = "MLE_STAR_LOG_LEVEL";
    private static final String LEVEL = "quarkus.log.category.\"mle_star\".level";

    private Logging() {}

    /// The settings of a server that starts.
    ///
    /// @param quiet whether the console shows progress and [Warnings] in place of the log
    public static Map<String, String> settings(LogSettings log, boolean quiet) {
        String level = level(log);
        Map<String, String> settings = new HashMap<>(
                Map.of(LEVEL, level, FORMAT, log.logFormat(), "quarkus.log.console.level",
                        quiet ? "OFF" : level));
        if (!isVerbose(level)) {
            // The caller prints in one line why the server does not start.
            settings.put("quarkus.log.category.\"io.quarkus.runtime\".level", "OFF");
        }
        log.logFile()
                .ifPresent(file -> settings.putAll(Map.of("quarkus.log.file.enabled", "true",
                        "quarkus.log.file.path", file, "quarkus.log.file.rotation.rotate-on-boot",
                        "false")));
        return settings;
    }

    /// Sets the log of a command that starts no server.
    public static void alone(LogSettings log) {
        Handler console =
                new ConsoleHandler(ConsoleHandler.Target.SYSTEM_ERR, new PatternFormatter(TEXT));
        LogFormatter.install(console, isJson(log), isVerbose(level(log)));
        Level level = org.jboss.logmanager.LogContext.getLogContext().getLevelForName(level(log));
        console.setLevel(level);
        Logger.getLogger("mle_star").setLevel(level);
        InitialConfigurator.DELAYED_HANDLER.setHandlers(new Handler[] {console});
    }

    /// The settings of the server in this process, as far as they concern the console.
    public static LogSettings ofServer() {
        return new LogSettings(System.getProperty(LEVEL, "INFO"),
                System.getProperty(FORMAT, "text"));
    }

    public static boolean isJson(LogSettings log) {
        return log.logFormat().equals("json");
    }

    /// True if the console shows progress in place of the log.
    public static boolean isQuiet(LogSettings log) {
        return !isJson(log) && !isVerbose(level(log));
    }

    /// True if the user wants to see everything on the console, stack traces as well.
    public static boolean isVerbose(Map<String, String> environment) {
        return isVerbose(System.getProperty(LEVEL, environment.getOrDefault(VARIABLE, "")));
    }

    private static boolean isVerbose(String level) {
        return level.equals("DEBUG") || level.equals("TRACE");
    }

    private static String level(LogSettings log) {
        return log.logLevel().equals("WARNING") ? "WARN" : log.logLevel();
    }

    /// The server makes its handlers itself; this sets their form.
    static void started(
            @Observes @Priority(FIRST) StartupEvent start,
            @ConfigProperty(name = FORMAT, defaultValue = "text") String format,
            @ConfigProperty(name = VARIABLE) Optional<String> level) {
        for (Handler handler : Logger.getLogger("").getHandlers()) {
            LogFormatter.install(handler, format.equals("json"),
                    isVerbose(System.getProperty(LEVEL, level.orElse(""))));
        }
    }
}
