package io.mlestar.adapter.script.isolation;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// A short question to another program, such as a driver's tool, that may hang.
public final class ShortCommand {
    private ShortCommand() {}

    /// The stdout of a program; empty if it cannot be started, fails, or has not ended when the
    /// time is over: then it is killed with all it started.
    public static Optional<String> answer(List<String> command, Duration most) {
        return answer(new ProcessBuilder(command), most, "");
    }

    /// The same for a program that is in a script's place: it finds nothing in its environment but
    /// the PATH.
    ///
    /// @param input what it finds on its stdin; less than a pipe holds
    public static Optional<String> answer(
            List<String> command,
            Duration most,
            Path folder,
            String input) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().keySet().retainAll(Set.of("PATH"));
        return answer(builder, most, input);
    }

    /// The output goes to a file: a program that hangs, or its child, could keep a pipe open, and
    /// no read has a time limit.
    private static Optional<String> answer(ProcessBuilder builder, Duration most, String input) {
        try {
            Path answer = Files.createTempFile("mlestar-answer-", ".txt");
            try {
                Process process =
                        builder.redirectError(ProcessBuilder.Redirect.DISCARD)
                                .redirectOutput(answer.toFile())
                                .start();
                try {
                    say(process, input);
                    boolean ended = process.waitFor(most.toNanos(), TimeUnit.NANOSECONDS);
                    return ended && process.exitValue() == 0
                            ? Optional.of(
                                    new String(Files.readAllBytes(answer), StandardCharsets.UTF_8))
                            : Optional.empty();
                } finally {
                    process.descendants().forEach(ProcessHandle::destroyForcibly);
                    process.destroyForcibly();
                }
            } finally {
                Files.delete(answer);
            }
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /// Writes and closes a program's input.
    public static void say(Process process, String input) {
        try (OutputStream stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // It has ended without reading; how it ended says more.
        }
    }
}
