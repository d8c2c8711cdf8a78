package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.core.base.Json;
import io.mlestar.core.task.AgentType;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MlestarTest {
    @TempDir
    private Path folder;

    @Test
    void theProgramMakesOnlyTheCommandThatIsCalledAndAllForHelp() {
        assertThat(Mlestar.program().getSubcommands()).hasSize(26)
                .hasSameSizeAs(Mlestar.program("rnu", "--json").getSubcommands());
        assertThat(Mlestar.program().getSubcommands().keySet())
                .allSatisfy(
                        name -> assertThat(Mlestar.program(name, "--help").getSubcommands()).containsOnlyKeys(name));
    }

    /// The line about bad input.
    private static String said(String... words) {
        Typed typed = Typed.run(words);
        assertThat(typed.exitCode()).isEqualTo(2);
        return typed.err().strip();
    }

    @Test
    void helpWithACommandPrintsTheHelpOfItsOption() {
        assertThat(Typed.run("help", "fork")).isEqualTo(Typed.run("fork", "--help"));
        assertThat(Typed.run("help", "fork").wellEnded()).contains("--at=STEP", "--preset=NAME");
        assertThat(Typed.run("help").wellEnded()).contains("new", "run", "doctor");
    }

    @Test
    void thePythonOfTheScriptsIsMadeOnlyWhereItsLocksAre() {
        assertThat(said("python")).isEqualTo(
                "mlestar: the program was not started by the launcher of an archive or a checkout, which has the locks of the"
                        + " libraries; MLE_STAR_PYTHON names another Python");
    }

    @Test
    void shellsCompleteEveryCommandAndItsOptions() {
        for (String shell : List.of("bash", "zsh", "fish")) {
            assertThat(Typed.run("completion", shell).wellEnded()).contains("doctor", "preset", "older-than")
                    .doesNotContain("JobCommand");
        }
        assertThat(said("completion", "csh"))
                .isEqualTo("mlestar: there is no completion for \"csh\", but for bash, zsh and fish");
    }

    @Test
    void aMisspeltNameIsAnsweredWithTheNearestOne() {
        assertThat(said("stauts", "one"))
                .isEqualTo("mlestar: there is no command \"stauts\"; did you mean status?; see mlestar --help");
        assertThat(said("status", "one", "--jsno"))
                .isEqualTo("mlestar: there is no option --jsno; did you mean --json?; see mlestar status --help");
        assertThat(said("agent", "planer", "--input", "x"))
                .isEqualTo("mlestar: there is no agent \"planer\"; did you mean planner?; see mlestar agents");
        assertThat(said("nothing-like-it")).doesNotContain("did you mean");
    }

    @Test
    @Requirement({"REQ-OR-006", "REQ-OR-008", "REQ-OR-010"})
    void theAgentsAreShownWithTheToolsThatAConfigurationGivesThem() throws IOException {
        Path config = Files.writeString(folder.resolve("config.yaml"),
                "agents: {coder: {tools: [Read, ListFiles]}, init: {tools: []}}");
        JsonNode agents = Json.parse(Typed.run("agents", "--config", config.toString()).wellEnded());
        assertThat(agents).hasSameSizeAs(AgentType.values());
        assertThat(agents.path("extractor").path("output_format").path("type").asText()).isEqualTo("json_schema");
        assertThat(agents.path("coder").path("tools")).isEqualTo(Json.tree(List.of("Read", "ListFiles")));
        assertThat(agents.path("init").path("tools")).isEmpty();
        assertThat(agents.path("debugger").path("tools")).isEqualTo(Json.tree(List.of("Read", "Bash")));
    }

    @Test
    void anAgentCanBeShownItsPromptOrAskedAlone() throws IOException {
        String input = Files.writeString(folder.resolve("input.json"),
                "{\"code_block\": \"x = 1\", \"plan\": \"Make it {two}.\"}").toString();
        assertThat(Typed.run("agent", "coder", "--input", input, "--render").out()).contains("x = 1", "Make it {two}.");
        String answer = Typed.run("agent", "coder", "--input", input, "--model", Program.ANSWERS).wellEnded();
        assertThat(Json.parse(answer).path("code_block").asText()).isEqualTo("BLOCK = 2");
        assertThat(said("agent", "wizard", "--input", input)).contains("wizard");
    }

    @Test
    void aSubmissionIsCheckedAndLabelsThatScriptsCouldReadAreRefused() throws IOException {
        Path data = Files.createDirectory(folder.resolve("data"));
        Files.writeString(data.resolve("sample_submission.csv"), "id,y\n1,0.5\n2,0.5\n");
        Path inside = Files.writeString(data.resolve("labels.csv"), "id,y\n1,0\n2,1\n");
        Path outside = Files.copy(inside, folder.resolve("hidden.csv"));
        String task = Files.writeString(folder.resolve("task.yaml"),
                Files.readString(Program.MINI.resolve("task.yaml")).replace("AUC", "accuracy") + "data_dir: ./data\n")
                .toString();
        String good = Files.writeString(folder.resolve("good.csv"), "id,y\n2,1\n1,0\n").toString();
        String bad = Files.writeString(folder.resolve("bad.csv"), "id,y\n2,nan\n3,0\n").toString();

        Typed wrong = Typed.run("grade", "--task", task, "--submission", bad);
        assertThat(wrong.exitCode()).isEqualTo(1);
        assertThat(wrong.err().lines()).hasSize(3);
        assertThat(Typed.run("grade", "--task", task, "--submission", good, "--labels", outside.toString()).wellEnded())
                .contains("accuracy: 1.000000");
        assertThat(said("grade", "--task", task, "--submission", good, "--labels", inside.toString()))
                .contains("where scripts can read them").hasLineCount(1);
    }
}
