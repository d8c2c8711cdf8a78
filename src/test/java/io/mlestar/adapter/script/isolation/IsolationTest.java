package io.mlestar.adapter.script.isolation;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mlestar.adapter.script.Sandbox;
import io.mlestar.adapter.script.Sandboxes;
import io.mlestar.adapter.script.ScriptRunner;
import io.mlestar.core.step.RunScript;
import io.mlestar.show.log.Ear;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The things that a script may do behind each wall of this machine, who runs it, and whether the
/// trial notices what a wall lets through. What a script may not do,
/// [io.mlestar.adapter.script.AttacksTest] tries.
@Timeout(300)
class IsolationTest {
    private static final String ISOLATIONS = "io.mlestar.adapter.script.Sandboxes#isolations";

    private static final int PR_GET_DUMPABLE = 3;

    @TempDir
    private Path folder;

    private static IsolationSelfTest of(Isolation isolation) {
        return IsolationSelfTest.of(isolation, Sandboxes.PYTHON);
    }

    private static IsolationSelfTest weakened(UnaryOperator<List<String>> weaker) {
        assumeTrue(of(Isolation.BUBBLEWRAP).works(), "there is no bubblewrap");
        return IsolationSelfTest.of(
                (enclosure, program) -> weaker.apply(Isolation.BUBBLEWRAP.command(enclosure, program)),
                Isolation.BUBBLEWRAP, Sandboxes.PYTHON);
    }

    private static List<String> replaced(List<String> command, List<String> words, List<String> by) {
        int at = Collections.indexOfSubList(command, words);
        assertThat(at).as("%s in %s", words, command).isNotNegative();
        List<String> changed = new ArrayList<>(command.subList(0, at));
        changed.addAll(by);
        changed.addAll(command.subList(at + words.size(), command.size()));
        return changed;
    }

    @Test
    void bubblewrapHoldsAndHasNothingToSay() {
        assumeTrue(of(Isolation.BUBBLEWRAP).works(), "there is no bubblewrap");
        assertThat(of(Isolation.BUBBLEWRAP)).isEqualTo(new IsolationSelfTest(true, Set.of()));
        assertThat(of(Isolation.BUBBLEWRAP).missing()).isEmpty();
    }

    @Test
    void aSessionIsNoWallAndThatIsSaid() {
        assertThat(of(Isolation.SESSION).works()).isTrue();
        assertThat(of(Isolation.SESSION).holds()).isFalse();
        assertThat(of(Isolation.SESSION).missing()).contains("use the network").contains("read the files")
                .contains("bubblewrap");
    }

    @ParameterizedTest
    @MethodSource(ISOLATIONS)
    void noOtherWallLetsTheNetworkOrTheKeysThrough(Isolation isolation) {
        assumeTrue(isolation != Isolation.SESSION);
        assertThat(of(isolation).holds()).as(of(isolation).toString()).isTrue();
        assertThat(of(isolation).missing()).doesNotContain("network").doesNotContain("keys");
    }

    /// Bubblewrap without the starter, and with other words in place of some.
    private static IsolationSelfTest bare(List<String> without, List<String> with) {
        assumeTrue(of(Isolation.BUBBLEWRAP).works(), "there is no bubblewrap");
        return IsolationSelfTest.of((enclosure, program) -> {
            List<String> command = Isolation.BUBBLEWRAP.command(enclosure, program);
            List<String> bare = new ArrayList<>(replaced(command.subList(0, command.indexOf("-I") - 1), without, with));
            bare.set(bare.lastIndexOf("--chdir") + 1, enclosure.workspace().folder().toString());
            bare.remove("--disable-userns");
            bare.addAll(program);
            return bare;
        }, Isolation.BUBBLEWRAP, Sandboxes.PYTHON);
    }

    @Test
    void aProcess1ThatCanBeRewrittenIsNoticedAndWhatTheFilterHolds() {
        assertThat(bare(List.of("--as-pid-1"), List.of("--cap-add", "CAP_DAC_OVERRIDE"))).satisfies(open -> {
            assertThat(open.breaches()).contains(EscapeRoute.REWRITE, EscapeRoute.RIGHTS, EscapeRoute.FAMILIES,
                    EscapeRoute.NAMESPACES);
            assertThat(open.holds()).isFalse();
        });
    }

    @Test
    void aScriptThatKeepsTheRightsOfRootIsNoticed(@TempDir Path mine) throws Exception {
        assumeTrue(Files.getAttribute(mine, "unix:uid").equals(0), "not root");
        IsolationSelfTest open = bare(List.of("--cap-drop", "ALL"), List.of());
        assertThat(open.breaches()).contains(EscapeRoute.KERNEL);
        assertThat(open.holds()).isFalse();
    }

    @Test
    void anOpenNetworkIsNoticed() {
        IsolationSelfTest trial = weakened(
                command -> command.contains("--unshare-net") ? replaced(command, List.of("--unshare-net"), List.of())
                        : replaced(command, List.of("--unshare-all"), List.of("--unshare-all", "--share-net")));
        assertThat(trial.breaches()).containsExactly(EscapeRoute.NETWORK);
        assertThat(trial.holds()).isFalse();
    }

    @Test
    void openFilesAreNoticed() {
        IsolationSelfTest trial =
                weakened(command -> replaced(command, List.of("--remount-ro", "/dev"),
                        List.of("--bind", "/tmp", "/tmp", "--remount-ro", "/dev")));
        assertThat(trial.breaches()).contains(EscapeRoute.READ, EscapeRoute.CHANGE, EscapeRoute.SOCKETS);
        assertThat(trial.missing())
                .startsWith("scripts can read the files of this machine, change the files of this machine");
    }

    @Test
    void aWallThatDoesNotStandDoesNotHold() {
        assertThat(IsolationSelfTest
                .of((enclosure, program) -> List.of("/nowhere/wall"), Isolation.SESSION, Sandboxes.PYTHON).holds())
                .isFalse();
        assertThat(IsolationSelfTest.of((enclosure, program) -> List.of("false"), Isolation.SESSION, Sandboxes.PYTHON)
                .holds()).isFalse();
    }

    private String output(Isolation isolation, String program) throws Exception {
        assumeTrue(Sandboxes.works(isolation), isolation + " does not work here");
        Sandbox.Raw raw = Sandboxes.run(Sandboxes.of(isolation), folder, Sandboxes.AMPLE, program);
        assertThat(raw.exitCode()).as(raw.stderr()).isZero();
        return raw.stdout().strip();
    }

    @Test
    void theStrongestThatHoldsIsChosen() {
        assertThat(Isolation.strongest(Sandboxes.PYTHON)).isEqualTo(Sandboxes.isolations()
                .filter(isolation -> IsolationSelfTest.of(isolation, Sandboxes.PYTHON).holds()).min(Enum::compareTo)
                .orElse(Isolation.SESSION));
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void theInterpreterAndItsLibraryAreThere(Isolation isolation) throws Exception {
        String said = output(isolation,
                """
                        import csv, json, math, multiprocessing, os, random, subprocess, sys, tempfile
                        with tempfile.NamedTemporaryFile() as file:
                            file.write(b'x')
                        print(sys.version.split()[0], subprocess.run(['/bin/sh', '-c', 'echo shell'], capture_output=True, text=True).stdout.strip())
                        """);
        assertThat(said).isEqualTo(Sandboxes.PYTHON.version() + " shell");
    }

    @ParameterizedTest
    @MethodSource(ISOLATIONS)
    void workersInProcessesOfTheirOwnDoTheirWork(Isolation isolation) throws Exception {
        assertThat(output(isolation, """
                import concurrent.futures, math
                if __name__ == '__main__':
                    with concurrent.futures.ProcessPoolExecutor(2) as pool:
                        print(sum(pool.map(math.factorial, range(5))))
                """)).isEqualTo("34");
    }

    /// PyTorch names a folder after the user when torchvision is imported; joblib and PyTorch look
    /// up the processors.
    @ParameterizedTest
    @MethodSource(ISOLATIONS)
    void aScriptHasAUserWithANameAndSeesTheProcessorsAndThePublicCertificates(Isolation isolation) throws Exception {
        assertThat(output(isolation,
                """
                        import getpass, os, ssl
                        print(getpass.getuser(), open('/sys/devices/system/cpu/possible').read())
                        paths = ssl.get_default_verify_paths()
                        for path in paths.openssl_cafile, paths.openssl_capath:
                            if os.path.exists(path):
                                ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(**{'capath' if os.path.isdir(path) else 'cafile': path})
                                os.path.isdir(path) and os.listdir(path)
                        """))
                .startsWith("script 0");
    }

    @ParameterizedTest
    @CsvSource({
        "'',        '',                     true,  PREFERRED",
        "'',        ANTHROPIC_API_KEY,      true,  REQUIRED",
        "'',        OPENAI_API_KEY_FILE,    true,  REQUIRED",
        "'',        TAVILY_API_KEY,         true,  REQUIRED",
        "'',        ANTHROPIC_API_KEY,      false, PREFERRED",
        "'',        AWS_ACCESS_KEY_ID,      true,  PREFERRED",
        "preferred, ANTHROPIC_API_KEY,      true,  PREFERRED",
        "off,       ANTHROPIC_API_KEY,      true,  OFF",
        "Required,  '',                     false, REQUIRED"})
    void aWallIsRequiredWhereAKeyCouldBeStolenUnlessSomebodySaysOtherwise(String said, String key, boolean asksModels,
            SandboxPolicy demand) {
        assertThat(SandboxPolicy.of(
                key.isEmpty() ? Map.of("MLE_STAR_SANDBOX", said) : Map.of("MLE_STAR_SANDBOX", said, key, "k"),
                asksModels))
                .isEqualTo(demand);
    }

    @Test
    void whereThereIsNoWallARequiredOneIsMissedInOneLine() throws Exception {
        // An interpreter that runs no starter: no wall can be tried.
        Path deaf = Files.writeString(folder.resolve("python"), "#!/bin/sh\nexit 1\n");
        deaf.toFile().setExecutable(true);
        Python python = new Python(deaf, List.of(), "3.11.0");
        refusal(() -> SandboxPolicy.REQUIRED.check(python)).startsWith(
                "no sandbox is available on this machine: install bubblewrap, or set MLE_STAR_SANDBOX=preferred");
        assertThatCode(() -> SandboxPolicy.PREFERRED.check(python)).doesNotThrowAnyException();
        assertThatCode(() -> SandboxPolicy.OFF.check(python)).doesNotThrowAnyException();
    }

    @Test
    void whereThereIsOneNothingIsMissed() {
        assumeTrue(Isolation.strongest(Sandboxes.PYTHON) != Isolation.SESSION, "there is no wall here");
        assertThatCode(() -> SandboxPolicy.REQUIRED.check(Sandboxes.PYTHON)).doesNotThrowAnyException();
        assertThat(Isolation.of(Sandboxes.PYTHON, Map.of())).isEqualTo(Isolation.strongest(Sandboxes.PYTHON));
        assertThat(Isolation.of(Sandboxes.PYTHON, Map.of("MLE_STAR_SANDBOX", "off"))).isEqualTo(Isolation.SESSION);
    }

    @Test
    void theKernelTakesThisProcessForClosed() throws Throwable {
        MemorySegment prctl = Linker.nativeLinker().defaultLookup().find("prctl").orElse(null);
        assumeTrue(prctl != null && Files.exists(Path.of("/proc/self/environ")), "no Linux");
        Undumpable.become();
        assertThat((int) Linker.nativeLinker()
                .downcallHandle(prctl, FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT))
                .invokeExact(PR_GET_DUMPABLE)).isZero();
        assertThat(Files.getAttribute(Path.of("/proc/self/environ"), "unix:uid")).isEqualTo(0);
    }

    /// Data that everybody may read, where a script can be a guest.
    private Path openData() throws IOException {
        assumeTrue(Files.getAttribute(folder, "unix:uid").equals(0), "not root");
        assumeTrue(ScriptUser.whyRoot(Isolation.BUBBLEWRAP, Path.of("/tmp/x"), List.of(), Sandboxes.PYTHON).isEmpty(),
                "no script can be a guest here");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path data = Files.createDirectory(folder.resolve("data"));
        Files.writeString(data.resolve("train.csv"), "id\n1\n");
        return data;
    }

    private static List<String> warnings(Isolation isolation, Path data) {
        List<String> heard = new CopyOnWriteArrayList<>();
        try (Ear ear = new Ear("mle_star.sandbox", line -> heard.add(line.getMessage()))) {
            ScriptRunner runner = new ScriptRunner(Sandboxes.of(isolation), InstantSource.system());
            runner.runAlone(new RunScript("print('machine')", RunScript.Kind.MACHINE, 60), data);
            runner.runAlone(new RunScript("print('solution')", RunScript.Kind.SOLUTION, 60), data);
        }
        return heard.stream().filter(line -> line.contains("uid 0")).toList();
    }

    @ParameterizedTest
    @MethodSource(ISOLATIONS)
    void scriptsThatStayRootsAreSaidOnceInARunWithTheReason(Isolation isolation) throws IOException {
        Path data = openData();
        assumeTrue(isolation == Isolation.BUBBLEWRAP || warnings(isolation, data).isEmpty(),
                "the way to the interpreter is closed to others");
        assertThat(warnings(isolation, data)).isEmpty();
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
        assertThat(warnings(isolation, data)).containsExactly(
                "scripts run as uid 0, without its rights, because others may not read " + data.toRealPath());
    }

    /// Folders that stand for the kernel's own.
    private Path session() throws IOException {
        Path session = Files.createDirectories(folder.resolve("user.slice/app.slice"));
        Files.createDirectory(session.resolve("shell.scope"));
        Files.writeString(session.resolve("shell.scope/cgroup.subtree_control"), "");
        Files.writeString(session.resolve("cgroup.subtree_control"), "cpu memory pids\n");
        return session;
    }

    private Optional<ControlGroup> made() {
        return ControlGroup.made(folder, "user.slice/app.slice/shell.scope", 1 << 30, 100);
    }

    @Test
    void aGroupIsMadeBesideOnesOwnWithLimitsForTheWhole() throws Exception {
        Path session = session();
        ControlGroup group = made().orElseThrow();
        assertThat(group.folder().getParent()).isEqualTo(session);
        assertThat(group.folder().resolve("memory.max")).hasContent("1073741824");
        assertThat(group.folder().resolve("pids.max")).hasContent("100");
        assertThat(group.folder().resolve("memory.oom.group")).hasContent("1");
    }

    @Test
    void thereIsNoneWhereMemoryOrProcessesAreNotHandedOn() throws Exception {
        Path session = session();
        Files.writeString(session.resolve("cgroup.subtree_control"), "cpu pids\n");
        assertThat(made()).isEmpty();
        Files.delete(session.resolve("cgroup.subtree_control"));
        assertThat(made()).isEmpty();
        assertThat(ControlGroup.made(folder, "", 1, 1)).isEmpty();
        try (Stream<Path> left = Files.list(session)) {
            assertThat(left).containsExactly(session.resolve("shell.scope"));
        }
    }

    @Test
    void aProgramEntersBeforeItBegins() throws Exception {
        session();
        ControlGroup group = made().orElseThrow();
        Process process = new ProcessBuilder(group.entered(List.of("sh", "-c", "echo $$"))).start();
        String pid = new String(process.getInputStream().readAllBytes());
        assertThat(pid).isNotBlank();
        assertThat(group.folder().resolve("cgroup.procs")).hasContent(pid);
    }

    @Test
    void theKernelsWordIsTakenForTheMemory() throws Exception {
        session();
        ControlGroup group = made().orElseThrow();
        assertThat(group.ranOutOfMemory()).isFalse();
        Files.writeString(group.folder().resolve("memory.events"), "low 0\nmax 12\noom 1\noom_kill 0\n");
        assertThat(group.ranOutOfMemory()).isFalse();
        Files.writeString(group.folder().resolve("memory.events"), "low 0\nmax 12\noom 1\noom_kill 3\n");
        assertThat(group.ranOutOfMemory()).isTrue();
    }
}
