package io.mlestar.adapter.tool;

import static io.mlestar.adapter.tool.ToolSets.arguments;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.core.agent.Coder;
import io.mlestar.core.base.Json;
import io.mlestar.core.task.PipelineConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Who decides on uses of tools in the modes that ask.
@Timeout(300)
class ApproverTest {
    @TempDir
    private Path folder;

    private String approver(String script) throws IOException {
        Path file = Files.writeString(folder.resolve("approver"), "#!/bin/sh\n" + script + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------")).toString();
    }

    /// Opens the tools as for a call of an agent.
    private <R> R open(String mode, Map<String, String> environment, Duration left, Function<List<Tool>, R> work)
            throws IOException {
        Path data = Files.createDirectories(folder.resolve("data"));
        PipelineConfig config = PipelineConfig.resolve(Json.object().put("permission_mode", mode), Map.of());
        return new ToolSessions(() -> null, ToolSets.ANYWHERE, ExternalTools.NONE, environment, new ToolFailures())
                .open(() -> data, config, "r/coder", new Coder("x = 1", "plan", null, null), left,
                        tools -> work.apply(tools.apply(List.of("Read", "Write"))));
    }

    private static void refused(Tool tool, String why, Object... pairs) {
        assertThatExceptionOfType(ToolRefused.class).isThrownBy(() -> tool.call(arguments(pairs))).withMessage(why);
    }

    @Test
    @Requirement("REQ-OR-009")
    void theCustomModePutsEveryUseToTheOperatorsProgram() throws IOException {
        Path asked = folder.resolve("asked");
        String program = approver("read line; echo \"$line\" >> " + asked
                + "; case \"$line\" in *secret*) echo 'no secrets'; exit 1;; esac; echo yes");
        open("custom", Map.of("MLE_STAR_APPROVER", program), ToolSets.AMPLE, tools -> {
            assertThat(tools.get(0).call(arguments("path", "input"))).isEqualTo("[the folder is empty]");
            refused(tools.get(0), "Read was not approved: no secrets", "path", "secret.txt");
            assertThat(tools.get(1).call(arguments("path", "a", "content", "x"))).contains("a");
            refused(tools.get(1), "Write was not approved: no secrets", "path", "b", "content", "secret");
            return null;
        });
        assertThat(Files.readAllLines(asked)).hasSize(4).first()
                .satisfies(line -> assertThat(Json.<JsonNode>parse(line)).isEqualTo(
                        Json.parse(
                                "{\"step\": \"r/coder\", \"agent\": \"coder\", \"tool\": \"Read\", \"arguments\": {\"path\": \"input\"}}")));
    }

    @Test
    @Requirement("REQ-OR-009")
    void editsAreApprovedByTheProgramTooAndAllElseGoesOnUnasked() throws IOException {
        String program = approver("grep -q good");
        open("acceptEdits", Map.of("MLE_STAR_APPROVER", program), ToolSets.AMPLE, tools -> {
            refused(tools.get(1), "Write was not approved", "path", "bad", "content", "x");
            tools.get(1).call(arguments("path", "good", "content", "x"));
            assertThat(tools.get(0).call(arguments("path", "."))).isEqualTo("good (1 bytes)");
            return null;
        });
        open("bypassPermissions", Map.of("MLE_STAR_APPROVER", program), ToolSets.AMPLE,
                tools -> tools.get(1).call(arguments("path", "bad", "content", "x")));
    }

    @Test
    @Requirement("REQ-OR-009")
    void withoutAProgramOrWithOneThatDoesNotDecideTheCustomModeRefusesAll() throws IOException {
        open("custom", Map.of(), ToolSets.AMPLE, tools -> {
            refused(tools.get(0), "Read needs approval in this permission mode, but there is no approver", "path", ".");
            return null;
        });
        open("custom", Map.of("MLE_STAR_APPROVER", folder + "/nowhere"), ToolSets.AMPLE, tools -> {
            assertThatExceptionOfType(ToolRefused.class).isThrownBy(() -> tools.get(0).call(arguments("path", ".")))
                    .withMessageContaining("the approver cannot be asked").withMessageContaining("nowhere");
            return null;
        });
        open("custom", Map.of("MLE_STAR_APPROVER", approver("sleep 1000")), Duration.ofMillis(300), tools -> {
            refused(tools.get(0), "Read was not approved in time", "path", ".");
            return null;
        });
    }
}
