package io.mlestar.show.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.engine.OneEngine;
import io.mlestar.core.engine.World;
import io.mlestar.core.result.RunTally;
import io.mlestar.core.steering.Allowance;
import io.mlestar.core.step.StepPath;
import io.mlestar.show.render.SolutionGraph;
import io.mlestar.show.report.Report;
import io.mlestar.show.view.CandidateSolution.Part;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What people read of a search on whole scripts.
class SearchViewTest extends OneEngine {
    private static final String CONFIG =
            """
                    {"search": "strong", "num_retrieved_models": 2, "num_parallel_solutions": 2, "attempts": 12, "agents_look": 0}""";

    @BeforeEach
    void play() {
        runToTheEnd(CONFIG);
    }

    private SolutionAncestry ancestry() {
        return new SolutionHistory(records, records.header("r").orElseThrow()).look();
    }

    @Test
    void eachSolutionStandsOnItsPathWithWhatItWasMadeOfAndStudiesAreNone() {
        List<CandidateSolution> turns = ancestry().of(Part.TURN);

        assertThat(turns).hasSizeBetween(6, 11)
                .allSatisfy(turn -> assertThat(turn.id())
                        .matches("phase2/leg0/path" + turn.path() + "-attempt" + turn.number()));
        assertThat(turns).extracting(CandidateSolution::accepted).contains(true, false);
        assertThat(turns).allSatisfy(turn -> assertThat(turn.from()).isNotEmpty());
        assertThat(ancestry().graph(StepPath::inside).nodes()).extracting(SolutionGraph.Node::id)
                .contains(turns.getFirst().id());
    }

    @Test
    void reportAndTreeTellAttemptsWithTheirTokens() {
        String report = Report.html(records, records.header("r").orElseThrow(), World.NOW.plusSeconds(1000))
                .replaceAll("(?s)<[^>]*>", " ")
                .replaceAll("\\s+", " ");
        String tree = StepTree.of(records, records.header("r").orElseThrow(), StepTree.Look.PLAIN);

        assertThat(report).contains("Path 0, attempt ", "coder-script 13 0 13 0 13 2 ");
        assertThat(tree).containsPattern("coder-script .*1 \\+ 1 tokens")
                .containsPattern("path0-attempt0 .*study: I want to know\\.")
                .containsPattern("path0-attempt1 .*score 0\\.\\d+ \\(.*This helps\\.");
    }

    @Test
    void theStateSaysHowThePathsEnded() {
        assertThat(RunTally
                .count(records, records.header("r").orElseThrow(), records.below(StepPath.root("r")), false,
                        new Allowance(List.of()))
                .paths()).containsExactly("completed", "completed");
    }
}
