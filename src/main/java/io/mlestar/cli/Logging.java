package io.mlestar.cli;

import io.mlestar.task.PipelineConfig;

/// Log settings, made before the server starts (REQ-OR-047).
final class Logging {
    private Logging() {}

    /// @param quiet whether the console shows warnings only, because progress is shown there
    static void configure(PipelineConfig config, boolean quiet) {
        String level = config.logLevel().equals("WARNING") ? "WARN" : config.logLevel();
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
        if (config.logFile() != null) {
            System.setProperty("quarkus.log.file.enabled", "true");
            System.setProperty("quarkus.log.file.path", config.logFile());
            System.setProperty("quarkus.log.file.rotation.rotate-on-boot", "false");
        }
    }
}
