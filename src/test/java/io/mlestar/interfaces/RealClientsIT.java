package io.mlestar.interfaces;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Subprocess;
import io.mlestar.app.cli.Program;
import io.mlestar.app.web.Served;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.python.PackageTests;
import module java.base;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The built program, and what others have made for its interfaces: a validator and a tester of
/// OpenAPI, and the client library of MCP's makers.
@Tag("long")
class RealClientsIT {
    private static final Path SCRIPTS = Path.of("src/test/resources/interfaces").toAbsolutePath();
    private static final Path DOCUMENT = Interfaces.FOLDER.resolve("openapi.json").toAbsolutePath();

    @TempDir
    private Path folder;

    private Path bin;

    /// A Python with these packages.
    private void install(String... packages) throws Exception {
        bin = Path.of(PackageTests.environment(folder.resolve("python"), packages)).getParent();
    }

    /// The program as a server that knows one run.
    private Served served() throws Exception {
        Served served = Served.start(folder.resolve("served"));
        DrivenRun.start(served.store(), "known",
                Program.SHORT, 0).untilTheEnd();
        return served;
    }

    /// @return what it printed
    private String run(String program, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(bin.resolve(program).toString()));
        command.addAll(List.of(arguments));
        return Subprocess.run(folder, Map.of(), command.toArray(String[]::new)).wellEnded();
    }

    @Test
    void schemathesisFindsNothingThatTheDocumentDoesNotSay() throws Exception {
        install("schemathesis", "openapi-spec-validator");
        assertThat(run("openapi-spec-validator", DOCUMENT.toString())).contains("OK");
        try (Served served = served()) {
            // Assistants speak a protocol of their own.
            String said = run("schemathesis", "run", served.address() + "/openapi.json", "--header",
                    "Authorization: Bearer " + Program.TOKEN,
                    "--checks", "status_code_conformance,content_type_conformance,response_schema_conformance",
                    "--exclude-tag", "assistants", "--phases", "fuzzing", "--max-examples", "5", "--max-time", "120",
                    "--request-timeout", "60", "--seed", "7",
                    "--suppress-health-check", "all", "--continue-on-failure");
            assertThat(said).contains("Seed: 7");
        }
    }

    @Test
    void theClientOfTheProtocolsMakersFindsTheTools() throws Exception {
        install("mcp");
        try (Served served = served()) {
            assertThat(run("python", SCRIPTS.resolve("assistant.py").toString(), served.address() + "/mcp",
                    Program.TOKEN, "known").lines())
                    .containsExactly("ListFiles ParseScore cancel grade list_runs run_status start_run step",
                            "completed",
                            "there is no run \"nobody\"; list_runs lists them");
        }
    }
}
