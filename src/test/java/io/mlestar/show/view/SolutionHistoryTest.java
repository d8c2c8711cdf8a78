package io.mlestar.show.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.phase.OuterStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.Walk;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.WatchedStore;
import io.mlestar.show.render.SolutionGraph;
import io.mlestar.show.render.SolutionGraph.Lot;
import io.mlestar.show.view.CandidateSolution.Part;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class SolutionHistoryTest {
    private static final String CONFIG = "{\"outer_loop_steps\": 3, \"inner_loop_steps\": 2, \"ensemble_rounds\": 2}";

    private final WatchedStore store = new WatchedStore(new MemoryStore());
    private final DrivenRun run = DrivenRun.start(store, "r", CONFIG, 10);

    private SolutionHistory history(String run) {
        Records records = new Records(store);
        return new SolutionHistory(records, records.header(run).orElseThrow());
    }

    private static List<CandidateSolution> ordered(SolutionHistory history) {
        return history.look().solutions().stream().sorted(Comparator.comparing(one -> one.step().toString())).toList();
    }

    @Test
    void itSaysTheSameWhenReadAtOnceAsWhenFollowed() {
        SolutionHistory followed = history("r");
        while (run.goOn(30)) {
            assertThat(followed.look().solutions()).hasSizeLessThan(40);
        }
        assertThat(ordered(followed)).isEqualTo(ordered(history("r"))).filteredOn(one -> one.part() == Part.ATTEMPT)
                .hasSize(2 * 3 * 2);
        assertThat(followed.look().of(Part.FINAL)).hasSize(1);
    }

    @Test
    void itsAttemptsAreThoseThatTheStepsThemselvesTell() {
        run.untilTheEnd();
        List<CandidateSolution> tried = history("r").look().solutions();
        Walk.SHARED.steps(run.records(), "r").map(StepView::of).forEach(step -> {
            assertThat(OuterStep.isName(step.path().name())).as(step.path().toString())
                    .isEqualTo(step.step() instanceof OuterStep);
            if (step.path().plainName().startsWith("attempt") || step.path().plainName().startsWith("round")) {
                assertThat(tried).filteredOn(one -> one.step().equals(step.path())).singleElement()
                        .satisfies(one -> assertThat(one.score()).isEqualTo(step.score()));
            }
        });
    }

    @Test
    void whatHasEndedIsReadOnceAndTheAttemptsOfABlockNotAtAll() {
        run.until("phase2-path0/block1");
        SolutionHistory history = history("r");
        store.forget();
        history.look();
        assertThat(store.read()).doesNotHaveDuplicates().noneMatch(key -> key.contains("block0/attempt"))
                .noneMatch(key -> key.contains("planner"))
                .contains("runs/r/steps/phase2-path0/block0.result.json")
                .doesNotContain("runs/r/steps/phase2-path0/block0.request.json");
        run.untilTheEnd();
        history.look();
        store.forget();
        history.look();
        assertThat(store.read()).as("nothing has happened").isEmpty();
    }

    @Test
    void whatAForkSharesIsFoundWithTheOtherRun() {
        run.untilTheEnd();
        DrivenRun fork = DrivenRun.sharing(store, "f", "r", CONFIG).untilTheEnd();
        List<CandidateSolution> tried = history(fork.records().header("f").orElseThrow().runId()).look().solutions();
        assertThat(tried).hasSameSizeAs(history("r").look().solutions()).extracting(CandidateSolution::step)
                .extracting(StepPath::run).contains("r");
    }

    @Test
    void theWholeRunIsAGraphWithOneFinalScriptWhoseDescentHasNoGap() {
        run.untilTheEnd();
        SolutionGraph graph = history("r").look().graph(StepPath::inside);
        assertThat(graph.nodes()).filteredOn(node -> node.lot() == Lot.FINAL).hasSize(1);
        List<String> ids = graph.nodes().stream().map(SolutionGraph.Node::id).toList();
        assertThat(ids).doesNotHaveDuplicates();
        assertThat(graph.nodes())
                .allSatisfy(node -> assertThat(ids.subList(0, ids.indexOf(node.id()))).containsAll(node.parents()));
        assertThat(graph.nodes()).filteredOn(node -> !node.stage().name().equals("Models")).isNotEmpty()
                .allSatisfy(node -> assertThat(node.parents()).as(node.id()).isNotEmpty());
        assertThat(graph.nodes()).filteredOn(SolutionGraph.Node::isMain)
                .allSatisfy(node -> assertThat(node.score()).isNotNull())
                .anyMatch(node -> node.chapter().equals("Initial solution") && node.parents().isEmpty());
    }
}
