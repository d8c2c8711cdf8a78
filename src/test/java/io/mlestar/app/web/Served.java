package io.mlestar.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.FreePort;
import io.mlestar.Waiting;
import io.mlestar.app.cli.Program;
import io.mlestar.core.store.FolderStore;
import io.mlestar.core.store.Store;
import module java.base;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/// The built program as a server, in a process of its own: what a test writes into its store is
/// news from elsewhere to it, as on a cluster.
public final class Served implements AutoCloseable {
    private final Process process;
    private final Store store;
    private final String address;

    private Served(Process process, Store store, String address) {
        this.process = process;
        this.store = store;
        this.address = address;
    }

    /// @param more arguments of `serve`
    public static Served start(Path folder, String... more) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        return start(new Program(folder), more);
    }

    /// @param program with an environment of its own
    static Served start(Program program, String... more) throws IOException, InterruptedException {
        int port = FreePort.any();
        program.with("MLE_STAR_MODEL", Program.ANSWERS).with("MLE_STAR_BODY_TIMEOUT", "PT3S")
                // Runs that a test drives are nobody else's.
                .with("MLE_STAR_SWEEP_INTERVAL", "PT1H");
        List<String> arguments = new ArrayList<>(List.of("serve", "--port", Integer.toString(port)));
        arguments.addAll(List.of(more));
        Served served = new Served(program.start(arguments.toArray(String[]::new)), new FolderStore(program.store()),
                "http://127.0.0.1:" + port);
        Waiting.until("the server answers", served::answers);
        return served;
    }

    private boolean answers() throws InterruptedException {
        try {
            send(HttpRequest.newBuilder(uri("/q/health")));
            return true;
        } catch (IOException e) {
            assertThat(process.isAlive()).as("the server started").isTrue();
            return false;
        }
    }

    long pid() {
        return process.pid();
    }

    /// The processors' time that it took until now.
    Duration used() {
        return process.info().totalCpuDuration().orElseThrow();
    }

    public Store store() {
        return store;
    }

    public String address() {
        return address;
    }

    public URI uri(String path) {
        return URI.create(address + path);
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    /// Asks for a run by an event.
    public HttpResponse<String> request(String json) throws IOException, InterruptedException {
        HttpResponse<String> answer =
                send(HttpRequest.newBuilder(uri("/")).header("Content-Type", "application/json")
                        .header("Authorization", "Bearer " + Program.TOKEN)
                        .header("ce-specversion", "1.0").header("ce-type", "io.mlestar.run.requested")
                        .header("ce-source", "test")
                        .header("ce-id", "1").POST(HttpRequest.BodyPublishers.ofString(json)));
        if (answer.statusCode() != 202) {
            throw new AssertionError(answer.body());
        }
        return answer;
    }

    /// By nobody's leave.
    public void kill() throws InterruptedException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
    }

    /// Asks it to end.
    ///
    /// @return whether it has done so
    public boolean stop() throws InterruptedException {
        process.destroy();
        return process.waitFor(Waiting.MOST);
    }

    @Override
    public void close() throws InterruptedException {
        if (!stop()) {
            process.destroyForcibly();
        }
    }
}
