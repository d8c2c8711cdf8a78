package io.mlestar.adapter.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mlestar.Installed;
import io.mlestar.ProjectFiles;
import io.mlestar.Requirement;
import io.mlestar.Waiting;
import io.mlestar.adapter.script.isolation.Enclosure;
import io.mlestar.adapter.script.isolation.Isolation;
import io.mlestar.adapter.script.isolation.IsolationSelfTest;
import io.mlestar.adapter.script.isolation.Python;
import io.mlestar.adapter.script.isolation.ScriptUser;
import io.mlestar.adapter.script.isolation.ShortCommand;
import io.mlestar.adapter.script.isolation.Workspace;
import io.mlestar.core.base.Invalid;
import module java.base;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The attacks of `attacks.py`, each tried from behind each wall, for a program that runs as root
/// and one that does not. The table `attacks.csv` says for whom each is open; an empty cell is one
/// that every wall of that column holds.
@Timeout(300)
class AttacksTest {
    /// The user as whom the program runs that starts the script.
    enum Runner {
        /// Root, and the script as a guest.
        ROOT,
        /// Root, where no guest can come to the data: the script runs as root without rights.
        CLOSED,
        /// Somebody else, and the script too.
        OTHER
    }

    private record Cell(Isolation isolation, Runner runner) {}

    private static final int SOMEBODY = 61_000;
    private static final List<String> LIMITS = List.of("CORE=0", "FSIZE=" + (200 << 20), "AS=" + (4L << 30));
    private static final List<String[]> TABLE = table();
    private static final Map<Cell, Map<String, Boolean>> OPEN = new HashMap<>();
    private static Path all;
    private static boolean root;

    private static List<String[]> table() {
        return text("attacks.csv").lines().skip(1).map(line -> line.split(",", -1)).toList();
    }

    private static String text(String name) {
        return ProjectFiles.text(Path.of("src/test/resources/walls", name));
    }

    /// Three at a time, by threads that stay until all are done: bubblewrap ends with the thread
    /// that started it.
    @BeforeAll
    static void tryAll() throws Exception {
        all = Files.createTempDirectory("attacks-");
        root = Files.getAttribute(all, "unix:uid").equals(0);
        Files.setPosixFilePermissions(all, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            Map<Cell, Future<Optional<Map<String, Boolean>>>> tried = new LinkedHashMap<>();
            for (Isolation isolation : Isolation.values()) {
                for (Runner runner : Runner.values()) {
                    Cell cell = new Cell(isolation, runner);
                    tried.put(cell, threads.submit(() -> canBeTried(cell) ? attack(cell) : Optional.empty()));
                }
            }
            for (Map.Entry<Cell, Future<Optional<Map<String, Boolean>>>> one : tried.entrySet()) {
                one.getValue().get().ifPresentOrElse(open -> OPEN.put(one.getKey(), open),
                        () -> Installed.without(one.getKey().toString(), "its attacks are not tried"));
            }
        }
    }

    @AfterAll
    static void clear() throws IOException {
        new Workspace(all).delete();
    }

    /// The system's interpreter if it will do: everybody can read it.
    private static Python python() {
        try {
            return Python.find("/usr/bin/python3");
        } catch (Invalid e) {
            return Sandboxes.PYTHON;
        }
    }

    /// Root needs `setpriv` to be another user.
    private static boolean canBeTried(Cell cell) {
        boolean runs = cell.runner() == Runner.OTHER ? !root || Installed.find("setpriv").isPresent() : root;
        return runs && IsolationSelfTest.of(cell.isolation(), python()).works();
    }

    private static Optional<Map<String, Boolean>> attack(Cell cell) throws Exception {
        // The limit of processes counts for all of a user, and nobody knows how many a user of
        // flesh and blood has.
        List<String> limits = Stream.concat(LIMITS.stream(), root ? Stream.of("NPROC=100") : Stream.empty()).toList();
        int somebody = SOMEBODY + cell.isolation().ordinal();
        List<String> as = cell.runner() == Runner.OTHER && root
                ? List.of("setpriv", "--reuid=" + somebody, "--regid=" + somebody, "--clear-groups") : List.of();
        Path folder = Files.createDirectory(all.resolve(cell.isolation() + "-" + cell.runner()));
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Path data = Files.createDirectory(folder.resolve("data"));
        Files.writeString(data.resolve("train.csv"), "id\n1\n");
        Path weights = Files.createDirectory(folder.resolve("weights"));
        Files.writeString(weights.resolve("model.pth"), "x");
        List<Path> shown = List.of(data, weights);
        Workspace workspace = Workspace.over(Files.createTempDirectory(folder, "script-"), data);
        Files.writeString(workspace.folder().resolve("attacks.py"), text("attacks.py"));
        if (!as.isEmpty()) {
            new ScriptUser(somebody).own(new Workspace(folder));
        }
        Process victim = new ProcessBuilder(Stream.concat(as.stream(), Stream.of(python().executable().toString(), "-I", "-c",
                text("victim.py"), outside.toString())).toList()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (BufferedReader said = new BufferedReader(new InputStreamReader(victim.getInputStream()))) {
            Files.writeString(data.resolve("victim.json"), said.readLine());
            Optional<ScriptUser> guest = cell.runner() == Runner.ROOT ? ScriptUser.of(cell.isolation(), workspace, shown, python()) : Optional.empty();
            if (cell.runner() == Runner.ROOT && guest.isEmpty()) {
                return Optional.empty();
            }
            String daemon = Sandboxes.uniqueName();
            long mark = Enclosure.newMark();
            List<String> command = new ArrayList<>(as);
            command.addAll(cell.isolation().command(new Enclosure(workspace, shown, python(), guest, limits, 64 << 20, mark),
                    List.of(python().executable().toString(), "attacks.py", daemon)));
            ProcessBuilder builder = new ProcessBuilder(command).directory(workspace.folder().toFile()).redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().keySet().retainAll(Set.of("PATH"));
            Process script = builder.start();
            ShortCommand.say(script, Enclosure.STARTER);
            Map<String, Boolean> open = new TreeMap<>();
            String end;
            try (BufferedReader tried = script.inputReader()) {
                for (end = tried.readLine(); end != null && end.contains(" "); end = tried.readLine()) {
                    open.put(end.split(" ")[0], end.endsWith(" open"));
                }
            }
            script.waitFor();
            new ProcessTree(script, cell.isolation(), mark, Sandbox.PollInterval.USUAL.grace()).end();
            open.put("leave_a_daemon", outlives(daemon));
            open.put("end_the_runner_in_fact", !victim.isAlive());
            return "tried".equals(end) ? Optional.of(open) : Optional.empty();
        } finally {
            victim.getOutputStream().close();
            victim.waitFor();
        }
    }

    private static boolean outlives(String name) {
        try {
            Waiting.until("nobody lives on", () -> Sandboxes.alive(name).isEmpty());
            return false;
        } catch (ConditionTimeoutException e) {
            return true;
        }
    }

    private static Stream<Arguments> cells() {
        return TABLE.stream().flatMap(row -> Arrays.stream(Isolation.values()).flatMap(isolation -> Arrays.stream(Runner.values())
                .map(runner -> Arguments.of(row[1], new Cell(isolation, runner), row[0],
                        List.of(row[2 + isolation.ordinal()].split(" ")).contains(runner.name().toLowerCase(Locale.ROOT))))));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("cells")
    @Requirement("REQ-EX-004")
    void anAttackIsHeldWhereTheTableSaysSo(String whatMustNotHappen, Cell cell, String attack, boolean open) {
        assumeTrue(OPEN.containsKey(cell), cell + " cannot be had here");
        assumeTrue(cell.isolation() == Isolation.BUBBLEWRAP || isKernelOf(6, 12), "Landlock learnt to hold signals and sockets in 6.12");
        assumeTrue(root || !attack.equals("start_many_processes"), "nobody knows how many processes this user has");
        assertThat(OPEN.get(cell)).containsKey(attack);
        assertThat(OPEN.get(cell).get(attack)).as("%s, from behind %s", whatMustNotHappen, cell).isEqualTo(open);
    }

    @Test
    void noAttackIsMissingInTheTable() {
        assertThat(OPEN.values()).isNotEmpty().allSatisfy(open ->
                assertThat(open.keySet()).containsExactlyInAnyOrderElementsOf(TABLE.stream().map(row -> row[0]).toList()));
    }

    private static boolean isKernelOf(int major, int minor) {
        String[] version = System.getProperty("os.version").split("\\D+");
        return Integer.parseInt(version[0]) > major || Integer.parseInt(version[0]) == major && Integer.parseInt(version[1]) >= minor;
    }
}
