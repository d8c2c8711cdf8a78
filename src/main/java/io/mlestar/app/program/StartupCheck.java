package io.mlestar.app.program;

import io.mlestar.adapter.broker.HttpSink;
import io.mlestar.adapter.bucket.S3Settings;
import io.mlestar.adapter.bucket.SharedFolders;
import io.mlestar.adapter.model.Models;
import io.mlestar.adapter.script.Machine;
import io.mlestar.adapter.script.Weights;
import io.mlestar.adapter.script.isolation.SandboxPolicy;
import io.mlestar.adapter.tool.ToolSessions;
import io.mlestar.app.console.LogSettings;
import io.mlestar.app.http.AllowedHosts;
import io.mlestar.app.http.Role;
import io.mlestar.app.http.Token;
import io.mlestar.core.agent.Prompts;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.records.DailyBudget;
import io.mlestar.core.task.McpServer;
import io.mlestar.core.task.ModelSettings;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.show.telemetry.Tracing;
import io.quarkus.runtime.configuration.DurationConverter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Checks the environment before a run or a server starts.
public record StartupCheck(CompositionRoot root) {
    /// Readers of variables: each refuses a wrong value and names its variable.
    private static final List<Consumer<Map<String, String>>> READERS =
            List.of(LogSettings::of, Models::new, Prompts::load, Tracing::check,
                    Machine::scriptsAtOnce, Token::given, AllowedHosts::of, ToolSessions::check,
                    McpServer::check, SharedFolders::of, DailyBudget::of,
                    environment -> S3Settings.of("s3://any", environment),
                    // The server reads the next two itself, and would refuse them in its
                    // framework's words.
                    environment -> Role.of(Optional.empty(),
                            Optional.ofNullable(environment.get("MLE_STAR_ROLE"))),
                    environment -> checkPatience(
                            environment.getOrDefault("MLE_STAR_PATIENCE", "PT15M")),
                    HttpSink::check);

    /// The sandbox policy for the scripts of a run, given whether the run asks a model.
    ///
    /// @throws Invalid if the environment says something that cannot be
    public SandboxPolicy sandbox(PipelineConfig config) {
        return SandboxPolicy.of(root.environment(),
                config.models()
                        .used()
                        .stream()
                        .anyMatch(model -> !ModelSettings.isRecorded(model)));
    }

    /// @throws Invalid as [#variables], or if scripts must be shut in and this machine cannot; in a
    ///   cluster other machines run the scripts
    public void check(PipelineConfig config) {
        variables();
        SandboxPolicy policy = sandbox(config);
        if (!root.hasBroker()) {
            Weights.of(root.environment());
            if (policy == SandboxPolicy.REQUIRED) {
                policy.check(root.python());
            }
        }
    }

    /// @throws Invalid naming the variable that says what cannot be
    void variables() {
        READERS.forEach(reader -> reader.accept(root.environment()));
    }

    private static void checkPatience(String patience) {
        try {
            if (!patience.isBlank() && DurationConverter.parseDuration(patience).isPositive()) {
                return;
            }
        } catch (IllegalArgumentException e) {
            // It is no duration, as below.
        }
        throw new Invalid(
                "MLE_STAR_PATIENCE must be a duration like PT15M, but is \"" + patience + "\"");
    }
}
