package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.records.RunHeader.Redo;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult.Status;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.StepPath;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A run that begins with what another one finished, and does some of it again.
class RedoTest extends OneEngine {
    private static final String CONFIG =
            "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 1, \"num_parallel_solutions\": 1}";

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
