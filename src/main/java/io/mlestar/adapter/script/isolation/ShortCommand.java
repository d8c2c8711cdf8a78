package io.mlestar.adapter.script.isolation;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A short question to another program, such as a driver's tool, that may hang.
public final class ShortCommand {
    private ShortCommand() {}

    /// What the program wrote to its stdout; empty if it cannot be started, fails, or has not ended when the time is over: then it
    /// is killed with all it started.
    public static Optional<String> answer(List<String> command, Duration most) {
        return answer(new ProcessBuilder(command), most, "");
    }

    /// As above, of a program that is in a script's place: it finds nothing in its environment but the PATH.
    ///
    /// @param input what it finds on its stdin; less than a pipe holds
    public static Optional<String> answer(List<String> command, Duration most, Path folder, String input) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().keySet().retainAll(Set.of("PATH"));
        return answer(builder, most, input);
    }

    private static Optional<String> answer(ProcessBuilder builder, Duration most, String input) {
        long end = System.nanoTime() + most.toNanos();
        try {
            Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
            try {
                say(process, input);
                byte[] answer = read(process.getInputStream()).get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                boolean ended = process.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                return ended && process.exitValue() == 0 ? Optional.of(new String(answer, StandardCharsets.UTF_8)) : Optional.empty();
            } finally {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } catch (IOException | ExecutionException | TimeoutException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /// Tells a program what it is to read, and that this is all.
    public static void say(Process process, String input) {
        try (OutputStream stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // It has ended without reading; how it ended says more.
        }
    }

    /// Reads in a thread of its own: a program that hangs keeps its end of the pipe open, and no read has a time limit.
    private static CompletableFuture<byte[]> read(InputStream stdout) {
        CompletableFuture<byte[]> bytes = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("inquiry").start(() -> {
            try (stdout) {
                bytes.complete(stdout.readAllBytes());
            } catch (IOException e) {
                bytes.completeExceptionally(e);
            }
        });
        return bytes;
    }
}
