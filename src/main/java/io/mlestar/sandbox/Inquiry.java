package io.mlestar.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A short question to another program, such as a driver's tool, that may hang.
final class Inquiry {
    private Inquiry() {}

    /// What the program wrote to its stdout; empty if it cannot be started, fails, or has not ended when the time is over: then it
    /// is killed with all it started.
    static Optional<String> answer(List<String> command, Duration most) {
        long end = System.nanoTime() + most.toNanos();
        try {
            Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
            try {
                process.getOutputStream().close();
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
