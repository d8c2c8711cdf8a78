package io.mlestar.show.report;

import io.mlestar.core.step.StepPath;
import io.mlestar.show.render.SolutionDrawing;
import io.mlestar.show.render.SolutionGraph;
import io.mlestar.show.view.SolutionAncestry;
import io.quarkus.qute.RawString;
import java.util.List;
import java.util.function.Function;

/// The graph of a run's solutions as the template shows it: a drawing, and the same as a list.
/// Bounded, whatever the size of the run.
///
/// @param drawing empty if nothing was tried yet
/// @param note how much of the graph is shown
public record SolutionChart(RawString drawing, List<SolutionGraph.Chapter> chapters, String note) {
    private static final int MOST = 100;

    /// @param address where the code of a step is shown
    public static SolutionChart of(SolutionAncestry ancestry, Function<StepPath, String> address) {
        SolutionGraph graph = ancestry.graph(address).bounded(MOST);
        return new SolutionChart(
                new RawString(graph.nodes().isEmpty()
                        ? ""
                        : SolutionDrawing.svg(graph, ancestry.direction())),
                graph.chapters(), graph.note());
    }

    public boolean isEmpty() {
        return chapters.isEmpty();
    }
}
