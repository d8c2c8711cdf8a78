package io.mlestar.show.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.show.render.SolutionGraph.Lot;
import io.mlestar.show.render.SolutionGraph.Node;
import io.mlestar.show.render.SolutionGraph;
import io.mlestar.show.view.CandidateSolution.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SolutionAncestryTest {
    private final List<CandidateSolution> tried = new ArrayList<>();

    private SolutionAncestryTest and(String step, Part part, int path, int block, int number, Double score, boolean better) {
        tried.add(new CandidateSolution(new StepPath("r", step), part, path, block, number, step, "", score, better, false));
        return this;
    }

    private SolutionGraph graph(MetricDirection direction, CandidateSolution.Last last) {
        return SolutionAncestry.graph(new SolutionHistory.Seen(tried, Optional.ofNullable(last)), direction, step -> "/" + step.inside());
    }

    private static Node node(SolutionGraph graph, String step) {
        return graph.nodes().stream().filter(one -> one.id().equals("r/" + step)).findFirst().orElseThrow();
    }

    private static List<String> marked(SolutionGraph graph, Lot lot) {
        return graph.nodes().stream().filter(one -> one.lot() == lot).map(one -> one.id().substring(2)).toList();
    }

    private static CandidateSolution.Last last(boolean ensembled) {
        return new CandidateSolution.Last(new StepPath("r", "finalization"), ensembled, 0.9);
    }

    private SolutionAncestryTest firstPhase() {
        return and("c0", Part.CANDIDATE, 0, 0, 0, 0.5, false).and("c1", Part.CANDIDATE, 0, 0, 1, 0.7, false).and("c2", Part.CANDIDATE, 0, 0, 2, null, false)
                .and("c3", Part.CANDIDATE, 0, 0, 3, 0.6, false).and("m1", Part.MERGE, 0, 0, 1, 0.7, false).and("m2", Part.MERGE, 0, 0, 2, 0.65, false);
    }

    private SolutionAncestryTest secondPhase() {
        return and("p0b0a0", Part.ATTEMPT, 0, 0, 0, 0.72, true).and("p0b0a1", Part.ATTEMPT, 0, 0, 1, 0.75, true)
                .and("p0b0a2", Part.ATTEMPT, 0, 0, 2, 0.6, false)
                .and("p0b1a0", Part.ATTEMPT, 0, 1, 0, null, false).and("p0b2a0", Part.ATTEMPT, 0, 2, 0, 0.8, true)
                .and("p1b0a0", Part.ATTEMPT, 1, 0, 0, 0.1, false);
    }

    @Test
    void aMergeIsMadeOfTheBestSoFarAndTheNextBestModel() {
        SolutionGraph graph = firstPhase().graph(MetricDirection.MAXIMIZE, null);
        assertThat(node(graph, "m1").parents()).containsExactly("r/c1", "r/c3");
        assertThat(node(graph, "m2").parents()).as("a tie is kept").containsExactly("r/m1", "r/c0");
        assertThat(node(graph, "c2").lot()).isEqualTo(Lot.FAILED);
        assertThat(node(graph, "m2").lot()).isEqualTo(Lot.DROPPED);
    }

    @Test
    void theAttemptsOfABlockBeginWithWhatTheBlockBeganWith() {
        SolutionGraph graph = firstPhase().secondPhase().graph(MetricDirection.MAXIMIZE, null);
        assertThat(graph.nodes()).filteredOn(one -> one.id().startsWith("r/p0b0")).allSatisfy(one -> assertThat(one.parents()).containsExactly("r/m1"));
        assertThat(node(graph, "p0b1a0").parents()).containsExactly("r/p0b0a1");
        assertThat(node(graph, "p0b2a0").parents()).as("a block that gained nothing changes nothing").containsExactly("r/p0b0a1");
        assertThat(node(graph, "p1b0a0").parents()).containsExactly("r/m1");
        assertThat(node(graph, "p1b0a0").lane()).isEqualTo(1);
    }

    @Test
    void beforeTheEndTheBestSoFarAndItsDescentAreMarked() {
        SolutionGraph graph = firstPhase().secondPhase().graph(MetricDirection.MAXIMIZE, null);
        assertThat(marked(graph, Lot.LEADING)).containsExactly("c1", "c3", "m1", "p0b0a1", "p0b2a0");
        assertThat(marked(graph, Lot.KEPT)).containsExactly("p0b0a0");
    }

    @Test
    void theFinalScriptComesFromTheBestRoundOrTheBestPath() {
        firstPhase().secondPhase().and("r0", Part.ROUND, 0, 0, 0, 0.7, false).and("r1", Part.ROUND, 0, 0, 1, 0.7, false);
        SolutionGraph ensembled = graph(MetricDirection.MAXIMIZE, last(true));
        assertThat(node(ensembled, "finalization").parents()).as("the last of equals").containsExactly("r/r1");
        assertThat(node(ensembled, "r1").parents()).containsExactly("r/p0b2a0", "r/m1");
        assertThat(marked(ensembled, Lot.LINEAGE)).containsExactly("c1", "c3", "m1", "p0b0a1", "p0b2a0", "r1");
        SolutionGraph single = graph(MetricDirection.MAXIMIZE, last(false));
        assertThat(node(single, "finalization").parents()).containsExactly("r/p0b2a0");
        assertThat(marked(single, Lot.KEPT)).contains("r1");
    }

    @Test
    void whatTheChecksMadeReplacesTheInitialSolutionEvenIfItIsWorse() {
        SolutionGraph graph = firstPhase().and("e", Part.CHECKED, 0, 0, 0, 0.4, false).secondPhase().graph(MetricDirection.MAXIMIZE, last(false));
        assertThat(node(graph, "e").parents()).containsExactly("r/m1");
        assertThat(node(graph, "p0b0a0").parents()).containsExactly("r/e");
    }

    @Test
    void lowerCanBeBetter() {
        SolutionGraph graph = firstPhase().graph(MetricDirection.MINIMIZE, null);
        assertThat(node(graph, "m1").parents()).containsExactly("r/c0", "r/c3");
        assertThat(marked(graph, Lot.LEADING)).containsExactly("c0");
    }

    @Test
    void nothingOneSolutionAndFailuresOnlyAreGraphsToo() {
        assertThat(graph(MetricDirection.MAXIMIZE, null).nodes()).isEmpty();
        and("c0", Part.CANDIDATE, 0, 0, 0, null, false);
        assertThat(marked(graph(MetricDirection.MAXIMIZE, null), Lot.FAILED)).containsExactly("c0");
        and("a0", Part.ATTEMPT, 0, 0, 0, null, false);
        assertThat(node(graph(MetricDirection.MAXIMIZE, last(true)), "finalization").parents()).isEmpty();
    }

    @Test
    void tooManyAreCutToWhatMattersAndTheLinesGoOnAcrossTheGaps() {
        and("c0", Part.CANDIDATE, 0, 0, 0, 0.0, false);
        for (int block = 0; block < 250; block++) {
            for (int k = 0; k < 8; k++) {
                and("b" + block + "a" + k, Part.ATTEMPT, 0, block, k, block / 1000.0, k == 7);
            }
        }
        SolutionGraph graph = graph(MetricDirection.MAXIMIZE, last(false)).bounded(100);
        assertThat(graph.nodes()).hasSize(100);
        assertThat(graph.leftOut()).isEqualTo(2_002 - 100);
        assertThat(graph.note()).startsWith("100 of 2002 solutions");
        assertThat(graph.nodes()).allMatch(Node::isMain);
        assertThat(graph.nodes().subList(1, 100)).allSatisfy(one -> assertThat(one.parents()).hasSize(1));
        assertThat(graph.chapters()).last().satisfies(chapter -> assertThat(chapter.nodes()).extracting(Node::title).containsExactly("Final script"));
    }
}
