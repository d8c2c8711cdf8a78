package io.mlestar.adapter.tool;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.mlestar.adapter.script.Sandbox;
import io.mlestar.adapter.script.isolation.Workspace;
import io.mlestar.core.step.Answer.DataLook;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Runs a shell command in the scratch folder, isolated like a script.
///
/// @param sandbox that keeps the files of the machine from it
record BashTool(
        PathGuard places,
        BlockedCommands blocked,
        Sandbox sandbox,
        Supplier<Duration> left) {
    /// The command, and the most seconds that it may take.
    @RegisterForReflection
    record Command(
            @JsonPropertyDescription("e.g. python3 train.py") String command,
            @JsonPropertyDescription("1 to 600; null is 120") Optional<Integer> timeoutSeconds) {}

    private static final Duration USUAL = Duration.ofSeconds(120);
    private static final Duration LONGEST = Duration.ofSeconds(600);
    private static final int LONGEST_COMMAND = 50_000;

    Tool tool() {
        return new RecordTool<>("Bash",
                "Runs a bash command in the working folder; python3 is there, the network is not. The data are in ./input, "
                        + "read-only. No file outside may be touched. Nothing keeps running afterwards.",
                Command.class, this::run);
    }

    private String run(Command arguments) throws InterruptedException {
        String command = arguments.command();
        if (command.isBlank() || command.length() > LONGEST_COMMAND || command.indexOf('\0') >= 0) {
            throw new ToolRefused(
                    "a command has 1 to " + LONGEST_COMMAND
                            + " characters and no NUL; write long scripts to a file");
        }
        blocked.refusal(command).ifPresent(why -> {
            throw new ToolRefused("the command was refused: " + why);
        });
        Duration timeout = timeout(arguments.timeoutSeconds());
        try {
            Workspace workspace =
                    Files.exists(places.scratch().resolve("input"), LinkOption.NOFOLLOW_LINKS)
                            ? new Workspace(places.scratch())
                            : Workspace.over(places.scratch(), places.data());
            return output(sandbox.shell(workspace, places.data(), command, timeout), timeout,
                    Truncation.MOST);
        } catch (IOException e) {
            throw new ToolRefused("the command could not be started: " + places.reason(e));
        }
    }

    private Duration timeout(Optional<Integer> seconds) {
        Duration wanted = seconds.map(Duration::ofSeconds).orElse(USUAL);
        if (!wanted.isPositive()) {
            throw new ToolRefused("timeout_seconds must be at least 1");
        }
        return min(min(wanted, LONGEST), left.get());
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    /// The text that a model is shown of a command that has ended; one that failed is an error.
    ///
    /// @param most characters of its output
    static String output(Sandbox.Raw raw, Duration timeout, int most) {
        // Each line once: a warning of each fit would leave no room for the error.
        String errors = raw.stderr()
                .lines()
                .filter(line -> !line.startsWith("Extension modules:"))
                .distinct()
                .collect(Collectors.joining("\n"));
        String output =
                Truncation
                        .middle(most, raw.stdout()
                                + (errors.isBlank() ? "" : "\n" + DataLook.STDERR + "\n" + errors))
                        .strip();
        if (raw.timedOut()) {
            throw new ToolRefused(String.format(Locale.ROOT, "stopped after %.1f seconds\n%s",
                    timeout.toMillis() / 1e3, output).strip());
        }
        if (raw.exitCode() != 0) {
            throw new ToolRefused(("exit code " + raw.exitCode() + "\n" + output).strip());
        }
        return output.isEmpty() ? "[no output]" : output;
    }
}
