package io.mlestar.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.Waiting;
import io.mlestar.core.base.Json;
import module java.base;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs that go on: in another way, with other prompts, after they failed, or to their end at once.
class CarryOnIT {
    private static final String[] SMALL = {"--set", "outer_loop_steps=1", "--set", "inner_loop_steps=2"};

    @TempDir
    private Path folder;

    private Program program;

    @BeforeEach
    void prepare() {
        program = new Program(folder);
    }

    @Test
    void aForkSharesWhatWasFinishedAndPaysForTheRest() throws Exception {
        JsonNode one = Json.parse(program.run(Program.with(List.of(Program.mini("one", SMALL)), "--json")).out());
        Program.Ended forked = program.run("fork", "one", "--at", "one/phase3", "--set", "ensemble_rounds=1", "--json");
        assertThat(forked.exitCode()).as(forked.err()).isZero();
        assertThat(forked.err()).contains("shared with one/phase1");
        JsonNode two = Json.parse(forked.out());
        assertThat(two.path("run_id").asText()).isEqualTo("one-2");
        assertThat(two.path("phase1")).isEqualTo(one.path("phase1"));
        assertThat(two.path("config").path("ensemble_rounds").asInt()).isOne();
        assertThat(two.path("total_cost_usd").asDouble()).isPositive()
                .isLessThan(one.path("total_cost_usd").asDouble() / 2);
        assertThat(Typed.in(program.store(), "show", "one-2").out()).contains("shared with one/phase2-path1");

        Typed wrong = Typed.in(program.store(), "fork", "one", "--at", "phase9");
        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.err()).isEqualTo(
                "mlestar: run one has no step phase9; did you mean phase1?; mlestar show one lists its steps\n");
        assertThat(Typed.in(program.store(), "resume", "one").err()).contains("nothing to resume");
    }

    @Test
    void aRunWhosePromptsChangedStandsStillUntilItIsResumed() throws Exception {
        Process begun = program.start(Program.mini("one", SMALL));
        Path asked = program.store().resolve("runs/one/steps/phase1/retriever.result.json");
        Waiting.until("an agent was asked", () -> Files.exists(asked) || !begun.isAlive());
        begun.descendants().forEach(ProcessHandle::destroyForcibly);
        begun.destroyForcibly().waitFor();
        Path prompts = Files.createDirectories(folder.resolve("prompts"));
        Files.writeString(prompts.resolve("retriever.md"),
                Files.readString(Path.of("prompts/retriever.md")) + "\nBe brief.\n");
        program.with("MLE_STAR_PROMPTS", prompts.toString());

        Program.Ended refused = program.run(Program.mini("one", SMALL));
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).isEqualTo(
                "mlestar: the prompts of agent retriever have changed since run one asked it first; mlestar resume one goes on with the new ones\n");
        assertThat(Typed.in(program.store(), "status", "one").out()).contains("halted")
                .contains("the prompts of agent retriever have changed");
        Program.Ended resumed = program.run("resume", "one", "--json");
        assertThat(resumed.exitCode()).as(resumed.err()).isZero();
        assertThat(Json.parse(resumed.out()).path("run_id").asText()).isEqualTo("one");
    }

    @Test
    @Requirement("REQ-OR-030")
    void aCancelledRunStopsItsScriptsAndEndsWithTheBestSoFar() throws Exception {
        Path answers = copyOf(Program.MINI.resolve("answers"), folder.resolve("answers"));
        Files.writeString(answers.resolve("defaults/coder.md"),
                "```python\nBLOCK = __import__('time').sleep(3000)\n```\n");
        Process run = program.start("run", "--task", Program.MINI + "/task.yaml", "--model", "recorded:" + answers,
                "--run-id", "one", "--json");
        Path script =
                program.store().resolve("runs/one/steps/phase2-path0/block0/attempt0/evaluation/script.request.json");
        Waiting.until("the script is asked for", () -> Files.exists(script) || !run.isAlive());
        assertThat(Typed.in(program.store(), "cancel", "one").out()).contains("will finish with the best so far");
        assertThat(run.waitFor(10, TimeUnit.MINUTES)).isTrue();
        assertThat(run.exitValue()).as(Files.readString(folder.resolve("err"))).isZero();
        JsonNode result = Json.parse(Files.readString(folder.resolve("out")));
        assertThat(result.path("stop_reason").asText()).isEqualTo("the run was cancelled");
        assertThat(result.path("phases_completed")).extracting(JsonNode::asText).contains("finalization");
    }

    static Path copyOf(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
        return to;
    }
}
