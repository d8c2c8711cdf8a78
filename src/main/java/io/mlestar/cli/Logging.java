package io.mlestar.cli;

import io.mlestar.task.PipelineConfig;
import io.quarkus.bootstrap.logging.InitialConfigurator;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logmanager.formatters.PatternFormatter;
import org.jboss.logmanager.handlers.ConsoleHandler;

/// Log settings, made before the server starts (REQ-OR-047).
final class Logging {
    private static final String FORMAT = "mle.star.log.format";
    /// As `application.properties` has it.
    private static final String TEXT = "%d{yyyy-MM-dd HH:mm:ss,SSS} %-5p %c %s%e%n";
    private static final int FIRST = 1;

    private Logging() {}

    /// @param quiet whether the console shows errors only, because progress is shown there
    static void configure(PipelineConfig config, boolean quiet) {
        String level = level(config);
        System.setProperty("quarkus.log.category.\"mle_star\".level", level);
        boolean verbose = level.equals("DEBUG") || level.equals("TRACE");
        System.setProperty("quarkus.log.console.level", quiet && !verbose ? "ERROR" : level);
        if (quiet && !verbose) {
            // An MCP server that cannot be used is most often a slip in the configuration: whoever waits for the run can mend it.
            System.setProperty("quarkus.log.handler.console.\"mcp\".stderr", "true");
            System.setProperty("quarkus.log.handler.console.\"mcp\".level", "WARN");
            System.setProperty("quarkus.log.handler.console.\"mcp\".format", "warning: %s%n");
            System.setProperty("quarkus.log.category.\"mle_star.mcp\".handlers", "mcp");
        }
        System.setProperty(FORMAT, config.logFormat());
        if (config.logFile() != null) {
            System.setProperty("quarkus.log.file.enabled", "true");
            System.setProperty("quarkus.log.file.path", config.logFile());
            System.setProperty("quarkus.log.file.rotation.rotate-on-boot", "false");
        }
    }

    /// The same for a command that starts no server.
    static void alone(PipelineConfig config) {
        Handler console = new ConsoleHandler(ConsoleHandler.Target.SYSTEM_ERR,
                isJson(config) ? new JsonLines() : new PatternFormatter(TEXT));
        Level level = org.jboss.logmanager.LogContext.getLogContext().getLevelForName(level(config));
        console.setLevel(level);
        Logger.getLogger("mle_star").setLevel(level);
        InitialConfigurator.DELAYED_HANDLER.setHandlers(new Handler[] {console});
    }

    static boolean isJson(PipelineConfig config) {
        return config.logFormat().equals("json");
    }

    private static String level(PipelineConfig config) {
        return config.logLevel().equals("WARNING") ? "WARN" : config.logLevel();
    }

    /// The server makes its handlers itself; they are told here how to write.
    static void started(@Observes @Priority(FIRST) StartupEvent start,
            @ConfigProperty(name = FORMAT, defaultValue = "text") String format) {
        if (format.equals("json")) {
            for (Handler handler : Logger.getLogger("").getHandlers()) {
                JsonLines.use(new JsonLines(), handler);
            }
        }
    }
}
