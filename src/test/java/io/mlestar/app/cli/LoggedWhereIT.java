package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.Waiting;
import io.mlestar.core.base.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a run's log says, on the console and in its file, until the first agent has answered.
class LoggedWhereIT {
    private static final String LINE =
            "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d,\\d{3} .*(DEBUG|INFO|WARN|ERROR) .*mle_star.* .*";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"text, INFO", "json, DEBUG"})
    @Requirement({"REQ-OR-047", "REQ-OR-056"})
    void consoleAndFileHaveLinesWithTimeLevelAndLoggerAsTheSettingsSay(String format, String level) throws Exception {
        Path log = folder.resolve("log");
        Process run = new Program(folder).with("MLE_STAR_SCRIPTS_AT_ONCE", "1")
                .start(Program.mini("one", "--set", "log_file=" + log,
                        "--set", "log_format=" + format, "--set", "log_level=" + level));
        Waiting.until("the retriever has answered",
                () -> Files.exists(log) && Files.readString(log).contains("what=retrieval-complete")
                        && (level.equals("INFO") || Files.readString(log).contains("prompt of")) || !run.isAlive());
        run.destroyForcibly().waitFor();

        String console = Files.readString(folder.resolve("err"));
        assertThat(console).containsOnlyOnce("2 refinement paths share 1 slot for scripts");
        boolean quiet = format.equals("text") && level.equals("INFO");
        for (String said : quiet ? List.of(Files.readString(log)) : List.of(console, Files.readString(log))) {
            assertThat(said).containsOnlyOnce("run one: 2 refinement paths share 1 slot for scripts")
                    .containsOnlyOnce("=== Phase 1: Initial Solution Generation ===");
            assertThat(said.contains("prompt of one/phase1/retriever")).as(said).isEqualTo(level.equals("DEBUG"));
            assertThat(said.lines().filter(line -> line.contains("what=retrieval-start"))).singleElement()
                    .satisfies(line -> {
                        if (format.equals("text")) {
                            assertThat(line).matches(LINE);
                        } else {
                            JsonNode json = Json.parse(line);
                            assertThat(Stream.of("timestamp", "level", "logger", "message", "run").map(json::path))
                                    .allMatch(JsonNode::isTextual);
                        }
                    });
        }
        assertThat(console.contains("what=")).as("progress stands in place of the log").isNotEqualTo(quiet);
    }
}
