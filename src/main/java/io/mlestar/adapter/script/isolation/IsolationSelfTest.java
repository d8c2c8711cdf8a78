package io.mlestar.adapter.script.isolation;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/// The result of a small program that tries to break out of a wall in a script's place.
///
/// @param works whether the wall can be had on this machine
/// @param breaches what was found open
public record IsolationSelfTest(boolean works, Set<EscapeRoute> breaches) {
    /// It takes a few tens of milliseconds, but longer on a machine that is busy with scripts.
    private static final Duration MOST = Duration.ofSeconds(20);
    private static final long MEMORY = 64L << 20;
    private static final Map<SelfTestKey, IsolationSelfTest> DONE = new ConcurrentHashMap<>();

    private record SelfTestKey(Isolation isolation, Python python) {}

    /// Tries a wall, once in a process.
    public static IsolationSelfTest of(Isolation isolation, Python python) {
        // A thread that stays does it: bubblewrap ends with the one that started it, and carriers
        // of virtual threads come and go.
        return DONE.computeIfAbsent(new SelfTestKey(isolation, python),
                wall -> CompletableFuture.supplyAsync(
                        () -> of(isolation::command, isolation, python),
                        Thread.ofPlatform().daemon()::start).join());
    }

    /// Makes the command that shuts a program in.
    interface Wall {
        List<String> command(Enclosure enclosure, List<String> program);
    }

    /// @param isolation says as whom the program runs
    static IsolationSelfTest of(Wall wall, Isolation isolation, Python python) {
        if (!isolation.isNamespaced()) {
            Undumpable.become();
        }
        try {
            Workspace all = new Workspace(Files.createTempDirectory("mlestar-trial-"));
            try {
                return of(wall, isolation, python, all.folder());
            } finally {
                all.delete();
            }
        } catch (IOException e) {
            return new IsolationSelfTest(false, Set.of());
        }
    }

    private static IsolationSelfTest of(Wall wall, Isolation isolation, Python python, Path folder)
            throws IOException {
        Workspace workspace = Workspace.over(Files.createTempDirectory(folder, "script-"),
                Files.createDirectory(folder.resolve("data")));
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Path secret = Files.writeString(outside.resolve("secret"), "x");
        Path socket = outside.resolve("socket");
        try (ServerSocket port = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerSocketChannel listening =
                        ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listening.bind(UnixDomainSocketAddress.of(socket));
            for (Path open : List.of(folder, outside, secret, socket)) {
                Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
            }
            List<Path> data = List.of(workspace.folder().resolve("input").toRealPath());
            Optional<ScriptUser> guest = ScriptUser.of(isolation, workspace, data, python);
            String[] stat = Files.readString(Path.of("/proc/self/stat"))
                    .replaceFirst(".*\\) ", "")
                    .split(" ", -1);
            List<String> program = List.of(python.executable().toString(), "-I", "-S", "-c",
                    Enclosure.text("probe.py"), Long.toString(ProcessHandle.current().pid()),
                    stat[19], secret.toString(), Integer.toString(port.getLocalPort()),
                    socket.toString());
            List<String> command = wall.command(
                    new Enclosure(workspace, data, python, guest, List.of("CORE=0"), MEMORY,
                            Enclosure.newMark()),
                    program);
            return ShortCommand.answer(command, MOST, workspace.folder(), Enclosure.STARTER)
                    .map(String::lines)
                    .map(lines -> lines.collect(Collectors.toSet()))
                    .filter(said -> said.remove("tried"))
                    .map(said -> new IsolationSelfTest(true, breaches(said)))
                    .orElse(new IsolationSelfTest(false, Set.of()));
        }
    }

    private static Set<EscapeRoute> breaches(Set<String> names) {
        return names.stream()
                .map(EscapeRoute::valueOf)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(EscapeRoute.class)));
    }

    /// True if the wall has no fatal hole.
    public boolean holds() {
        return works && breaches.stream().noneMatch(route -> route.fatal);
    }

    /// True if it keeps the files of the machine from being read and changed.
    public boolean keepsFiles() {
        return holds() && !breaches.contains(EscapeRoute.READ)
                && !breaches.contains(EscapeRoute.CHANGE);
    }

    /// Says what full isolation lacks; empty if nothing.
    public String missing() {
        List<String> words = breaches.stream().map(route -> route.words).toList();
        if (words.isEmpty()) {
            return "";
        }
        String others = words.size() == 1
                ? ""
                : String.join(", ", words.subList(0, words.size() - 1)) + " and ";
        return "scripts can " + others + words.getLast() + "; install bubblewrap to shut them in";
    }
}
