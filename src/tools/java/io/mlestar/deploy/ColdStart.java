package io.mlestar.deploy;

import io.mlestar.FreePort;
import io.mlestar.Waiting;
import io.mlestar.app.cli.FunctionsProgram;
import io.mlestar.app.cli.Program;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/// Measures how long a pod's program needs from its start until it says that it is ready (`make
/// cold-start`): each kind of pod in turn, some times. Without the cluster's part: a node, an
/// image, a network.
final class ColdStart {
    private static final int STARTS = Integer.getInteger("starts", 5);
    private static final String READY = "GET /q/health/ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

    private ColdStart() {}

    /// A kind of pod.
    ///
    /// @param profiles that have it
    private record Kind(String name, String profiles, List<String> command, Map<String, String> environment) {}

    /// @param busy processor time, which hardly depends on what else the machine does
    private record Start(double millis, double busy, long megabytes) {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> functions = FunctionsProgram.command();
        List<String> whole = Program.COMMAND;
        List<Kind> kinds = List.of(
                new Kind("the whole program", "one",
                        Stream.concat(whole.stream(), Stream.of("serve", "--host", "0.0.0.0")).toList(), Map.of()),
                new Kind("agents", "small", functions, Map.of("MLE_STAR_ROLE", "agents")),
                new Kind("phases", "small", functions, Map.of("MLE_STAR_ROLE", "phases")),
                new Kind("planner", "full", functions, Map.of("QUARKUS_FUNQY_EXPORT", "planner")),
                new Kind("pipeline", "full", functions, Map.of("QUARKUS_FUNQY_EXPORT", "pipeline")),
                new Kind("the pages", "small, full", whole, Map.of("MLE_STAR_ROLE", "status")));
        System.out.println(
                "| pod | profile | ready after | fastest, slowest | processor time | memory then |\n|---|---|---|---|---|---|");
        for (Kind kind : kinds) {
            List<Start> starts = new ArrayList<>();
            // The first fills the caches of the disk.
            for (int i = 0; i <= STARTS; i++) {
                Start start = start(kind);
                if (i > 0) {
                    starts.add(start);
                }
            }
            System.out.printf(Locale.ROOT, "| %s | %s | %.1f s | %.1f, %.1f s | %.1f s | %.0f MB |%n", kind.name(),
                    kind.profiles(),
                    median(starts, Start::millis) / 1e3,
                    starts.stream().mapToDouble(Start::millis).min().orElseThrow() / 1e3,
                    starts.stream().mapToDouble(Start::millis).max().orElseThrow() / 1e3,
                    median(starts, Start::busy) / 1e3,
                    median(starts, Start::megabytes));
        }
    }

    private static double median(List<Start> starts, ToDoubleFunction<Start> figure) {
        return starts.stream().mapToDouble(figure).sorted().skip(starts.size() / 2).findFirst().orElseThrow();
    }

    private static Start start(Kind kind) throws IOException, InterruptedException {
        int port = FreePort.any();
        Path folder = Files.createTempDirectory(Path.of("target"), "cold-start").toAbsolutePath();
        ProcessBuilder builder = new ProcessBuilder(kind.command()).directory(folder.toFile()).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        Map<String, String> environment = new HashMap<>(kind.environment());
        if (!kind.profiles().equals("one")) {
            environment.putAll(
                    Map.of("K_SERVICE", "measured", "K_SINK", "http://127.0.0.1:9/", "MLE_STAR_STORE", "memory:"));
        } else {
            environment.put("MLE_STAR_STORE", folder.resolve("runs").toString());
        }
        environment.putAll(Map.of("QUARKUS_HTTP_PORT", Integer.toString(port), "MLE_STAR_TOKEN", Program.TOKEN,
                "MLE_STAR_MODEL", "recorded:" + Program.MINI + "/answers"));
        builder.environment().putAll(environment);
        long begin = System.nanoTime();
        Process process = builder.start();
        try {
            Waiting.until("it is ready", () -> ready(port) || !process.isAlive());
            double millis = (System.nanoTime() - begin) / 1e6;
            return new Start(millis, process.toHandle().info().totalCpuDuration().orElseThrow().toNanos() / 1e6,
                    resident(process));
        } finally {
            process.destroy();
            process.waitFor();
        }
    }

    private static boolean ready(int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            socket.getOutputStream().write(READY.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII).endsWith(" 200");
        } catch (ConnectException e) {
            return false;
        }
    }

    private static long resident(Process process) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024).findFirst().orElseThrow();
    }
}
