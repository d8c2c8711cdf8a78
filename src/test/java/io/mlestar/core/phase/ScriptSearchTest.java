package io.mlestar.core.phase;

import static io.mlestar.core.phase.Texts.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.mlestar.core.agent.Debugger;
import io.mlestar.core.agent.ScriptCoder;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.task.AttemptRecord.AttemptKind;
import io.mlestar.core.task.AttemptRecord;
import io.mlestar.core.task.Decision;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.Results.RefinementAttempt;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.Validation;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Phase 2 by attempts on whole scripts, and which paths make the next ones.
class ScriptSearchTest {
    private final Map<String, Object> config = new HashMap<>(Map.of("search", "strong", "num_parallel_solutions", 1,
            "attempts", 3, "max_debug_attempts", 1, "studies", 2));
    private final List<SolutionScript> starts = List.of(start("a()", 0.5), start("b()", 0.4), start("c()", 0.3));
    private int answers;

    private static SolutionScript start(String code, double score) {
        return SolutionScript.unscored(code + "\n# score " + score, SolutionPhase.INIT).from(code)
                .by("phase1/" + code.charAt(0)).scored(Score.printed(score));
    }

    private static String solution(String code, Object score) {
        return "It will help, since " + code + ".\n\nKind: solution\n\n" + code(code + "\n# score " + score);
    }

    private static String study(String code, String prints) {
        return "I want to know.\n**Kind: study**\n" + code(code + "\n# prints " + prints);
    }

    private Scenario scenario() {
        return new Scenario(config).answer(Debugger.class, asked -> Texts.NO_CODE);
    }

    private ScriptSearch.Result play(Scenario scenario) {
        int paths = scenario.context().config().search().numParallelSolutions();
        return scenario.play(new ScriptSearch(starts.subList(0, paths), List.of()));
    }

    private static List<RefinementAttempt> attempts(ScriptSearch.Result searched, int path) {
        return searched.paths().get(path).stepHistory().getFirst().innerLoopAttempts();
    }

    private static List<AttemptRecord> findings(ScriptSearch.Result searched, int path) {
        return attempts(searched, path).stream().map(RefinementAttempt::finding).toList();
    }

    @Test
    void anAttemptIsOneAnswerAndOneScriptAndTheBestOneIsThePaths() {
        Scenario scenario = scenario().answers(ScriptCoder.class, solution("one()", 0.6),
                study("import best", "trees 0.7 boosting 0.9"),
                "Less of it.\nKind: solution\n<<<<<<< SEARCH\none()\n=======\nother()\n>>>>>>> REPLACE\n");

        ScriptSearch.Result searched = play(scenario);

        assertThat(scenario.leaves()).containsExactly("leg0/path0-attempt0/coder-script",
                "leg0/path0-attempt0/evaluation/leakage",
                "leg0/path0-attempt0/evaluation/script", "leg0/path0-attempt1/coder-script",
                "leg0/path0-attempt1/script", "leg0/path0-attempt2/coder-script",
                "leg0/path0-attempt2/evaluation/leakage", "leg0/path0-attempt2/evaluation/script");
        assertThat(scenario.ran().getLast()).isEqualTo("other()\n# score 0.6");
        assertThat(searched.paths().getFirst().bestSolution().step()).as("an equal score takes no place")
                .isEqualTo("phase2/leg0/path0-attempt0");
        assertThat(searched.paths().getFirst().ablationSummaries()).containsExactly("trees 0.7 boosting 0.9");
        assertThat(findings(searched, 0)).extracting(AttemptRecord::tried).containsExactly("It will help, since one().",
                "I want to know.", "Less of it.");
        assertThat(attempts(searched, 0)).extracting(RefinementAttempt::score).containsExactly(0.6, null, 0.6);
        assertThat(searched.paths().getFirst().stepHistory().getFirst().decisions()).extracting(Decision::accepted)
                .containsExactly(true, false, false);
        assertThat(scenario.asked(RunScript.class)).extracting(RunScript::kind, RunScript::best).containsExactly(
                tuple(Kind.SOLUTION, null), tuple(Kind.STUDY, "one()\n# score 0.6"), tuple(Kind.SOLUTION, null));
        assertThat(searched.isWhole()).isTrue();
    }

    @Test
    void anAttemptKnowsWhatThoseBeforeItFound() {
        Scenario scenario = scenario().answers(ScriptCoder.class, solution("one()\n# prints fold 1: 0.61", 0.6),
                study("compare()", "trees 0.7"), solution("two()", 0.5));

        play(scenario);

        ScriptCoder last = scenario.asked(ScriptCoder.class).getLast();
        assertThat(last.best().content()).isEqualTo("one()\n# prints fold 1: 0.61\n# score 0.6");
        assertThat(last.best().printed()).isEqualTo("fold 1: 0.61\nFinal Validation Performance: 0.6");
        assertThat(scenario.asked(ScriptCoder.class)).extracting(ScriptCoder::study).as("after a study, its script")
                .containsExactly(null, null, "compare()\n# prints trees 0.7");
        assertThat(last.own()).extracting(AttemptRecord::isKept, AttemptRecord::table).containsExactly(
                tuple(true, "fold 1: 0.61\nFinal Validation Performance: 0.6"), tuple(false, "trees 0.7"));
        assertThat(last).extracting(ScriptCoder::attemptsLeft, ScriptCoder::studiesLeft).containsExactly(1, 0);
        assertThat(scenario.asked(RunScript.class)).extracting(RunScript::best).containsOnlyNulls();
    }

    @Test
    void theScriptOfAStudyThatFoundNothingBetterIsNotShown() {
        Scenario scenario = scenario().answers(ScriptCoder.class,
                study("compare()", "of 9 equal variants the best may lead by 2.1 errors; shown to be better: none"),
                solution("two()", 0.5), solution("three()", 0.5));

        play(scenario);

        assertThat(scenario.asked(ScriptCoder.class)).extracting(ScriptCoder::study).containsOnlyNulls();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "I am not sure what to do.                                                     | there is neither a script in a code block nor an edit",
        "<<<<<<< SEARCH~gone()~=======~x()~>>>>>>> REPLACE                             | edit 1 matches nowhere in the script: `gone()`",
        "<<<<<<< SEARCH~a()~=======~x()                                                | edit 1 is cut off",
        "Kind: solution~```python~a()~# score 0.5~```                                  | the same as one before",
        "Kind: solution~<<<<<<< SEARCH~a()~=======~a()~>>>>>>> REPLACE                 | the same as one before"})
    void anAnswerThatCannotBeUsedIsAskedForOnceMoreByWhatIsWrong(String answer, String wrong) {
        config.put("attempts", 1);
        String given = answer.replace('~', '\n');
        Scenario twice = scenario().answers(ScriptCoder.class, given, given);
        Scenario once = scenario().answers(ScriptCoder.class, given, solution("good()", 0.6));

        ScriptSearch.Result failed = play(twice);

        assertThat(twice.asked(ScriptCoder.class)).hasSize(2);
        assertThat(twice.asked(ScriptCoder.class).getLast().wrong()).contains(wrong);
        assertThat(twice.ran()).isEmpty();
        assertThat(findings(failed, 0).getFirst().remark()).contains(wrong);
        assertThat(failed.paths().getFirst().bestSolution()).isEqualTo(starts.getFirst());
        assertThat(failed.isWhole()).isTrue();
        assertThat(play(once).paths().getFirst().bestScore()).isEqualTo(0.6);
    }

    @Test
    void noStudyIsMadeBeyondThoseThatAreLeft() {
        config.putAll(Map.of("studies", 1, "attempts", 2));
        Scenario scenario = scenario().answers(ScriptCoder.class, study("one()", "a"), study("two()", "b"),
                solution("good()", 0.7));

        ScriptSearch.Result searched = play(scenario);

        assertThat(scenario.asked(ScriptCoder.class).getLast().wrong()).contains("it is a study, and none is left");
        assertThat(searched.paths().getFirst().bestScore()).isEqualTo(0.7);
    }

    @Test
    void aCrashGoesToTheDebuggerAndAStudyThatCrashedIsAFinding() {
        Scenario scenario =
                scenario().answers(ScriptCoder.class, solution("one()\n# crash broken", 0.9),
                        "Kind: study\n" + code("x()\n# prints a\n# crash why"),
                        solution("two()", 0.55)).answers(Debugger.class,
                                code("mended() # Final Validation Performance\n# score 0.8"), Texts.NO_CODE);

        ScriptSearch.Result searched = play(scenario);

        assertThat(findings(searched, 0)).extracting(AttemptRecord::remark).satisfiesExactly(
                remark -> assertThat(remark).contains("1 repair"),
                remark -> assertThat(remark).contains("crashed: ValueError: why"),
                remark -> assertThat(remark).isNull());
        assertThat(findings(searched, 0).get(1).table()).isEqualTo("a");
        assertThat(searched.paths().getFirst().bestScore()).isEqualTo(0.8);
    }

    @Test
    void aStudyThatWasStoppedIsAsGoodAsItsRowsAndTheDebuggerReadsThoseOfOneThatCrashed() {
        String rows = "\n# prints a 1\\nb 2\\nc 3\\nd 4";
        config.putAll(Map.of("attempts", 3, "studies", 2));
        Scenario scenario = scenario().answers(ScriptCoder.class, "Kind: study\n" + code("x()" + rows + "\n# timeout"),
                "Kind: study\n" + code("y()" + rows + "\n# crash why"), solution("z()", 0.7))
                .answers(Debugger.class, Texts.NO_CODE);

        ScriptSearch.Result searched = play(scenario);

        assertThat(findings(searched, 0)).filteredOn(AttemptRecord::isStudy).extracting(AttemptRecord::table).hasSize(2)
                .allMatch(table -> table.startsWith("a 1") && table.contains("d 4"));
        assertThat(scenario.asked(Debugger.class)).isNotEmpty()
                .allMatch(asked -> asked.code().contains("y()")
                        && asked.bug().contains("Before, it had printed:\n\na 1"));
    }

    @Test
    void predictionsLikeThoseOfAnEarlierScriptAreSaid() {
        String rest = "\n# select 0.5\n# submits 7";
        Scenario scenario = scenario().hideRows().answers(ScriptCoder.class, solution("one()" + rest, 0.6),
                solution("two()" + rest, 0.4), solution("three()" + rest, 0.4));

        ScriptSearch.Result searched = play(scenario);

        assertThat(findings(searched, 0).get(2).remark())
                .isEqualTo("this changed nothing: its predictions are those of phase2/leg0/path0-attempt1");
    }

    /// Others read what a script is, in its own words after it ran, and what it adds to the blend
    /// of all paths.
    @Test
    void anAttemptTellsWhatItsScriptIsAndWhatItAddsToABlend() {
        String rest = "\n# prints Summary: means of three trees\n# select 0.5\n# submits 7\n# weight ";
        Scenario scenario = scenario().hideRows().answers(ScriptCoder.class, solution("one()" + rest + 2, 0.6),
                solution("two()" + rest + 3, 0.7), solution("three()\n# select 0.5", 0.5));

        ScriptSearch.Result searched = play(scenario);

        assertThat(findings(searched, 0)).extracting(AttemptRecord::tried).satisfiesExactly(
                first -> assertThat(first).startsWith("It will help, since one()")
                        .endsWith(" It is: means of three trees"),
                second -> assertThat(second).startsWith("It will help, since two()")
                        .endsWith(" It is: means of three trees"),
                third -> assertThat(third).isEqualTo("It will help, since three() # select 0.5."));
        assertThat(findings(searched, 0)).extracting(AttemptRecord::remark).containsExactly(null,
                "blended with the best of all paths it has 3 of 5 parts, and the blend 0.71",
                "blended with the best of all paths it has 0 of 3 parts, and the blend 0.71");
    }

    /// The next attempts on a path are to build on what scores best there, however small its lead.
    @Test
    void theBestScoreOfAPathIsItsBestWithinNoiseToo() {
        Scenario scenario = scenario().hideRows().answers(ScriptCoder.class,
                solution("one()\n# select 0.5\n# error 0.2", 0.51), solution("two()\n# select 0.5\n# error 0.2", 0.505),
                solution("three()\n# select 0.5\n# error 0.2", 0.52));
        SolutionScript start = starts.getFirst().scored(Score.by(new Validation("d1", "1/0.5/0.5/0.5/0.2/7/0", 0.5, 0.5,
                MadeUpPython.draws(0.5, 0.01), MadeUpPython.draws(0.5, 0.01))));

        ScriptSearch.Result searched = scenario.play(new ScriptSearch(List.of(start), List.of()));

        assertThat(findings(searched, 0)).extracting(AttemptRecord::isKept).containsExactly(true, false, true);
        assertThat(searched.paths().getFirst().bestScore()).isEqualTo(0.52);
    }

    /// A search on three paths.
    ///
    /// @param gains of the attempts of each path over its start, by number; 0 is none
    private Scenario gaining(Map<Integer, List<Integer>> gains) {
        config.putAll(Map.of("num_parallel_solutions", 3, "attempts", 24, "studies", 0));
        return gaining(gains, new Scenario(config));
    }

    private Scenario gaining(Map<Integer, List<Integer>> gains, Scenario scenario) {
        return scenario.answer(ScriptCoder.class, asked -> {
            int path = asked.best().content().charAt(0) - 'a';
            List<Integer> own = gains.getOrDefault(path, List.of());
            int gain = asked.own().size() < own.size() ? own.get(asked.own().size()) : 0;
            String code = asked.best().content().substring(0, 1) + "(" + answers++ + ")";
            return "Kind: solution\n" + code(code + "\n# score " + (gain > 0 ? 0.5 + path / 100.0 + gain / 10.0 : 0.1));
        });
    }

    private static ScriptSearch.Result race(Scenario scenario) {
        int paths = scenario.context().config().search().numParallelSolutions();
        return scenario.play(new ScriptSearch(IntStream.range(0, paths)
                .mapToObj(path -> SolutionScript.unscored((char) ('a' + path) + "()", SolutionPhase.INIT)
                        .by("start" + path)
                        .scored(Score.printed(0.5 + path / 100.0)))
                .toList(), List.of()));
    }

    private static List<Integer> lengths(ScriptSearch.Result searched) {
        return IntStream.range(0, searched.paths().size()).map(path -> attempts(searched, path).size()).boxed()
                .toList();
    }

    private static List<String> fusedWith(ScriptSearch.Result searched, int path) {
        return findings(searched, path).stream().map(AttemptRecord::fusedWith).toList();
    }

    @Test
    void eachPathMakesOneAttemptInARoundBesideTheOthers() {
        Scenario scenario = gaining(Map.of(0, List.of(1, 2, 3, 4, 5, 6, 7, 8), 1, List.of(1, 2, 3, 4, 5, 6, 7, 8), 2,
                List.of(1, 2, 3, 4, 5, 6, 7, 8)));

        assertThat(lengths(race(scenario))).containsExactly(8, 8, 8);
        assertThat(scenario.together()).hasSize(8).first().asList()
                .containsExactly("leg0/path0-attempt0", "leg0/path1-attempt0", "leg0/path2-attempt0");
        assertThat(scenario.phases()).filteredOn(phase -> !phase.contains("/")).containsExactly("leg0", "leg1");
    }

    @Test
    void aPathThatIsStuckFusesWithThePresentBestOfAnotherAndThenPassesItsAttemptsOn() {
        Scenario scenario =
                gaining(Map.of(0, List.of(1, 2, 3), 1, List.of(1), 2, List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)));

        ScriptSearch.Result searched = race(scenario);

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
        assertThat(lengths(race(gaining(Map.of(0, List.of(3), 1, List.of(1)))))).containsExactly(6, 5, 4);
    }

    @Test
    void aPathThatFusesWithAGainGoesOn() {
        ScriptSearch.Result searched = race(gaining(Map.of(0, List.of(0, 0, 0, 1), 1, List.of(1, 2, 3, 4, 5, 6, 7, 8),
                2, List.of(1, 2, 3, 4, 5, 6, 7, 8))));

        assertThat(fusedWith(searched, 0)).hasSize(8).satisfies(with -> assertThat(with.get(3)).isNotNull());
    }

    @Test
    void whereNoPathGainsAnyMoreTheSearchEnds() {
        ScriptSearch.Result searched = race(gaining(Map.of(1, List.of(1))));

        assertThat(lengths(searched)).as("path 1 goes on for the others in the last round").containsExactly(4, 7, 4);
        assertThat(searched).extracting(ScriptSearch.Result::isWhole, ScriptSearch.Result::isSaturated)
                .containsExactly(true, true);
    }

    @Test
    void aSinglePathEndsAfterAsManySolutionsWithoutAGain() {
        config.put("attempts", 8);
        config.put("studies", 0);

        assertThat(lengths(race(gaining(Map.of(0, List.of(0, 0, 0, 1)), new Scenario(config))))).containsExactly(8);
        assertThat(lengths(race(gaining(Map.of(), new Scenario(config))))).containsExactly(4);
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
        AttemptRecord record = new AttemptRecord.Draft(better.step(), AttemptKind.SOLUTION, "it")
                .scored(better.score().value(), null).compared(new Score.Lead(0.006, 0.01), true).ran(1.0).record();
        return path.after(new ScriptAttempt.Result(record, better, null, null), round,
                new Acceptance(MetricDirection.MAXIMIZE));
    }

    private static SolutionScript rated(String step, double score, double error) {
        List<Double> draws = List.of(score - error, score, score + error);
        return SolutionScript.unscored(step + "()", SolutionPhase.INIT).by(step)
                .scored(Score.by(new Validation("rows", step, score, score, draws, draws)));
    }
}
