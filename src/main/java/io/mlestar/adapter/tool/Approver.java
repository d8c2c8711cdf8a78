package io.mlestar.adapter.tool;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// A program of the operator that decides on single uses of tools (REQ-OR-009). It reads one line
/// of JSON, `{"step", "agent", "tool", "arguments"}`; exit code 0 approves, any other refuses, and
/// the model gets its output as the reason. Any failure refuses, too. It may ask a person who
/// answers in time.
///
/// @param program path of the program, or its name if it lies on the `PATH`
/// @param caller path of the step, or the name of an agent alone
/// @param folder for what it reads and prints; no tool sees it
/// @param left time that the agent call still has
record Approver(
        String program,
        String caller,
        String agent,
        Path folder,
        Supplier<Duration> left) implements Permission {
    /// Named by the environment and not by the configuration: a request for a run must not start
    /// programs.
    private static final String VARIABLE = "MLE_STAR_APPROVER";
    private static final int LONGEST_REASON = 500;

    /// Refuses everything if the operator names no program.
    static Permission of(
            Map<String, String> environment,
            String caller,
            String agent,
            Path folder,
            Supplier<Duration> left) {
        String program = environment.getOrDefault(VARIABLE, "").strip();
        return program.isEmpty()
                ? Permission.withoutApprover()
                : new Approver(program, caller, agent, folder, left);
    }

    /// @throws Invalid if there is no such program
    static void check(Map<String, String> environment) {
        String program = environment.getOrDefault(VARIABLE, "").strip();
        Stream<String> folders =
                program.contains("/")
                        ? Stream.of("")
                        : Stream.of(environment.getOrDefault("PATH", "").split(":"));
        if (!program.isEmpty() && folders.map(folder -> Path.of(folder, program))
                .noneMatch(file -> Files.isRegularFile(file) && Files.isExecutable(file))) {
            throw new Invalid(VARIABLE + " names \"" + program
                    + "\", which is no program that can be started");
        }
    }

    @Override
    public Optional<String> refusal(String tool, JsonNode arguments) {
        JsonNode question =
                Json.object()
                        .put("step", caller)
                        .put("agent", agent)
                        .put("tool", tool)
                        .set("arguments", arguments);
        try {
            // Files, since a pipe that the program does not use would block this thread for ever.
            Path asked = Files.writeString(Files.createTempFile(folder, "asked", ".json"),
                    Json.line(question) + "\n");
            Path said = Files.createTempFile(folder, "said", ".txt");
            Process process = new ProcessBuilder(program).redirectInput(asked.toFile())
                    .redirectOutput(said.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return decided(process, said, tool);
        } catch (IOException e) {
            return Optional.of(
                    tool + " was not approved: the approver cannot be asked: " + e.getMessage());
        }
    }

    private Optional<String> decided(Process process, Path said, String tool) throws IOException {
        try {
            if (!process.waitFor(Math.max(0, left.get().toMillis()), TimeUnit.MILLISECONDS)) {
                return Optional.of(tool + " was not approved in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of(tool + " was not approved: interrupted");
        } finally {
            Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                    .toList()
                    .forEach(ProcessHandle::destroyForcibly);
        }
        String reason = new String(Files.readAllBytes(said), StandardCharsets.UTF_8).strip();
        return process.exitValue() == 0
                ? Optional.empty()
                : Optional.of(tool + " was not approved"
                        + (reason.isEmpty() ? "" : ": " + Excerpt.clip(reason, LONGEST_REASON)));
    }
}
