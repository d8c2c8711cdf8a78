package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.adapter.model.Answerer.Asked;
import io.mlestar.app.cli.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A whole run on a machine with a numpy of its own, no pandas, and a driver that hangs: what the
/// model is told, and what people are.
class SurveyIT {
    @TempDir
    private Path folder;

    private Path interpreter() throws Exception {
        Path venv = folder.resolve("venv");
        assertThat(new ProcessBuilder("python3", "-m", "venv", "--without-pip", venv.toString()).inheritIO().start()
                .waitFor()).isZero();
        Path driver = Files.writeString(venv.resolve("bin/nvidia-smi"),
                "#!/bin/sh\ntrap '' TERM\nwhile :; do sleep 1; done\n");
        Files.setPosixFilePermissions(driver, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (var found = Files.walk(venv.resolve("lib"))) {
            Path packages = found.filter(path -> path.endsWith("site-packages")).findFirst().orElseThrow();
            Files.createDirectories(packages.resolve("numpy"));
            Path info = Files.createDirectories(packages.resolve("numpy-1.26.4.dist-info"));
            Files.writeString(info.resolve("METADATA"), "Metadata-Version: 2.1\nName: numpy\nVersion: 1.26.4\n");
        }
        return venv.resolve("bin/python3");
    }

    @Test
    @Tag("long")
    void everyAgentIsToldOfTheMachineAndPeopleAreToo() throws Exception {
        List<Asked> all = new CopyOnWriteArrayList<>();
        Answerer recorded = Answerer.recording(Program.MINI.resolve("answers"));
        try (FakeProvider server = new AnthropicServer(asked -> {
            // The probe of the model before the run is no agent.
            if (asked.step().isPresent()) {
                all.add(asked);
            }
            return recorded.answer(asked);
        })) {
            Program program = new Program(folder).with("ANTHROPIC_API_KEY", FakeProvider.KEY)
                    .with("ANTHROPIC_BASE_URL", server.url() + "/v1/")
                    .with("MLE_STAR_PYTHON", interpreter().toString()).with("MLE_STAR_SCRIPTS_AT_ONCE", "3")
                    .with("MLE_STAR_SANDBOX", "preferred");
            Program.Ended ended = program.run("run", "--task", Program.MINI + "/task.yaml", "--model",
                    "anthropic:made-up", "--run-id", "r",
                    "--set", "script_timeout_seconds=77", "--set", "outer_loop_steps=1", "--set", "inner_loop_steps=1");
            assertThat(ended.exitCode()).as(ended.err()).isZero();

            assertThat(all).hasSizeGreaterThan(10)
                    .allSatisfy(asked -> assertThat(asked.system()).containsOnlyOnce("# Machine\n")
                            .contains("- Python: 3.", "Installed: numpy 1.26.4\n", "- GPU: none",
                                    "ended after 77 seconds", "Up to 3 scripts share them")
                            .doesNotContain("# Hardware"));
            assertThat(all.stream().map(Asked::system).distinct()).as("equal within a run, so that it can be cached")
                    .hasSize(1);
            assertThat(ended.err().lines().filter(line -> line.contains("lacks pandas, scikit-learn"))).as(ended.err())
                    .hasSize(1);
            assertThat(ended.err().indexOf("lacks pandas")).isLessThan(ended.err().indexOf("phase1"));
            assertThat(Files.readString(folder.resolve("store/runs/r/report.html"))).contains("numpy 1.26.4");
            assertThat(program.run("show", "r").out()).contains("survey");
            assertThat(program.run("show", "r", "survey/machine").out()).contains("1.26.4");

            String doctor = program.run("doctor", "--model", "anthropic:made-up").out();
            assertThat(doctor).contains("numpy 1.26.4", "3 at once", "pandas, ");
            assertThat(program.with("MLE_STAR_SCRIPTS_AT_ONCE", "many").run("run", "--task",
                    Program.MINI + "/task.yaml", "--model", "anthropic:made-up"))
                    .satisfies(refused -> {
                        assertThat(refused.exitCode()).isEqualTo(2);
                        assertThat(refused.err()).contains(
                                "MLE_STAR_SCRIPTS_AT_ONCE must be a whole number from 1 to 999, but is \"many\"");
                    });
        }
    }
}
