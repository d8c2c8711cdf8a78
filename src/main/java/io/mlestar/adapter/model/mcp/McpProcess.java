package io.mlestar.adapter.model.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// An MCP server that this program starts and speaks to on its standard streams. It sees only the variables that programs need to start,
/// and those that the user gives it.
final class McpProcess extends McpConnection {
    private static final List<String> NEEDED = List.of("PATH", "HOME", "USER", "LANG", "LC_ALL", "TZ", "TMPDIR", "SYSTEMROOT");
    private static final int REMEMBERED = 500;
    private static final long PATIENCE_MILLIS = 300;

    private final Process process;
    private volatile String complaint = "";
    private volatile @Nullable String end;

    /// @param variables the server's own
    /// @param environment of this program
    McpProcess(List<String> command, Map<String, String> variables, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().clear();
        NEEDED.stream().filter(environment::containsKey).forEach(name -> builder.environment().put(name, environment.get(name)));
        builder.environment().putAll(variables);
        process = builder.start();
        // Reading a pipe holds its thread, so these are platform threads.
        Thread complaints = Thread.ofPlatform().daemon().start(this::complaints);
        Thread.ofPlatform().daemon().start(() -> answers(complaints));
    }

    private void answers(Thread complaints) {
        try (InputStream out = new BufferedInputStream(process.getInputStream())) {
            for (String line = line(out); line != null; line = line(out)) {
                received(line);
            }
            process.waitFor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            complaints.join(PATIENCE_MILLIS);
            end = "it ended" + (process.isAlive() ? "" : " with exit code " + process.exitValue()) + complaint;
        } catch (IOException e) {
            end = e.getMessage();
        } catch (RuntimeException e) {
            end = "it sent a message that makes no sense";
        } catch (InterruptedException e) {
            end = "interrupted";
        }
        ended(String.valueOf(end));
    }

    /// Keeps the end of the server's error stream.
    private void complaints() {
        byte[] some = new byte[REMEMBERED];
        String last = "";
        try (InputStream errors = process.getErrorStream()) {
            for (int read = errors.read(some); read >= 0; read = errors.read(some)) {
                last += new String(some, 0, read, StandardCharsets.UTF_8);
                last = last.substring(Math.max(0, last.length() - REMEMBERED));
                complaint = last.isBlank() ? "" : ": " + last.strip();
            }
        } catch (IOException e) {
            // It was stopped.
        }
    }

    @Override
    void send(String message, CompletableFuture<JsonNode> answer) throws IOException {
        if (end != null) {
            throw new IOException(end);
        }
        OutputStream in = process.getOutputStream();
        in.write((message + "\n").getBytes(StandardCharsets.UTF_8));
        in.flush();
    }

    /// Closes the server's input, as the protocol wants it, and kills what has not ended then.
    @Override
    public void close() {
        List<ProcessHandle> family = Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
        Thread.startVirtualThread(() -> {
            try {
                process.getOutputStream().close();
            } catch (IOException e) {
                // It is gone already.
            }
        });
        try {
            process.waitFor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        family.forEach(ProcessHandle::destroyForcibly);
    }
}
