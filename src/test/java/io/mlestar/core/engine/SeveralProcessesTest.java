package io.mlestar.core.engine;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.Requirement;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.ProgramVersion;
import io.mlestar.core.engine.OneEngine.MovingClock;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Walk;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.steering.Extension;
import io.mlestar.core.steering.Extensions;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.store.NewerRecord;
import io.mlestar.core.store.OtherProgram;
import io.mlestar.core.store.Store;
import io.mlestar.core.task.AgentType;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A process remembers only a part of what all processes know of a run. They may be of several
/// versions of the program, and each with the prompts of its day.
class SeveralProcessesTest extends OneEngine {
    private static final String SIDE_BY_SIDE = """
            {"outer_loop_steps": 2, "inner_loop_steps": 2, "ensemble_rounds": 2, "num_parallel_solutions": 2}""";
    private static final String BRIEF =
            """
                    {"num_retrieved_models": 2, "outer_loop_steps": 1, "inner_loop_steps": 2, "ensemble_rounds": 1, "max_debug_attempts": 1}""";
    private static final String THREE_ATTEMPTS = "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 3}";
    private static final int SEEDS = Integer.getInteger("processes.seeds", 6);

    private final World rolledOut = new World(1, 0);
    private final Engine planner = process(rolledOut);

    private Engine fresh() {
        return process(new Records(store), world);
    }

    private static Set<String> writers(Records records, String run) {
        return Walk.READABLE.steps(records, run).map(KnownStep::path).map(records::endedBy).flatMap(Optional::stream)
                .collect(Collectors.toSet());
    }

    /// A phase may wait for two steps, and each process may have seen the end of one of them. One
    /// of the processes may be of another version.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Requirement("REQ-OR-051")
    void whicheverOfThemIsWokenNoRunStandsStillAndNothingIsPaidForTwice(boolean versions) {
        for (long seed = 0; seed < SEEDS; seed++) {
            String run = "r" + seed;
            RunHeader header = World.header(run, SIDE_BY_SIDE);
            World played = new World(seed, 15);
            Store other = versions ? new OtherProgram(store, ChecksummedJson.FORMAT) : store;
            List<Engine> processes =
                    Stream.of(store, other, store).map(Records::new).map(read -> process(read, played)).toList();
            processes.getFirst().start(header);
            deliverAtRandom(new Random(seed), processes);
            assertThat(played.paidTwice()).as(run).isZero();
            assertThat(DirectSteps.end(end(run))).as(run).isEqualTo(DirectSteps.end(header, new World(seed, 15)));
            assertThat(writers(records, run)).contains(ProgramVersion.HERE.toString()).hasSize(versions ? 2 : 1);
        }
    }

    @Test
    void inAPhaseThatWasFailedNothingMoreBegins() {
        Engine first = fresh();
        Engine second = fresh();
        first.start(World.header("r", "{\"num_parallel_solutions\": 2}"));
        StepPath path = StepPath.parse("r/phase2-path0");
        while (world.paid.keySet().stream().noneMatch(step -> step.inside().startsWith(path.inside()))) {
            deliver(first);
        }
        second.fail(path, "its events could not be delivered");
        long before = below(world, path);
        deliverAll(first);
        assertThat(below(world, path)).isEqualTo(before);
        assertThat(records.result(StepPath.root("r")).orElseThrow().status()).isEqualTo(StepResult.Status.DONE);
    }

    private static long below(World world, StepPath phase) {
        return world.paid.keySet().stream().filter(step -> step.inside().startsWith(phase.inside() + "/")).count();
    }

    @Test
    void aPhaseThatAnotherOneRefusedIsNotBegunByALateEventThoughThereIsMoneyNow() {
        Engine first = fresh();
        RunHeader header = World.header("r", "{\"max_budget_usd\": 0.04}");
        first.start(header);
        StepPath candidate = StepPath.parse("r/phase1/candidate1");
        while (records.request(candidate).isEmpty()) {
            deliver(first);
        }
        StepResult refused = StepResult.of(new Outcome.Stopped<>("no money"), clock.now, clock.now, 0.0);
        assertThat(records.create(candidate, refused)).isTrue();
        new Extensions(store).add(header, new Extension(clock.now, "ann", 0, 10));
        clock.now = clock.now.plus(Duration.ofSeconds(1));
        events.clear();
        first.work(candidate);
        fresh().work(candidate);
        assertThat(records.listed(candidate)).isEmpty();
        assertThat(events).extracting(Event::subject).as("the phase that waits for it is woken")
                .containsExactly("r/phase1", "r/phase1");
    }

    @Test
    void aPhaseThatAnotherVersionWentOnWithAndEndedDoesNotFailTheRun() {
        Engine engine = fresh();
        engine.start(World.header("r", "{}"));
        StepPath phase = StepPath.parse("r/phase1");
        while (records.request(phase).isEmpty()) {
            deliver(engine);
        }
        records.create(phase.child("retriever"),
                new StepRequest("agent/coder", Json.object(), "phase/initial-solution", World.NOW, World.NOW, false));
        records.create(phase, StepResult.of(new Outcome.Failed<>("no candidate ran"), World.NOW, World.NOW, 0.0));
        events.clear();
        fresh().work(phase);
        assertThat(records.result(StepPath.root("r"))).isEmpty();
        assertThat(events).extracting(Event::subject).as("the run goes on").containsExactly("r");
    }

    @Test
    void aRecordOfANewerFormatIsRefusedAndNothingIsLost() {
        Records theirs = new Records(new OtherProgram(store, ChecksummedJson.FORMAT + 1));
        Engine newer = process(theirs, world);
        newer.start(World.header("r", BRIEF));
        for (int i = 0; i < 20; i++) {
            deliver(newer);
        }
        Map<String, byte[]> before = DamagedRunTest.objects(store, "runs");
        List<Event> waiting = List.copyOf(events);
        for (Event event : waiting) {
            refusal(NewerRecord.class, () -> engine.work(Event.stepOf(event.data())))
                    .contains("runs/r/run.json", "mlestar " + OtherProgram.NAME, "format 2",
                            "mlestar " + ProgramVersion.HERE, "format")
                    .doesNotContain("\n");
            assertThatThrownBy(() -> engine.fail(Event.stepOf(event.data()), "it could not be done"))
                    .isInstanceOf(NewerRecord.class);
        }
        assertThat(sweep(engine).all(Duration.ZERO)).as("events that a sweep of the older one sends").isZero();
        assertThat(DamagedRunTest.objects(store, "runs")).as("nothing was changed").usingRecursiveComparison()
                .isEqualTo(before);
        assertThat(events).containsExactlyElementsOf(waiting);

        deliverAll(process(theirs, world));
        assertThat(theirs.result(StepPath.root("r"))).get().matches(StepResult::isDone);
        assertThat(world.paidTwice()).isZero();
    }

    @Test
    void aStoreOfTheReleasedFormatIsFinishedByThisVersion() throws IOException {
        World later = new World(7, 0);
        OneEngine one = new OneEngine(ReleasedStore.read(), later, MovingClock.ticking(World.NOW.plusSeconds(60), 0),
                new Watcher() {});
        StepPath root = StepPath.root(ReleasedStore.RUN);
        assertThat(one.records.hasEnded(ReleasedStore.RUN)).isFalse();
        Set<String> done = Walk.READABLE.steps(one.records, root)
                .filter(step -> step.result().isPresent() && !step.request().isPhase())
                .map(step -> step.path().toString()).collect(Collectors.toSet());
        assertThat(done).hasSizeGreaterThan(10);
        one.sweep(one.engine).run(ReleasedStore.RUN, Duration.ZERO);
        one.deliverAll();
        assertThat(one.end(ReleasedStore.RUN)).matches(StepResult::isDone);
        assertThat(later.paid.keySet()).as("nothing is paid twice").isNotEmpty().map(String::valueOf)
                .doesNotContainAnyElementsOf(done);
        assertThat(one.store.read(Records.key(ReleasedStore.RUN, "result.json")).map(Json::parse).orElseThrow()
                .hasNonNull("best_score")).isTrue();
    }

    SeveralProcessesTest() {
        rolledOut.prompts = "other";
    }

    /// The planner's steps go to its own process, all others to the first one.
    private void deliverByFunction() {
        while (!events.isEmpty()) {
            deliver(Event.stepOf(events.peek().data()).plainName().equals("planner") ? planner : engine);
        }
    }

    private void untilThePlannerWasAskedOnce() {
        until(() -> world.paid.keySet().stream().anyMatch(step -> step.plainName().equals("planner")));
    }

    @Test
    void aRunGoesOnWhereAnotherAgentsPromptWasRolledOut() {
        engine.start(World.header("r", THREE_ATTEMPTS));
        deliverByFunction();
        assertThat(end("r").status()).isEqualTo(StepResult.Status.DONE);
        assertThat(rolledOut.paid.keySet()).as("planned with the new prompt").isNotEmpty();
        assertThat(records.marks("r").halt()).isEmpty();
    }

    @Test
    void theStepsOfAnAgentWhosePromptChangesInTheMiddleOfARunWaitUntilItIsToldOtherwise() {
        engine.start(World.header("r", THREE_ATTEMPTS));
        untilThePlannerWasAskedOnce();
        deliverByFunction();
        assertThat(records.hasEnded("r")).isFalse();
        assertThat(rolledOut.paid).isEmpty();
        assertThat(records.halted("r", records.marks("r")))
                .hasValueSatisfying(why -> assertThat(why).contains("agent planner").contains("mlestar resume r"));

        Sweep sweep = sweep(engine);
        assertThat(sweep.all(Duration.ofDays(1))).isZero();
        assertThat(sweep.troubles()).containsEntry(RunTrouble.TroubleKind.HALTED, 1);
        records.accept("r", AgentType.PLANNER, "other");
        assertThat(records.halted("r", records.marks("r"))).isEmpty();
        clock.now = clock.now.plus(Duration.ofHours(1));
        assertThat(sweep(engine).all(Duration.ofMinutes(15))).isPositive();
        deliverByFunction();
        assertThat(end("r").status()).isEqualTo(StepResult.Status.DONE);
        assertThat(rolledOut.paid).isNotEmpty();
    }

    @Test
    void aRunWhoseStepsWaitEndsByItsDeadlineWithTheBestSoFar() {
        engine.start(World.header("r", THREE_ATTEMPTS));
        untilThePlannerWasAskedOnce();
        deliverByFunction();
        clock.now = World.NOW.plus(Duration.ofDays(1)).plus(Sweep.SLACK);
        sweep(engine).all(Duration.ofMinutes(15));
        deliverByFunction();
        assertThat(records.hasEnded("r")).isTrue();
    }
}
