package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.records.RunHeader.Redo;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult.Status;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Walk;
import io.mlestar.core.steering.Notes;
import io.mlestar.core.step.Note;
import io.mlestar.core.step.StepPath;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Runs that begin with what another one has finished: a fork from one of its steps, and a run that
/// is carried on.
class ForkTest extends OneEngine {
    private static final String CONFIG =
            "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 1, \"num_parallel_solutions\": 1}";

    private RunHeader fork(String run, String config, String at) {
        RunHeader other = records.header("r").orElseThrow();
        return World.header(run, config).from(new RunHeader.Origin("r", at, clock.instant(),
                Redo.of(ResultReuse.dependents(records, other, new StepPath("r", at)), false)));
    }

    @Test
    void aForkPaysOnlyForItsStepAndWhatDependsOnItWheneverTheOthersRan() {
        clock.tick = Duration.ofMillis(1);
        runToTheEnd("{\"outer_loop_steps\": 3, \"inner_loop_steps\": 2}");
        Set<StepPath> before = Set.copyOf(world.paid.keySet());
        engine.start(fork("f", "{\"outer_loop_steps\": 3, \"inner_loop_steps\": 1}", "phase2-path1/block1"));
        deliverAll();
        assertThat(end("f").status()).isEqualTo(Status.DONE);
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
        assertThat(end("f").costUsd()).isLessThan(end("r").costUsd());
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
                .contains("phase2-path0", "phase2-path1").doesNotContain("phase1/candidate0", "phase1/retriever");
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
        assertThat(end("r").status()).isEqualTo(Status.FAILED);
        int asked = world.paid.get(StepPath.parse("r/phase1/retriever"));
        engine.start(World.header("r-2", "{\"outer_loop_steps\": 1}")
                .from(new RunHeader.Origin("r", null, clock.instant(), null)));
        deliverAll();
        assertThat(end("r-2").status()).isEqualTo(Status.DONE);
        assertThat(asked).isEqualTo(1);
        assertThat(world.paid).doesNotContainKey(StepPath.parse("r-2/phase1/retriever"));
    }

    private StepResult carriedOn(String run, String other, Redo redo) {
        engine.start(World.header(run, CONFIG).from(new RunHeader.Origin(other, null, clock.instant(), redo)));
        deliverAll();
        return end(run);
    }

    private int paid(String step) {
        return world.paid.getOrDefault(StepPath.parse(step), 0);
    }

    private void aRunWithoutTheLibrary() {
        world.lacksLibrary = true;
        runToTheEnd(CONFIG);
        world.lacksLibrary = false;
        assertThat(end("r").status()).isEqualTo(Status.FAILED);
    }

    private static RunHeader in(String libraries, String hardware) {
        RunHeader made = World.header("r", CONFIG);
        return new RunHeader("r", made.task(), made.config(), hardware, made.version(), made.promptsDigest(),
                made.startedAt(), made.deadline(),
                null, new RunHeader.Environment("3.12.3 at /usr/bin/python3", libraries, "bubblewrap"));
    }

    @ParameterizedTest
    @CsvSource({", false, FAILED, 0", ", true, DONE, 1", "failed, false, DONE, 1"})
    void scriptsThatFailedAreRunAgainInAnotherEnvironmentOrOnRequestAndNoAgentIsAskedTwice(String steps,
            boolean elsewhere, Status end, int runs) {
        aRunWithoutTheLibrary();
        assertThat(carriedOn("r-2", "r", Redo.of(steps == null ? List.of() : List.of(steps), elsewhere)).status())
                .isEqualTo(end);
        assertThat(paid("r-2/phase1/candidate0/evaluation/script")).isEqualTo(runs);
        assertThat(paid("r-2/phase1/retriever")).isZero();
        assertThat(paid("r-2/phase1/candidate0/init")).isZero();
    }

    @Test
    void anotherInterpreterOtherLibrariesOrAnotherMachineIsAnotherEnvironment() {
        RunHeader before = in("a", "no GPU");
        assertThat(in("a", "no GPU").isElsewhereThan(before)).isFalse();
        assertThat(in("b", "no GPU").isElsewhereThan(before)).isTrue();
        assertThat(in("a", "1 GPU").isElsewhereThan(before)).isTrue();
        assertThat(World.header("r", CONFIG).isElsewhereThan(before)).isTrue();
        assertThat(World.header("r", CONFIG).isElsewhereThan(World.header("q", CONFIG))).isFalse();
    }

    @Test
    void oneStepIsDoneAgainWithAllBelowItAndTheRestIsShared() {
        runToTheEnd(CONFIG);
        carriedOn("r-2", "r", Redo.of(List.of("phase1/candidate0/evaluation"), false));
        assertThat(world.paid.keySet().stream().filter(step -> step.run().equals("r-2")).map(StepPath::inside))
                .contains("phase1/candidate0/evaluation/script")
                .allMatch(step -> step.startsWith("phase1/candidate0/evaluation/") || step.startsWith("survey/"));
        assertThat(records.result(StepPath.parse("r-2/phase1/candidate1")).orElseThrow().sharedWith())
                .isEqualTo("r/phase1/candidate1");
    }

    @Test
    void aStepOfAPhaseThatIsSharedWithAThirdRunIsFoundThere() {
        runToTheEnd(CONFIG);
        carriedOn("r-2", "r", Redo.of(List.of("phase3"), false));
        assertThat(records.request(StepPath.parse("r-2/phase1/candidate0"))).isEmpty();
        assertThat(ResultReuse.isKnown(records, StepPath.parse("r-2/phase1/candidate0/evaluation"))).isTrue();
        carriedOn("r-3", "r-2", Redo.of(List.of("phase1/candidate0/evaluation"), false));
        assertThat(paid("r-3/phase1/candidate0/evaluation/script")).isOne();
        assertThat(paid("r-3/phase1/candidate1/evaluation/script")).isZero();
        assertThat(paid("r-3/phase1/candidate0/init")).isZero();
    }
}
