package io.mlestar.deploy;

import static io.mlestar.app.cli.Program.MINI;
import static io.mlestar.app.cli.Program.TOKEN;

import io.mlestar.FreePort;
import io.mlestar.Waiting;
import module java.base;

/// Measures how long a pod's program needs from its start until it says that it is ready (`make
/// cold-start`): each kind of pod in turn, some times, on the JVM and native where that was built.
/// Beside them stands the least function, `src/tools/hello`, from its start to its first answer.
/// Without the cluster's part: a node, an image, a network.
final class ColdStart {
    private static final int STARTS = Integer.getInteger("starts", 5);
    private static final Path TARGET = Path.of("target").toAbsolutePath();
    private static final List<String> JVM =
            List.of(Path.of(System.getProperty("java.home"), "bin/java").toString(), "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-Xlog:disable");

    private ColdStart() {}

    private enum Program {
        WHOLE("", "mlestar-runner"), FUNCTIONS("functions", "mlestar-runner"), HELLO("hello", "hello-runner");

        final Path folder;
        final Path binary;
        final Path jar;

        Program(String folder, String name) {
            this.folder = TARGET.resolve(folder);
            this.binary = this.folder.resolve(name);
            this.jar = this.folder.resolve(name + ".jar");
        }

        List<String> command(boolean isNative) {
            if (isNative) {
                return List.of(binary.toString());
            }
            List<String> command = new ArrayList<>(JVM);
            if (this == WHOLE) {
                command.add("-XX:SharedArchiveFile=" + TARGET.resolve("mlestar.jsa"));
            }
            command.addAll(List.of("-jar", jar.toString()));
            return command;
        }

        /// In bytes, on the JVM with its libraries.
        long size(boolean isNative) throws IOException {
            if (isNative) {
                return Files.size(binary);
            }
            long size = Files.size(jar);
            try (DirectoryStream<Path> libraries = Files.newDirectoryStream(folder.resolve("lib"), "*.jar")) {
                for (Path library : libraries) {
                    size += Files.size(library);
                }
            }
            return size;
        }
    }

    /// A kind of pod.
    ///
    /// @param profiles that have it
    private record Kind(String name, String profiles, Program program, List<String> arguments,
            Map<String, String> environment) {}

    private static final List<Kind> KINDS = List.of(
            new Kind("the whole program", "one", Program.WHOLE, List.of("serve", "--host", "0.0.0.0"), Map.of()),
            new Kind("agents", "small", Program.FUNCTIONS, List.of(), Map.of("MLE_STAR_ROLE", "agents")),
            new Kind("phases", "small", Program.FUNCTIONS, List.of(), Map.of("MLE_STAR_ROLE", "phases")),
            new Kind("planner", "full", Program.FUNCTIONS, List.of(), Map.of("QUARKUS_FUNQY_EXPORT", "planner")),
            new Kind("pipeline", "full", Program.FUNCTIONS, List.of(), Map.of("QUARKUS_FUNQY_EXPORT", "pipeline")),
            new Kind("the pages", "small, full", Program.WHOLE, List.of(), Map.of("MLE_STAR_ROLE", "status")),
            new Kind("a function that says hello", "", Program.HELLO, List.of(), Map.of()));

    /// @param busy processor time, which hardly depends on what else the machine does
    /// @param megabytes that are resident
    /// @param own of these, what the process wrote itself; the rest is the program's file, which
    ///            processes share
    private record Start(double millis, double busy, long megabytes, long own) {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        measure(false);
        if (Stream.of(Program.values()).allMatch(program -> Files.exists(program.binary))) {
            measure(true);
        } else {
            System.out.println("\nwithout the native programs: make native builds ours");
        }
    }

    private static void measure(boolean isNative) throws IOException, InterruptedException {
        System.out.printf(
                "%n| %s | profile | first answer | fastest, slowest | processor time | memory then (own) | program |%n"
                        + "|---|---|---|---|---|---|---|%n",
                isNative ? "native" : "on the JVM");
        for (Kind kind : KINDS) {
            List<Start> starts = new ArrayList<>();
            // The first fills the caches of the disk.
            for (int i = 0; i <= STARTS; i++) {
                Start start = start(kind, isNative);
                if (i > 0) {
                    starts.add(start);
                }
            }
            System.out.printf(Locale.ROOT,
                    "| %s | %s | %.0f ms | %.0f, %.0f ms | %.0f ms | %.0f (%.0f) MB | %.1f MB |%n",
                    kind.name(), kind.profiles(), median(starts, Start::millis),
                    starts.stream().mapToDouble(Start::millis).min().orElseThrow(),
                    starts.stream().mapToDouble(Start::millis).max().orElseThrow(),
                    median(starts, Start::busy), median(starts, Start::megabytes), median(starts, Start::own),
                    kind.program().size(isNative) / 1e6);
        }
    }

    private static double median(List<Start> starts, ToDoubleFunction<Start> figure) {
        return starts.stream().mapToDouble(figure).sorted().skip(starts.size() / 2).findFirst().orElseThrow();
    }

    private static Start start(Kind kind, boolean isNative) throws IOException, InterruptedException {
        int port = FreePort.any();
        Path folder = Files.createTempDirectory(TARGET, "cold-start");
        List<String> command = new ArrayList<>(kind.program().command(isNative));
        command.addAll(kind.arguments());
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        Map<String, String> environment = builder.environment();
        environment.putAll(kind.environment());
        environment.put("QUARKUS_HTTP_PORT", Integer.toString(port));
        environment.put("MLE_STAR_TOKEN", TOKEN);
        environment.put("MLE_STAR_MODEL", "recorded:" + MINI + "/answers");
        if (kind.profiles().equals("one")) {
            environment.put("MLE_STAR_STORE", folder.resolve("runs").toString());
        } else {
            environment.putAll(
                    Map.of("K_SERVICE", "measured", "K_SINK", "http://127.0.0.1:9/", "MLE_STAR_STORE", "memory:"));
        }
        String asked = kind.program() == Program.HELLO ? "/hello" : "/q/health/ready";
        long begin = System.nanoTime();
        Process process = builder.start();
        try {
            Waiting.until("it is ready", () -> answers(port, asked) || !process.isAlive());
            double millis = (System.nanoTime() - begin) / 1e6;
            return new Start(millis, process.toHandle().info().totalCpuDuration().orElseThrow().toNanos() / 1e6,
                    memory(process, "VmRSS"), memory(process, "RssAnon"));
        } finally {
            process.destroy();
            process.waitFor();
        }
    }

    private static boolean answers(int port, String path) throws IOException {
        String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII).endsWith(" 200");
        } catch (ConnectException e) {
            return false;
        }
    }

    private static long memory(Process process, String kind) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                .filter(line -> line.startsWith(kind + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024).findFirst().orElseThrow();
    }
}
