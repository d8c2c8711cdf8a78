package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Walk;
import io.mlestar.core.steering.Notes;
import io.mlestar.core.step.Note;
import io.mlestar.core.step.StepPath;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ForkTest extends OneEngine {
    private RunHeader fork(String run, String config, String at) {
        RunHeader other = records.header("r").orElseThrow();
        return World.header(run, config).from(new RunHeader.Origin("r", at, clock.instant(),
                RunHeader.Redo.of(ResultReuse.dependents(records, other, new StepPath("r", at)), false)));
    }

    @Test
    void aForkPaysOnlyForItsStepAndWhatDependsOnItWheneverTheOthersRan() {
        clock.tick = Duration.ofMillis(1);
        runToTheEnd("{\"outer_loop_steps\": 3, \"inner_loop_steps\": 2}");
        Set<StepPath> before = Set.copyOf(world.paid.keySet());
        engine.start(fork("f", "{\"outer_loop_steps\": 3, \"inner_loop_steps\": 1}", "phase2-path1/block1"));
        deliverAll();
        assertThat(end("f").status()).isEqualTo(StepResult.Status.DONE);
        List<StepPath> anew = world.paid.keySet().stream()
                .filter(step -> !before.contains(step) && !step.top().name().equals("survey")).toList();
        assertThat(anew).extracting(
                step -> step.top().name().startsWith("phase2") ? step.inside().split("/", 3)[1] : step.top().name())
                .containsOnly("block1", "block2", "phase3", "finalization");
        assertThat(anew).noneMatch(step -> step.inside().startsWith("phase2-path0"));
        for (String shared : List.of("phase1", "phase2-path0", "phase2-path1/block0")) {
            StepResult known = records.result(StepPath.parse("f/" + shared)).orElseThrow();
            assertThat(known.sharedWith()).isEqualTo("r/" + shared);
            assertThat(known.costUsd()).isZero();
            assertThat(known.value()).isEqualTo(records.result(StepPath.parse("r/" + shared)).orElseThrow().value());
        }
        assertThat(end("f").costUsd())
                .isLessThan(end("r").costUsd());
    }

    @Test
    void whatDependsOnAStepIsWhatItsPhasesDoNotComeToWithoutIt() {
        runToTheEnd("{\"outer_loop_steps\": 2, \"inner_loop_steps\": 2}");
        RunHeader run = records.header("r").orElseThrow();
        assertThat(ResultReuse.dependents(records, run, StepPath.parse("r/phase3"))).containsExactlyInAnyOrder("phase3",
                "finalization");
        assertThat(ResultReuse.dependents(records, run, StepPath.parse("r/finalization")))
                .containsExactly("finalization");
        assertThat(ResultReuse.dependents(records, run, StepPath.parse("r/phase2-path0/block0/attempt0")))
                .contains("phase2-path0/block0/attempt0", "phase2-path0/block0/attempt1", "phase2-path0/block1",
                        "phase3", "finalization")
                .doesNotContain("phase2-path0/block0/ablation", "phase2-path1", "phase2-path0", "phase1");
        assertThat(ResultReuse.dependents(records, run, StepPath.parse("r/phase1/candidate1")))
                .contains("phase2-path0", "phase2-path1")
                .doesNotContain("phase1/candidate0", "phase1/retriever");
    }

    @Test
    void aForkHearsWhatTheOtherRunHadBeenToldWhenTheyPart() {
        clock.tick = Duration.ofMillis(1);
        Notes notes = new Notes(store);
        engine.start(World.header("r", "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 2}"));
        notes.add("r", new Note(clock.instant(), "ann", "try folds"));
        deliverAll();
        notes.add("r", new Note(clock.instant(), "ann", "too late"));
        RunHeader fork = fork("f", "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 3}", "phase2-path1/block0");
        notes.add("f", new Note(clock.instant(), "ben", "be bold"));
        RunHeader second = World.header("s", "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 4}")
                .from(new RunHeader.Origin("f", null, World.NOW.plusSeconds(86_400), null));
        engine.start(fork);
        deliverAll();
        assertThat(notes.heardBy(fork)).extracting(Note::text).containsExactly("try folds", "be bold");
        assertThat(notes.heardBy(second)).extracting(Note::text).containsExactly("try folds", "be bold");
        assertThat(Walk.READABLE.steps(records, "f")
                .filter(step -> step.request().kind().equals("planner") && step.path().run().equals("f"))
                .flatMap(step -> step.done().stream()).map(done -> done.answer().prompt())).isNotEmpty()
                .contains("- try folds\n- be bold");
        Map<StepPath, Integer> paid = Map.copyOf(world.paid);
        sweep(engine).run("f", Duration.ZERO);
        deliverAll();
        assertThat(world.paid).as("a replay asks nothing again").isEqualTo(paid);
    }

    @Test
    void aResumedRunTriesAgainWhatFailedAndSharesTheRest() {
        engine.start(World.header("r", "{\"outer_loop_steps\": 1}"));
        deliverAllBut(step -> step.inside().endsWith("init"), "the key was refused");
        assertThat(end("r").status()).isEqualTo(StepResult.Status.FAILED);
        int asked = world.paid.get(StepPath.parse("r/phase1/retriever"));
        engine.start(World.header("r-2", "{\"outer_loop_steps\": 1}")
                .from(new RunHeader.Origin("r", null, clock.instant(), null)));
        deliverAll();
        assertThat(end("r-2").status()).isEqualTo(StepResult.Status.DONE);
        assertThat(asked).isEqualTo(1);
        assertThat(world.paid).doesNotContainKey(StepPath.parse("r-2/phase1/retriever"));
    }
}
