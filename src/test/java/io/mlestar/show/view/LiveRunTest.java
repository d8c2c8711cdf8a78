package io.mlestar.show.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Walk;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.WatchedStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LiveRunTest {
    private static final String CONFIG = "{\"outer_loop_steps\": 6, \"inner_loop_steps\": 2, \"ensemble_rounds\": 2}";

    private final WatchedStore store = new WatchedStore(new MemoryStore());
    private final DrivenRun run = DrivenRun.start(store, "r", CONFIG, 10);

    /// Sees nothing of what the engine has read.
    private LiveRun look() {
        Records records = new Records(store);
        RunHeader header = records.header("r").orElseThrow();
        return new LiveRun(records, header);
    }

    @Test
    void afterTheFirstLookOnlyWhatIsNewIsReadAndOnlyOpenPhasesAreListed() {
        run.until("phase2-path0/block3");
        LiveRun live = look();
        store.forget();
        live.update();
        assertThat(store.read()).filteredOn(key -> key.contains("/steps/")).doesNotHaveDuplicates()
                .as("of phases that have ended no more than their results")
                .noneMatch(key -> key.contains("phase2-path0/block1/planner"))
                .contains("runs/r/steps/phase2-path0/block1.result.json")
                .doesNotContain("runs/r/steps/phase2-path0/block1.request.json");
        run.goOn(12);
        store.forget();
        live.update();
        assertThat(store.listed()).isNotEmpty().doesNotHaveDuplicates().hasSizeLessThan(20)
                .noneMatch(
                        folder -> folder.contains("phase1") || folder.contains("block0") || folder.contains("block1"));
        assertThat(store.read().size()).isLessThan(40);
        assertThat(store.read()).filteredOn(key -> key.contains("/steps/"))
                .noneMatch(key -> key.contains("block0") || key.contains("phase1"));
        store.forget();
        live.update();
        assertThat(store.read()).as("nothing has happened").isEmpty();
    }

    @Test
    void theFiguresOfARunThatEndedWellTakeOneListingAndItsResult() {
        run.untilTheEnd();
        LiveRun live = look();
        store.forget();
        live.update();
        RunFigures figures = live.figures();
        assertThat(store.listed()).containsExactly("runs/r");
        assertThat(store.read()).containsExactly("runs/r/steps.result.json");
        assertThat(figures.currentPhase()).isEqualTo("complete");
        assertThat(figures.bestScoreSoFar()).isNotNull();
    }

    /// As its page asks for it.
    @Test
    void aRunThatHasEndedIsReadOnceForItsPage() {
        run.untilTheEnd();
        List<StepView> phases = new ArrayList<>();
        Walk.SHARED.steps(run.records(), "r").map(StepView::of).forEach(step -> {
            if (step.known().request().isPhase()) {
                phases.add(step);
            }
        });
        LiveRun live = look();
        Records records = new Records(store);
        store.forget();
        page(live, records);
        int few = 1 + 7 + 7;
        assertThat(store.listed()).as("its folder, and the first two levels for the tree and for the solutions")
                .hasSizeLessThanOrEqualTo(1 + few + 1);
        assertThat(store.read()).as("nothing of single evaluations").hasSizeLessThan(2 * phases.size())
                .noneMatch(key -> key.contains("evaluation/script"));
        assertThat(live.files()).containsExactly("final_solution.py", "result.json");
        store.forget();
        page(live, records);
        assertThat(store.read()).as("again").hasSizeLessThan(50);
        assertThat(store.listed()).hasSizeLessThanOrEqualTo(few);
    }

    private static void page(LiveRun live, Records records) {
        Instant now = Instant.now();
        live.update();
        live.figures();
        new SolutionHistory(records, live.run()).look();
        StepList.branches(live);
        live.curve(now, true);
        live.limits();
    }

    @Test
    void itSaysTheSameWhenReadAtOnceAsWhenFollowed() {
        LiveRun followed = look();
        followed.update();
        while (run.goOn(40)) {
            followed.update();
        }
        followed.update();
        LiveRun late = look();
        late.update();
        Instant now = Instant.now();
        assertThat(late.figures()).isEqualTo(followed.figures());
        assertThat(late.curve(now, false)).isEqualTo(followed.curve(now, false));
        assertThat(late.evaluationCount()).isEqualTo(followed.evaluationCount()).isGreaterThan(20);
        assertThat(late.scoredCount()).isEqualTo(followed.scoredCount()).isPositive();
        StepPath path = new StepPath("r", "phase2-path0");
        assertThat(late.below(path)).isEqualTo(followed.below(path)).extracting(row -> row.step().name())
                .containsExactly("block0", "block1", "block2", "block3", "block4", "block5");
    }

    @Test
    void whatIsSharedWithAnotherRunIsFoundThere() {
        run.untilTheEnd();
        LiveRun origin = look();
        origin.update();
        DrivenRun fork = DrivenRun.sharing(store, "f", "r", CONFIG).untilTheEnd();
        LiveRun live = new LiveRun(fork.records(), fork.records().header("f").orElseThrow());
        live.update();
        assertThat(live.evaluationCount()).isEqualTo(origin.evaluationCount());
        StepRow shared = live.row(new StepPath("f", "phase1")).orElseThrow();
        assertThat(shared.note()).startsWith("shared with r/phase1");
        assertThat(live.below(shared.place())).isNotEmpty()
                .allMatch(row -> row.url().startsWith("/runs/r/steps/phase1/"));
    }

    @Test
    void aListShowsTheLastStepsAndHowManyComeBefore() {
        String config = "{\"outer_loop_steps\": 130, \"inner_loop_steps\": 1, \"num_parallel_solutions\": 1}";
        DrivenRun many = DrivenRun.start(store, "many", config, 0);
        many.until("phase2-path0");
        LiveRun live = new LiveRun(many.records(), many.records().header("many").orElseThrow());
        StepPath path = new StepPath("many", "phase2-path0");
        StepList last = StepList.of(live, path, Integer.MAX_VALUE);
        assertThat(last.shown()).hasSize(StepList.MOST).last().extracting(row -> row.step().name())
                .isEqualTo("block129");
        StepList first = StepList.of(live, path, last.earlier());
        assertThat(first.shown()).hasSize(30).first().extracting(row -> row.step().name()).isEqualTo("block0");
        assertThat(first.earlier()).isZero();
    }
}
