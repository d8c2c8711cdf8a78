package io.mlestar.show.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.engine.ScoredRun;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Scoring;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Walk;
import io.mlestar.core.result.RunTally;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.Results.FinalResult;
import io.mlestar.show.report.Report;
import module java.base;
import org.junit.jupiter.api.Test;

/// A run's best score, cost and state are the same in every view of it. A score counts if the
/// evaluation that ran the script ended with that script and that score; no other decides or is
/// shown as the best.
class StandingScoreTest {
    private static final String FIRST = "phase1/candidate0/evaluation";
    private static final String SECOND = "phase1/candidate1/evaluation";
    private static final String NO_CODE = "Sorry, I cannot.";

    private static final String CONFIG =
            "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 1, \"num_parallel_solutions\": 1}";
    private final MemoryStore store = new MemoryStore();

    private static ScoredRun run() {
        return new ScoredRun(
                "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 1, \"ensemble_rounds\": 1, \"max_debug_attempts\": 1}")
                .answers("finalization/test", NO_CODE).answers("finalization/test-2", NO_CODE);
    }

    /// The first candidate's script scores best, but its evaluation is ended from outside before it
    /// can keep that.
    private static ScoredRun failing() {
        return fail(scoring());
    }

    private static ScoredRun scoring() {
        return run().submits(FIRST + "/script", 0.99).submits(SECOND + "/script", 0.5);
    }

    private static ScoredRun fail(ScoredRun scoring) {
        return scoring.until(FIRST + "/script").fail(FIRST);
    }

    private static LiveRun live(ScoredRun run) {
        LiveRun live = new LiveRun(run.records, run.header);
        live.update();
        return live;
    }

    private static String described(String html) {
        return html.replaceAll("(?s).*<desc id=\"curve-desc\">(.*?)</desc>.*", "$1");
    }

    private static Optional<String> soFar(ScoredRun run) {
        return new SubmissionSoFar(run.records, run.header).read()
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    }

    @Test
    void theSubmissionSoFarIsOfNoScriptWhoseEvaluationGoesOnOrFailed() {
        ScoredRun run = scoring().until(FIRST + "/script");
        assertThat(soFar(run)).isEmpty();
        run.fail(FIRST);
        assertThat(soFar(run.until(SECOND))).contains(SECOND + "/script");
        assertThat(soFar(run.until("phase1"))).contains(SECOND + "/script");
    }

    @Test
    void theStateOfARunThatGoesOnNamesTheBestThatStands() {
        ScoredRun run = scoring();
        LiveRun followed = live(run);
        run.until(FIRST + "/script");
        followed.update();
        assertThat(followed.figures().bestScoreSoFar()).isNull();
        assertThat(live(run).figures().bestScoreSoFar()).isNull();
        run.fail(FIRST).until("phase1");
        followed.update();
        assertThat(followed.figures().bestScoreSoFar()).isEqualTo(0.5);
        assertThat(live(run).figures().bestScoreSoFar()).isEqualTo(0.5);
    }

    @Test
    @Requirement("REQ-OR-043")
    void curveCountsTallyAndLastResortAreOfScoresThatStand() {
        ScoredRun run = failing();
        assertThat(run.untilTheEnd().path("submission_source").asText()).isEqualTo(SECOND + "/script");
        String described = described(Report.html(run.records, run.header, Instant.now()));
        assertThat(described).contains("evaluations", "best score 0.5 ")
                .isEqualTo(described(live(run).curve(Instant.now(), false)));
        assertThat(ComparedRun.of(run.records, run.header, Instant.now()).best()).extracting(ComparedRun.NewBest::score)
                .last().isEqualTo(0.5);
        assertThat(RunTally.of(run.store, "r").orElseThrow().reached().bestScore()).isEqualTo(0.5);
    }

    /// The first candidate's script left a traceback, and its repair is better but writes no
    /// submission.
    @Test
    @Requirement("REQ-OR-043")
    void aScriptThatWasDoubtedAndRepairedIsNoLastResort() {
        ScoredRun run = run().submitsDoubtfully(FIRST + "/script", 0.6).scores(FIRST + "/script-2", 0.7)
                .submits(SECOND + "/script", 0.5);
        assertThat(soFar(run.until("phase1"))).contains(SECOND + "/script");
        assertThat(run.untilTheEnd().path("submission_source").asText()).isEqualTo(SECOND + "/script");
    }

    @Test
    void aScriptThatWasDoubtedCountsIfItsRepairIsWorse() {
        ScoredRun run = run().submitsDoubtfully(FIRST + "/script", 0.6).scores(FIRST + "/script-2", 0.3)
                .submits(SECOND + "/script", 0.5);
        assertThat(live(run.until("phase1")).figures().bestScoreSoFar()).isEqualTo(0.6);
        assertThat(soFar(run)).contains(FIRST + "/script");
        run.untilTheEnd();
        assertThat(RunTally.of(run.store, "r").orElseThrow().reached().bestScore()).isEqualTo(0.6);
    }

    @Test
    void everyPhaseThatHasEndedTellsTheEvaluationsInIt() {
        MemoryStore store = new MemoryStore();
        DrivenRun.start(store, "r", "{\"outer_loop_steps\": 6}", 10).untilTheEnd();
        DrivenRun fork = DrivenRun.sharing(store, "f", "r", "{\"outer_loop_steps\": 7}").untilTheEnd();
        for (String id : List.of("r", "f")) {
            Map<StepPath, List<Scoring>> told = new LinkedHashMap<>();
            Walk.SHARED.steps(fork.records(), id).map(StepView::of).forEach(step -> {
                if (step.known().request().isPhase()) {
                    told.put(step.known().place(), Objects.requireNonNull(step.result().orElseThrow().scorings()));
                }
            });
            told.forEach((phase, scorings) -> assertThat(scorings).as("%s of %s", phase, id)
                    .containsExactlyInAnyOrderElementsOf(found(fork.records(), phase)));
            assertThat(told.values()).filteredOn(scorings -> scorings.size() > 10).isNotEmpty();
        }
    }

    private static List<Scoring> found(Records records, StepPath phase) {
        List<Scoring> found = new ArrayList<>();
        for (KnownStep step : records.below(phase)) {
            if (step.result().orElseThrow().ending() instanceof StepResult.Done done
                    && step.step() instanceof RunScript script
                    && script.kind() == Kind.SOLUTION) {
                Double score = done.execution() instanceof Execution.Scored scored ? scored.evaluation().score().value()
                        : null;
                found.add(new Scoring(step.path().toString(), score, null, step.result().orElseThrow().endedAt()));
            }
            if (step.request().isPhase()) {
                found.addAll(found(records, step.place()));
            }
        }
        return found;
    }

    private DrivenRun run(Double price) {
        return DrivenRun.withScoredStudies(store, "r", CONFIG, price);
    }

    private static RunHeader header(DrivenRun run) {
        return run.records().header("r").orElseThrow();
    }

    private static RunState state(DrivenRun run) {
        return RunState.of(run.records(), header(run), Instant.now());
    }

    private static RunFigures figures(DrivenRun run) {
        LiveRun live = new LiveRun(run.records(), header(run));
        live.refresh();
        return live.figures();
    }

    private FinalResult result() {
        return Json.read(Json.parse(store.read("runs/r/result.json").orElseThrow()), FinalResult.class);
    }

    @Test
    void aScoreThatAnAblationStudyPrintsIsNeverTheBestScore() {
        DrivenRun run = run(0.01).until("phase2-path0/block0/script");
        assertThat(state(run).bestScoreSoFar()).isNotNull().isLessThan(1).isEqualTo(figures(run).bestScoreSoFar());
        assertThat(figures(run).scoreTitle()).isEqualTo("Best score so far");
        assertThat(state(run).text("", "")).contains("\nscore      " + state(run).bestScoreSoFar() + ", best so far\n");
        assertThat(StepTree.of(run.records(), header(run), StepTree.Look.PLAIN)).doesNotContain("99");
        assertThat(Report.html(run.records(), header(run), Instant.now())).doesNotContain("99.00");
    }

    @Test
    @Requirement({"REQ-OR-036", "REQ-OR-050"})
    void anEndedRunHasTheScoreAndTheCostOfItsResultEverywhere() {
        DrivenRun run = run(0.01).untilTheEnd();
        assertThat(state(run).bestScoreSoFar()).isEqualTo(result().bestScore())
                .isEqualTo(figures(run).bestScoreSoFar());
        assertThat(figures(run).scoreTitle()).isEqualTo("Final score");
        assertThat(state(run).text("", "")).contains("\nscore      " + result().bestScore() + ", final\n");
        assertThat(Report.html(run.records(), header(run), Instant.now())).contains("Final score")
                .doesNotContain("Best score");
        assertThat(state(run).accumulatedCostUsd()).isPositive().isEqualTo(result().totalCostUsd())
                .isEqualTo(figures(run).accumulatedCostUsd());
    }

    @Test
    @Requirement("REQ-OR-050")
    void aSuspendedRunIsShownAsSuspendedEverywhere() {
        DrivenRun run = run(0.01).until("phase1");
        String id = header(run).runId();
        assertThat(run.records().promptChange(id, run.records().marks(id), AgentType.RETRIEVER, "other")).isPresent();
        assertThat(state(run).status()).isEqualTo(figures(run).state()).isEqualTo(RunStatus.HALTED);
        assertThat(state(run).error()).isEqualTo(figures(run).error())
                .contains("the prompts of agent retriever have changed");
        assertThat(figures(run).isRunning()).as("it may go on at any time").isTrue();
    }

    @Test
    void anUnknownCostIsNeverShownAsZero() {
        DrivenRun run = run(null).until("phase1");
        assertThat(state(run).accumulatedCostUsd()).isNull();
        assertThat(state(run).text("", "")).contains("cost       unknown");
        assertThat(RunTable.of(List.of(state(run)), ZoneOffset.UTC)).contains("unknown").doesNotContain("$0");
        assertThat(figures(run).costWords()).isEqualTo("unknown");
        assertThat(figures(run).accumulatedCostUsd()).isNull();
        run.untilTheEnd();
        assertThat(result().totalCostUsd()).isNull();
        assertThat(state(run).accumulatedCostUsd()).isNull();
        assertThat(figures(run).costWords()).isEqualTo("unknown");
    }
}
