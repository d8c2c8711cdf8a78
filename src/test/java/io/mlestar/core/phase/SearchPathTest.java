package io.mlestar.core.phase;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.agent.ScriptCoder;
import io.mlestar.core.task.AttemptRecord;
import io.mlestar.core.task.AttemptRecord.AttemptKind;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.Results.RefinementAttempt;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.Validation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Which paths make the next attempts.
class SearchPathTest {
    private final Map<String, Object> config =
            new HashMap<>(Map.of("search", "strong", "num_parallel_solutions", 3, "attempts", 24));
    private int answers;

    /// @param gains of the attempts of each path over its start, by number; 0 is none
    private Scenario scenario(Map<Integer, List<Integer>> gains) {
        return new Scenario(config).answer(ScriptCoder.class, asked -> {
            int path = asked.best().content().charAt(0) - 'a';
            List<Integer> own = gains.getOrDefault(path, List.of());
            int gain = asked.own().size() < own.size() ? own.get(asked.own().size()) : 0;
            String code = asked.best().content().substring(0, 1) + "(" + answers++ + ")";
            return "Kind: solution\n"
                    + Texts.code(code + "\n# score " + (gain > 0 ? 0.5 + path / 100.0 + gain / 10.0 : 0.1));
        });
    }

    private static ScriptSearch.Result play(Scenario scenario) {
        int paths = scenario.context().config().search().numParallelSolutions();
        return scenario.play(new ScriptSearch(IntStream.range(0, paths)
                .mapToObj(path -> SolutionScript.unscored((char) ('a' + path) + "()", SolutionPhase.INIT)
                        .by("start" + path)
                        .scored(Score.printed(0.5 + path / 100.0)))
                .toList(), List.of()));
    }

    private static List<Integer> lengths(ScriptSearch.Result searched) {
        return searched.paths().stream().map(path -> path.stepHistory().getFirst().innerLoopAttempts().size()).toList();
    }

    private static List<String> fusedWith(ScriptSearch.Result searched, int path) {
        return searched.paths().get(path).stepHistory().getFirst().innerLoopAttempts().stream()
                .map(RefinementAttempt::finding).map(AttemptRecord::fusedWith)
                .toList();
    }

    @Test
    void eachPathMakesOneAttemptInARoundBesideTheOthers() {
        Scenario scenario = scenario(Map.of(0, List.of(1, 2, 3, 4, 5, 6, 7, 8), 1, List.of(1, 2, 3, 4, 5, 6, 7, 8), 2,
                List.of(1, 2, 3, 4, 5, 6, 7, 8)));

        assertThat(lengths(play(scenario))).containsExactly(8, 8, 8);
        assertThat(scenario.together()).hasSize(8).first().asList()
                .containsExactly("leg0/path0-attempt0", "leg0/path1-attempt0", "leg0/path2-attempt0");
        assertThat(scenario.phases()).filteredOn(phase -> !phase.contains("/")).containsExactly("leg0", "leg1");
    }

    @Test
    void aPathThatIsStuckFusesWithThePresentBestOfAnotherAndThenPassesItsAttemptsOn() {
        Scenario scenario =
                scenario(Map.of(0, List.of(1, 2, 3), 1, List.of(1), 2, List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)));

        ScriptSearch.Result searched = play(scenario);

        assertThat(fusedWith(searched, 1)).as("one gain, three without, then the best of path 2 as it is by then")
                .containsExactly(null, null, null, null, "phase2/leg0/path2-attempt3");
        assertThat(fusedWith(searched, 0)).containsExactly(null, null, null, null, null, null,
                "phase2/leg1/path2-attempt6");
        assertThat(lengths(searched)).containsExactly(7, 5, 12);
        assertThat(scenario.asked(ScriptCoder.class)).filteredOn(asked -> asked.other() != null).hasSize(2)
                .allSatisfy(asked -> assertThat(asked.other().content()).startsWith("c("));
    }

    @Test
    void ofPathsThatGainedInTheSameRoundTheBetterOneGoesOnForTheOthers() {
        assertThat(lengths(play(scenario(Map.of(0, List.of(3), 1, List.of(1)))))).containsExactly(6, 5, 4);
    }

    @Test
    void aPathThatFusesWithAGainGoesOn() {
        ScriptSearch.Result searched = play(scenario(Map.of(0, List.of(0, 0, 0, 1), 1, List.of(1, 2, 3, 4, 5, 6, 7, 8),
                2, List.of(1, 2, 3, 4, 5, 6, 7, 8))));

        assertThat(fusedWith(searched, 0)).hasSize(8).satisfies(with -> assertThat(with.get(3)).isNotNull());
    }

    @Test
    void whereNoPathGainsAnyMoreTheSearchEnds() {
        ScriptSearch.Result searched = play(scenario(Map.of(1, List.of(1))));

        assertThat(lengths(searched)).as("path 1 goes on for the others in the last round").containsExactly(4, 7, 4);
        assertThat(searched).extracting(ScriptSearch.Result::isWhole, ScriptSearch.Result::isSaturated)
                .containsExactly(true, true);
    }

    @Test
    void aSinglePathEndsAfterAsManySolutionsWithoutAGain() {
        config.putAll(Map.of("num_parallel_solutions", 1, "attempts", 8));

        assertThat(lengths(play(scenario(Map.of(0, List.of(0, 0, 0, 1)))))).containsExactly(8);
        assertThat(lengths(play(scenario(Map.of())))).containsExactly(4);
    }

    /// Small gains count once they are more than noise together.
    @Test
    void aGainWithinNoiseIsNone() {
        SolutionScript start = rated("start", 0.5, 0);
        SolutionScript small = rated("small", 0.512, 0.01);
        SolutionScript further = rated("further", 0.522, 0.01);

        SearchPath once = after(SearchPath.of(0, start), small, 0);
        SearchPath twice = after(once, further, 3);

        assertThat(once).extracting(SearchPath::best, SearchPath::risen, SearchPath::risenAfter, SearchPath::gainedIn)
                .containsExactly(small, start, 0, -1);
        assertThat(twice).extracting(SearchPath::best, SearchPath::risen, SearchPath::risenAfter, SearchPath::gainedIn)
                .containsExactly(further, further, 2, 3);
    }

    private static SearchPath after(SearchPath path, SolutionScript better, int round) {
        AttemptRecord record =
                new AttemptRecord(better.content(), AttemptKind.SOLUTION, "it", null, better.score().value(), 0.006,
                        0.01, List.of(), true, 1.0, null, "", null,
                        null);
        return path.after(new ScriptAttempt.Result(record, better, null, null), round,
                new Acceptance(MetricDirection.MAXIMIZE));
    }

    private static SolutionScript rated(String step, double score, double error) {
        List<Double> draws = List.of(score - error, score, score + error);
        return SolutionScript.unscored(step + "()", SolutionPhase.INIT).by(step)
                .scored(Score.by(new Validation("rows", step, score, score, draws, draws)));
    }
}
