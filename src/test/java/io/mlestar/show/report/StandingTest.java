package io.mlestar.show.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.Results.FinalResult;
import io.mlestar.show.view.LiveRun;
import io.mlestar.show.view.RunFigures;
import io.mlestar.show.view.RunState;
import io.mlestar.show.view.RunStatus;
import io.mlestar.show.view.RunTable;
import io.mlestar.show.view.StepTree;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A run's best score, cost and state are the same in every view of it.
class StandingTest {
    private static final String CONFIG =
            "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 1, \"num_parallel_solutions\": 1}";
    private final MemoryStore store = new MemoryStore();

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
