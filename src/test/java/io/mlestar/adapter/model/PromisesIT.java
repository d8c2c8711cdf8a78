package io.mlestar.adapter.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.app.cli.Program;
import io.mlestar.core.base.Json;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs keep their promises in real time: models that take seconds, scripts that take for ever, one
/// slot, a provider that goes away.
class PromisesIT {
    @TempDir
    private Path folder;

    /// Answers as the recording does, after so many milliseconds.
    private static Answerer late(Path answers, long millis) {
        Answerer recording = Answerer.recording(answers);
        return asked -> {
            try {
                Thread.sleep(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return recording.answer(asked);
        };
    }

    private static String[] asking(String model, String... more) {
        String[] arguments = Program.mini("run", more);
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = arguments[i].startsWith("recorded:") ? model : arguments[i];
        }
        return arguments;
    }

    private static JsonNode inTime(Program.Ended ended, int limit) {
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        JsonNode result = Json.parse(ended.out());
        assertThat(result.path("total_duration_seconds").asDouble()).isLessThan(limit + 30);
        assertThat(Path.of(result.path("submission_path").asText())).isNotEmptyFile();
        return result;
    }

    @Test
    @Requirement({"REQ-OR-024", "REQ-OR-023", "REQ-OR-026", "REQ-OR-030", "REQ-OR-034"})
    void aRunWhoseModelTakesSecondsEndsInTimeWithASubmission() throws Exception {
        Program program = new Program(folder);
        // Half a minute with a model that takes a second, or twice as much of both.
        int pace = Math.min(2, program.pace());
        try (FakeProvider server = new AnthropicServer(late(Program.MINI.resolve("answers"), 1_000L * pace))) {
            program.with("ANTHROPIC_API_KEY", FakeProvider.KEY).with("ANTHROPIC_BASE_URL", server.url() + "/v1/");
            int limit = 30 * pace;
            JsonNode result = inTime(
                    program.run(asking("anthropic:made-up", "--set", "time_limit_seconds=" + limit, "--json")), limit);
            // Which of the two is up to the machine: phase 2 ends by its share where scripts are
            // slow. EngineTest tells them apart by its clock.
            assertThat(result.path("stop_reason").asText()).containsAnyOf("kept for finalization",
                    "used up its share of the time");
            assertThat(result.path("phases_completed")).extracting(JsonNode::asText).contains("phase1", "finalization");
        }
    }
}
