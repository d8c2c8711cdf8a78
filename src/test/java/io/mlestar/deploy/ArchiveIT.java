package io.mlestar.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Subprocess;
import io.mlestar.TypedCommands;
import io.mlestar.app.cli.Program;
import module java.base;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The archive that people download, unpacked where nothing else of the project is.
class ArchiveIT {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(?:#[^)\\s]+)?\\)");
    @TempDir
    private Path folder;

    private static String said(Map<String, String> environment, Path where, String... command) throws Exception {
        return Subprocess.run(where, environment, command).wellEnded();
    }

    @Test
    @Tag("long")
    void anArchiveOfTheReleaseRunsWhereverItIsUnpacked() throws Exception {
        Path dist = folder.resolve("dist");
        said(Map.of(), Path.of("").toAbsolutePath(), "src/build/make-archive", dist.toString());
        Path archive = one(dist, "-jvm.tar.gz");
        Path fresh = Files.createDirectories(folder.resolve("fresh"));
        said(Map.of(), fresh, "tar", "-xzf", archive.toString());
        Path program = one(fresh, "").resolve("mlestar");
        assertThat(said(Map.of(), fresh, program.toString(), "--version")).startsWith("mlestar ");
        assertThat(
                said(Map.of(), fresh, program.toString(), "doctor", "--model", Program.ANSWERS))
                .contains("python", "sandbox");
        assertThat(said(Map.of(), fresh, program.toString(), "run", "--task", Program.MINI + "/task.yaml", "--model",
                Program.ANSWERS,
                "--run-id", "first", "--set", "outer_loop_steps=1")).contains("submission");
        assertThat(fresh.resolve("runs-store/runs/first/submission.csv")).hasContent("id,y\n1,0\n");
        assertThat(Subprocess.run(fresh, Map.of(), program.toString(), "python", "most").said())
                .startsWith("mlestar python: the set is small");
        assertThat(program.resolveSibling("lib")).isDirectoryContaining("glob:**/python-small.lock")
                .isDirectoryContaining("glob:**/python-cpu.lock")
                .isDirectoryContaining("glob:**/python-gpu.lock").isDirectoryContaining("glob:**/python-torch.txt");
        itsOwnDocumentsLeadThroughAFirstRun(program.getParent());
    }

    /// All that the archive's README types without a key is there, and no link leads out of the
    /// archive.
    private static void itsOwnDocumentsLeadThroughAFirstRun(Path home) throws Exception {
        List<String> typed = TypedCommands.of(home.resolve("README.md"));
        assertThat(typed.getFirst()).startsWith("./mlestar python ");
        String demo = String.join("\n", typed.stream().filter(command -> command.contains("example/")).toList());
        assertThat(said(Map.of(), home, "sh", "-ec", demo)).contains("run demo: bird-strikes",
                "ROC-AUC: 0.816455 (3000 hidden labels)");
        assertThat(home.resolve("example/mlestar.ipynb")).exists();
        assertThat(home.resolve("README.md")).content()
                .startsWith("# MLE-STAR on Knative " + home.getFileName().toString().replace("mlestar-", "") + "\n");
        try (Stream<Path> files = Files.walk(home)) {
            for (Path document : files
                    .filter(file -> file.toString().endsWith(".md") && !file.startsWith(home.resolve("runs-store")))
                    .toList()) {
                assertThat(LINK.matcher(Files.readString(document)).results().map(link -> link.group(1))
                        .filter(link -> !link.contains(":")))
                        .as(document.toString()).allSatisfy(link -> assertThat(document.resolveSibling(link)).exists());
            }
        }
    }

    @Test
    void aLinkOnThePathStartsTheProgramFromAnywhere() throws Exception {
        Path bin = Files.createDirectories(folder.resolve("bin"));
        Files.createSymbolicLink(bin.resolve("mlestar-link"), Path.of("mlestar").toAbsolutePath());
        Files.createSymbolicLink(bin.resolve("mlestar"), Path.of("mlestar-link"));
        Path elsewhere = Files.createDirectories(folder.resolve("else where"));
        assertThat(said(Map.of("PATH", bin + ":" + System.getenv("PATH")), elsewhere, "sh", "-c", "mlestar --version"))
                .startsWith("mlestar ");
        assertThat(elsewhere).isEmptyDirectory();
    }

    private static Path one(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> found = files.filter(file -> file.toString().endsWith(ending)).toList();
            assertThat(found).hasSize(1);
            return found.getFirst();
        }
    }
}
