package io.mlestar.adapter.model.mcp;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.langchain4j.mcp.client.transport.McpOperationHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// An MCP server that this program starts and speaks to on its standard streams. It sees only the
/// variables that programs need to start, and those that the user gives it.
final class McpProcess extends BoundedTransport {
    private static final List<String> NEEDED =
            List.of("PATH", "HOME", "USER", "LANG", "LC_ALL", "TZ", "TMPDIR", "SYSTEMROOT");
    /// The limit of all answers in one agent call.
    private static final int MOST_BYTES = 64 << 20;
    private static final StreamReadConstraints BOUNDS =
            StreamReadConstraints.builder()
                    .maxDocumentLength(MOST_BYTES)
                    .maxStringLength(MOST_BYTES)
                    .build();
    private static final ObjectReader MESSAGES =
            new ObjectMapper(JsonFactory.builder().streamReadConstraints(BOUNDS).build())
                    .readerFor(JsonNode.class);
    private static final int REMEMBERED = 500;
    private static final long PATIENCE_MILLIS = 300;

    private final Process process;
    private volatile String complaint = "";

    /// @param variables the server's own
    /// @param environment of this program
    McpProcess(List<String> command, Map<String, String> variables, Map<String, String> environment)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().clear();
        NEEDED.stream()
                .filter(environment::containsKey)
                .forEach(name -> builder.environment().put(name, environment.get(name)));
        builder.environment().putAll(variables);
        process = builder.start();
    }

    @Override
    public void start(McpOperationHandler messages) {
        super.start(messages);
        // Reading a pipe holds its thread, so these are platform threads.
        Thread complaints = Thread.ofPlatform().daemon().start(this::complaints);
        Thread.ofPlatform().daemon().start(() -> answers(complaints));
    }

    private void answers(Thread complaints) {
        try (MappingIterator<JsonNode> messages = MESSAGES.readValues(process.getInputStream())) {
            while (messages.hasNextValue()) {
                received(messages.nextValue());
            }
            process.waitFor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            complaints.join(PATIENCE_MILLIS);
            ended("it ended" + (process.isAlive() ? "" : " with exit code " + process.exitValue())
                    + complaint);
        } catch (JsonProcessingException e) {
            ended("its output cannot be read: " + e.getOriginalMessage());
        } catch (IOException | RuntimeException | InterruptedException e) {
            ended("its output cannot be read: " + e);
        }
    }

    /// Keeps the end of the server's error stream.
    private void complaints() {
        char[] some = new char[REMEMBERED];
        String last = "";
        try (Reader errors = process.errorReader(StandardCharsets.UTF_8)) {
            for (int read = errors.read(some); read >= 0; read = errors.read(some)) {
                last += String.valueOf(some, 0, read);
                last = last.substring(Math.max(0, last.length() - REMEMBERED));
                complaint = last.isBlank() ? "" : ": " + last.strip();
            }
        } catch (IOException e) {
            // It was stopped.
        }
    }

    /// Never fails: where the server takes no input any more, the end of its output says why.
    @Override
    void send(String message, CompletableFuture<JsonNode> answer) {
        try {
            OutputStream in = process.getOutputStream();
            in.write((message + "\n").getBytes(StandardCharsets.UTF_8));
            in.flush();
        } catch (IOException e) {
            // It is gone.
        }
    }

    /// Closes the server's input, as the protocol wants it, and kills what has not ended then.
    @Override
    public void close() {
        List<ProcessHandle> family =
                Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
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
