package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.agent.ScriptCoder;
import io.mlestar.core.base.Json;
import io.mlestar.core.phase.Pipeline;
import io.mlestar.core.phase.ScriptAttempt;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Walk;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Arithmetic;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.task.AttemptRecord;
import io.mlestar.core.task.Preset;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Runs as the preset `strong` makes them: rows hidden in folds, races, a blend, and the choice by
/// rows of its own. The other presets run in the same world, where rows can be hidden. Then runs
/// with attempts on whole scripts that print their scores.
class FoldedRunsTest extends OneEngine {
    private static final int SCHEDULES = Integer.getInteger("folded.seeds", 4);
    private static final int FAULTS = 10;
    private static final String CONFIG =
            """
                    {"search": "strong", "folds": 3, "num_retrieved_models": 3, "num_parallel_solutions": 2, "attempts": 8, "studies": 1,
                     "agents_look": 0, "max_debug_attempts": 2}""";
    private static final Path STEPS = Path.of("src/test/resources/steps");
    private static final String SEARCH =
            """
                    {"search": "strong", "num_retrieved_models": 3, "num_parallel_solutions": 2, "attempts": 24, "studies": 3, "agents_look": 0,
                     "max_debug_attempts": 1}""";

    private static World folded(long seed, int faults, String digest) {
        return new FoldedWorld(digest).in(new World(seed, faults));
    }

    private static OneEngine scoring() {
        OneEngine one = new OneEngine(new MemoryStore(), folded(1, 0, "d1"), MovingClock.ticking(World.NOW, 1),
                new Watcher() {});
        one.keepSubmission();
        return one;
    }

    @Test
    void everyScheduleWithKillsEndsAsTheDirectRunDoes() {
        int crashes = 0;
        int combined = 0;
        int lost = 0;
        int compared = 0;
        for (long seed = 1; seed <= SCHEDULES; seed++) {
            World world = folded(seed, FAULTS, "d1");
            Weather weather = new Weather(seed % 2 == 0, 86_400, 0.01, 0.01, 8, 0, 0, Duration.ZERO, 20, Outage.NEVER,
                    null, false);
            SimulatedCluster cluster = new SimulatedCluster(seed, weather, CONFIG, world, 16);
            cluster.work.writes = false;
            cluster.runToTheEnd();
            // A script whose pod dies again and again has failed, which no direct run knows.
            if (Walk.OWN.steps(cluster.records(), "r")
                    .noneMatch(step -> String.valueOf(step.result()).contains("killed with its container"))) {
                compared++;
                assertThat(DirectSteps.end(cluster.records().result(StepPath.root("r")).orElseThrow()))
                        .as("seed %d", seed)
                        .isEqualTo(DirectSteps.end(World.header("r", CONFIG), folded(seed, FAULTS, "d1")));
            }
            crashes += cluster.kills;
            combined += (int) Walk.OWN.steps(cluster.records(), "r")
                    .filter(step -> step.step() instanceof Arithmetic.CombineFolds).count();
            lost += (int) Walk.OWN.steps(cluster.records(), "r")
                    .filter(step -> step.done().map(done -> done.value().path("lost").isTextual()).orElse(false))
                    .count();
        }
        assertThat(compared).isGreaterThan(SCHEDULES / 2);
        assertThat(List.of(crashes, combined, lost)).as("kills, scripts on all folds, scripts that lost the race")
                .allMatch(count -> count > SCHEDULES);
    }

    private static RunHeader fork(OneEngine one, String at) {
        RunHeader other = one.records.header("r").orElseThrow();
        return World.header("f", CONFIG).from(new RunHeader.Origin("r", at, one.clock.instant(),
                RunHeader.Redo.of(ResultReuse.dependents(one.records, other, new StepPath("r", at)), false)));
    }

    private static JsonNode result(OneEngine one, String run) {
        return one.records.result(StepPath.root(run)).map(StepResult::value).orElseThrow();
    }

    @Test
    void aForkWhoseDataHaveChangedSharesNoScores() {
        OneEngine one = scoring();
        one.runToTheEnd(CONFIG);
        new FoldedWorld("d2").in(one.world);

        one.engine.start(fork(one, "phase2/leg0/path1-attempt2"));
        one.deliverAll();

        assertThat(Walk.OWN.steps(one.records, "f")).isNotEmpty()
                .allMatch(step -> step.result().map(StepResult::sharedWith).isEmpty());
        assertThat(Walk.OWN.steps(one.records, "f")
                .filter(step -> step.step() instanceof RunScript script && script.holdout() != null)
                .map(step -> ((RunScript) step.step()).holdout())).isNotEmpty().containsOnly("d2");
        assertThat(result(one, "f").path("chosen").path("validation").path("rows").asText()).startsWith("d2");
    }

    /// Those of `paper` are as they were before there was another search.
    @ParameterizedTest
    @EnumSource
    void aPresetAsksForItsSteps(Preset preset) throws IOException {
        OneEngine one = scoring();
        JsonNode result = one.runToTheEnd(Json.text(preset.settings()));

        assertThat(result.path("phases_completed")).extracting(JsonNode::asText).contains("phase1", "phase2", "phase3",
                "finalization");
        List<String> steps = DamagedRunTest.objects(one.store, "runs").keySet().stream()
                .filter(key -> key.endsWith(".request.json")).sorted().toList();
        assertThat(steps).isEqualTo(Files.readAllLines(STEPS.resolve(preset.id() + ".txt")));
    }

    private static List<ScriptAttempt> turns(OneEngine one, String run) {
        return Walk.OWN.steps(one.records, run).map(KnownStep::step).filter(ScriptAttempt.class::isInstance)
                .map(ScriptAttempt.class::cast).toList();
    }

    @Test
    void aWholeRunMakesItsStudiesAndAttemptsAndPaysForNoneTwice() {
        runToTheEnd(SEARCH);

        Pipeline.Result solved = ((StepResult.Done) end("r").ending()).of(new Pipeline());
        List<AttemptRecord> made = solved.phase2Results().stream()
                .flatMap(path -> path.stepHistory().getFirst().innerLoopAttempts().stream())
                .map(attempt -> attempt.finding()).toList();
        assertThat(made).as("it ends when neither path gains any more").hasSize(16).anyMatch(AttemptRecord::isStudy)
                .anyMatch(AttemptRecord::isKept).anyMatch(one -> one.fusedWith() != null);
        assertThat(turns(this, "r")).hasSize(17).as("what an attempt is asked with is bounded")
                .allMatch(turn -> Json.bytes(turn).length < 60_000);
        assertThat(solved.completed()).contains("phase1", "phase2");
        assertThat(solved.phase1().study().table()).isEqualTo(CannedAnswers.OUTPUT);
        assertThat(world.paidTwice()).isZero();
        Map<StepPath, Integer> paid = Map.copyOf(world.paid);
        sweep(engine).run("r", Duration.ZERO);
        deliverAll();
        assertThat(world.paid).as("a replay asks nothing again").isEqualTo(paid);
    }

    private static Answer looking(Answer made, String... printed) {
        return new Answer(made.text(), made.usage(), null, "", "",
                Stream.of(printed).map(output -> new Answer.DataLook("print(1)", output)).toList());
    }

    @Test
    void whatALookFoundIsKnownToTheNextAttemptsOfAllPaths() {
        Map<String, List<String>> told = new LinkedHashMap<>();
        world.asking(question -> {
            told.put(question.step().inside(), question.context().findings());
            assertThat(question.context().timeUsed()).endsWith(" minutes");
            return question.agent() instanceof ScriptCoder && question.step().inside().contains("path0-attempt0")
                    ? looking(question.answer(),
                            "one plan:\n```12\n" + "x".repeat(900) + "\n[stderr]\nFutureWarning: old", " ",
                            "Error: exit code 1\nTraceback")
                    : question.answer();
        });
        runToTheEnd(SEARCH.replace("\"agents_look\": 0", "\"agents_look\": 2"));

        assertThat(told.entrySet())
                .filteredOn(asked -> asked.getKey().matches("phase2/leg0/path1-attempt[1-9].*coder.*")).isNotEmpty()
                .allSatisfy(asked -> assertThat(asked.getValue()).singleElement().asString()
                        .matches("- path0-attempt0: one plan:\\n    '''12\\n    x+…").hasSizeLessThan(720));
        assertThat(told.get("phase1/retriever")).isEmpty();
    }

    /// The last findings that each agent is told, where looks print 1,000 rows.
    private Map<String, List<String>> told(String row) {
        AtomicInteger number = new AtomicInteger();
        Map<String, List<String>> told = new HashMap<>();
        world.asking(question -> {
            String agent = question.agent().name();
            told.put(agent, question.context().findings());
            String rows = Stream.generate(() -> row.formatted(number.getAndIncrement())).limit(1_000)
                    .collect(Collectors.joining());
            return agent.matches("init|coder-script") ? looking(question.answer(), rows) : question.answer();
        });
        runToTheEnd(SEARCH.replace("\"agents_look\": 0", "\"agents_look\": 2"));
        return told;
    }

    @Test
    void olderLooksAreToldInBriefBesideTheLatest() {
        Map<String, List<String>> told = told("plan %d repeats in both tables\n");

        List<String> findings = told.get("coder-script");
        assertThat(findings).hasSize(4);
        assertThat(findings).extracting(String::length).isSorted();
        assertThat(String.join("", findings)).hasSizeBetween(3_300, 4_100);
        assertThat(told.get("ensembler")).last().asString().startsWith("- path");
    }

    @Test
    void theLuckOfTheBestIsThatOfAllVariantsSoFar() {
        assertThat(told("2.4   +%d ± 0.02   5/5   0.1   median\n").get("ensembler")).last().asString().matches(
                "- In all, \\d+ variants were compared: of as many equal ones the best may lead by [34](\\.\\d)? errors\\.");
    }

    @Test
    void figuresThatALaterLookRepeatsAreToldOnce() {
        assertThat(told("12 of 30 days have rain\n").get("ensembler")).singleElement().asString()
                .containsOnlyOnce("12 of 30 days have rain");
    }

    @Test
    void manyShortLinesStayWithinTheBound() {
        assertThat(String.join("", told("x\n").get("coder-script"))).hasSizeBetween(3_300, 4_100);
    }

    @Test
    void anotherPathsBestIsComparedWithTheReadersOwn() {
        runToTheEnd(SEARCH);

        assertThat(turns(this, "r")).filteredOn(turn -> turn.number() >= 2).isNotEmpty()
                .allSatisfy(turn -> assertThat(turn.others()).filteredOn(other -> other.gain() != null).as(turn.name())
                        .allSatisfy(other -> assertThat(other.step()).doesNotContain("path" + turn.path())));
        assertThat(turns(this, "r")).filteredOn(turn -> turn.best() != null).isNotEmpty()
                .allSatisfy(turn -> assertThat(turn.others())
                        .as("its own best is shown whole").extracting(AttemptRecord::step)
                        .doesNotContain(String.valueOf(turn.best().step())));
        assertThat(turns(this, "r")).filteredOn(turn -> turn.studiesLeft() == 0)
                .as("no study when nothing can be built on it").isNotEmpty();
    }
}
