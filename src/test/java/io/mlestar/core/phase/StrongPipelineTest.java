package io.mlestar.core.phase;

import static io.mlestar.core.phase.Texts.code;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.agent.Debugger;
import io.mlestar.core.agent.Ensembler;
import io.mlestar.core.agent.Init;
import io.mlestar.core.agent.Leakage;
import io.mlestar.core.agent.Merger;
import io.mlestar.core.agent.Retriever;
import io.mlestar.core.agent.ScriptCoder;
import io.mlestar.core.agent.TestSubmission;
import io.mlestar.core.step.Arithmetic;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.task.AttemptRecord;
import io.mlestar.core.task.Decision;
import io.mlestar.core.task.Results.EnsembleAttempt;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Strong runs whose scores come from hidden rows: two models (0.80 and 0.79), and one path whose
/// two attempts are no better for sure, unless a test says otherwise.
class StrongPipelineTest {
    private static final String S0 = "load()\nfit()\n# score 0.80\n# select 0.79\n# weight 1\n# submits 7";
    private static final String TABLE = "boosting 0.8, neighbours 0.7";

    private final Map<String, Object> config = new HashMap<>(
            Map.of("search", "strong", "num_retrieved_models", 2, "num_parallel_solutions", 1, "attempts", 2,
                    "studies", 0, "max_debug_attempts", 1));
    private final Deque<String> attempts =
            new ArrayDeque<>(List.of(script("same()", 0.8, 0.79, 1), script("better()", 0.8, 0.78, 1)));
    private final List<String> four = new ArrayList<>(List.of(script("more(a)", 0.85, 0.84, 2),
            script("more(b)", 0.82, 0.8, 1), script("most(a)", 0.83, 0.8, 0), script("most(b)", 0.7, 0.7, 0)));
    private String combined = script("mixture()", 0.9, 0.91, 0);

    private static String script(String code, double search, double select, int weight) {
        return code + "\n# score " + search + "\n# select " + select + "\n# weight " + weight
                + "\n# submits 7\n# prints worst where x > 3 of " + code;
    }

    private Scenario open() {
        return new Scenario(config).answers(Retriever.class, Texts.models("a", "b"))
                .answers(Init.class, code(S0), code(script("other()", 0.79, 0.78, 3)))
                .answer(ScriptCoder.class, asked -> "Kind: solution\n" + code(attempts.removeFirst()))
                .answer(Ensembler.class, asked -> code(script("mean()", 0.84, 0.7, 0)))
                .answer(Debugger.class, asked -> Texts.NO_CODE)
                .answer(TestSubmission.class, asked -> code("# submits 7"));
    }

    private Scenario scenario() {
        return open().hideRows();
    }

    private static EnsembleAttempt blend(Pipeline.Result solved) {
        return solved.phase3().attempts().getFirst();
    }

    @Test
    void blendTakesCandidatesAndAttemptsAndIsFinalizedAsItIs() {
        Scenario scenario = scenario();

        Pipeline.Result solved = scenario.play(new Pipeline());

        assertThat(blend(solved).plan()).isEqualTo(
                "greedy blend: 1 × phase1/candidate0, 3 × phase1/candidate1, 1 × phase2/leg0/path0-attempt0, "
                        + "1 × phase2/leg0/path0-attempt1, by mean");
        assertThat(blend(solved).solution().content()).contains("other()", "same()", "better()");
        assertThat(blend(solved).solution().step()).isEqualTo("phase3/blend");
        assertThat(blend(solved).solution().durationSeconds()).isEqualTo(12);
        assertThat(solved.finalSolution().content()).isEqualTo(blend(solved).solution().content());
        assertThat(solved.chosen().score().value()).isEqualTo(0.81);
        assertThat(solved.finalSolution().score().validation().select()).isEqualTo(0.80);
        assertThat(scenario.asked(TestSubmission.class)).isEmpty();
        assertThat(scenario.asked(RunScript.class)).filteredOn(run -> run.kind() == Kind.SUBMISSION)
                .extracting(RunScript::holdout).containsOnlyNulls().hasSize(1);
        assertThat(scenario.leaves()).as("then it is compared with what was scored").last()
                .isEqualTo("finalization/comparison");
        assertThat(solved.completed()).containsExactly("phase1", "phase2", "phase3", "finalization");
    }

    @Test
    void leakageIsCheckedAndSolutionsMayLearnFromAllRowsOnlyWhereNoneAreHidden() {
        Scenario hiding = scenario();
        hiding.play(new Pipeline());
        attempts.addAll(List.of(script("same()", 0.8, 0.79, 1), script("better()", 0.8, 0.78, 1)));
        Scenario open = open();
        open.play(new Pipeline());

        assertThat(hiding.asked(Leakage.class)).isEmpty();
        assertThat(open.asked(Leakage.class)).as("each solution and the last script").hasSize(2 + 2 + 1);
        assertThat(hiding.asked(RunScript.class)).filteredOn(run -> run.rows() == null).extracting(RunScript::kind)
                .contains(Kind.SUBMISSION).doesNotContain(Kind.SOLUTION);
        assertThat(open.asked(RunScript.class)).as("agents take the subsampling out of the last script")
                .allMatch(run -> run.rows() == null);
    }

    @Test
    void aSubmissionThatIsFarFromWhatWasScoredIsNotHandedIn() {
        Scenario scenario = scenario().fail("phase3/blend", "phase3/round0").answers(Init.class,
                code(S0 + "\n# differs"), code(script("other()", 0.79, 0.78, 0)));

        Pipeline.Result solved = scenario.play(new Pipeline());

        assertThat(solved.submission()).isNull();
        assertThat(solved.submissionFailure())
                .startsWith("the submission differs from what was scored: their distance is 2.00");
        assertThat(solved.finalSolution().content()).as("which wrote what is handed in").startsWith(S0);
        assertThat(solved.finalSolution().score().value()).isEqualTo(0.8);
        assertThat(scenario.asked(RunScript.class)).filteredOn(run -> run.kind() == Kind.SUBMISSION).hasSize(1);
    }

    @Test
    void aRepairedScriptKeepsTheScoreIfItSubmitsWhatWasScored() {
        Scenario scenario = scenario().fail("phase3/blend", "phase3/round0").answer(Debugger.class,
                asked -> code("repaired()\n# submits 7"));
        Pipeline.Result close =
                scenario.answers(Init.class, code(S0 + "\n# crashes"), code(script("other()", 0.79, 0.78, 0)))
                        .play(new Pipeline());

        assertThat(close.finalSolution().content()).isEqualTo("repaired()\n# submits 7");
        assertThat(close.finalSolution().score().value()).isEqualTo(0.8);
    }

    @Test
    void withoutHiddenRowsTheBestScriptsAreCombinedAndAgentsWriteTheSubmission() {
        config.put("num_parallel_solutions", 2);
        Scenario open = open();

        Pipeline.Result solved = open.play(new Pipeline());

        assertThat(solved.chosen().step()).isEqualTo("phase3/round0");
        assertThat(solved.chosen().score().value()).isEqualTo(0.84);
        assertThat(open.asked(TestSubmission.class)).hasSize(1);
        assertThat(open.asked(Arithmetic.class)).isEmpty();
    }

    @Test
    void aBlendOfOneIsNone() {
        attempts.clear();
        attempts.addAll(List.of(script("same()", 0.7, 0.7, 0), script("better()", 0.7, 0.7, 0)));
        Pipeline.Result solved =
                scenario().answers(Init.class, code(S0.replace("weight 1", "weight 0")),
                        code(script("other()", 0.79, 0.78, 3))).play(new Pipeline());

        assertThat(blend(solved).failure()).isEqualTo("no blend is better than its best member alone");
        assertThat(solved.finalSolution().content()).startsWith("load()\nfit()");
    }

    @Test
    void ifNothingCanBeBlendedTheBestInputStands() {
        Pipeline.Result solved = scenario().fail("phase3/blend").play(new Pipeline());

        assertThat(solved.chosen().score().value()).isEqualTo(0.8);
        assertThat(blend(solved).failure()).isEqualTo("the predictions could not be blended: made to fail");
        assertThat(solved.finalSolution().content()).isEqualTo(S0);
    }

    /// Five attempts lead in the search, by noise as it turns out.
    @Test
    void thePlainInputIsAmongTheFinalists() {
        config.put("attempts", 5);
        attempts.clear();
        for (int i = 1; i <= 5; i++) {
            attempts.add("lucky" + i + "()\n# score 0.8" + i + "\n# select 0.6");
        }
        Pipeline.Result solved = scenario().fail("phase3/blend").play(new Pipeline());
        assertThat(solved.finalSolution().content()).isEqualTo(S0);
    }

    @Test
    void onlyTheLastScriptSeesTheLabelsOfHiddenRows() {
        config.put("studies", 1);
        Scenario scenario = scenario().answer(ScriptCoder.class,
                asked -> asked.best() == null ? "Kind: study\n" + code("# prints kinds") : null);
        scenario.play(new Pipeline());

        assertThat(scenario.asked(RunScript.class)).extracting(RunScript::kind).contains(Kind.STUDY, Kind.SOLUTION,
                Kind.SUBMISSION);
        assertThat(scenario.asked(RunScript.class)).filteredOn(run -> run.holdout() == null).extracting(RunScript::kind)
                .containsExactly(Kind.MACHINE, Kind.DATA_CARD, Kind.HOLDOUT, Kind.SUBMISSION);
    }

    /// Models a to d: b is best, c next, a last; d has no score.
    @Test
    void eachPathBeginsWithACandidateOfItsOwn() {
        config.putAll(Map.of("num_retrieved_models", 4, "num_parallel_solutions", 4, "attempts", 4));
        attempts.addAll(List.of(script("x()", 0.1, 0.1, 0), script("y()", 0.1, 0.1, 0)));
        Scenario scenario = scenario().answer(Retriever.class, asked -> Texts.models("a", "b", "c", "d")).answers(
                Init.class, code(script("a()", 0.7, 0.7, 1)),
                code(script("b()", 0.8, 0.8, 1)), code(script("c()", 0.75, 0.75, 1)), code("d()"));

        Pipeline.Result solved = scenario.play(new Pipeline());

        assertThat(scenario.asked(ScriptSearch.class).getFirst().starts()).extracting(start -> start.sourceModel())
                .containsExactly("b", "c", "a", "b");
        assertThat(solved.lineage())
                .contains("phase2-path1: began with candidate c", "phase2-path2: began with candidate a")
                .noneMatch(line -> line.matches("phase2-path[03]: began .*"));
    }

    @Test
    void aScriptThatKnowsTheLabelsOfTheFoldsIsNotChosenAndTheResultSaysSo() {
        attempts.removeLast();
        attempts.add("recite()\n# score 1.0\n# select 0.49");

        Pipeline.Result solved = scenario().play(new Pipeline());

        assertThat(solved.phase2Results().getFirst().bestSolution().content()).as("the search believes it")
                .contains("recite()");
        assertThat(solved.finalSolution().content()).doesNotContain("recite()");
        assertThat(solved.lineage())
                .contains("not chosen: phase2/leg0/path0-attempt1: score 1.000 ± 0.010; on rows kept for this choice: "
                        + "0.490 ± 0.010, worse beyond chance, as if it knew labels of the search")
                .anyMatch(line -> line.startsWith("chosen: phase3/blend: score 0.81"));
    }

    /// A first study, two candidates, four attempts on two paths, a blend and a script that
    /// combines its members.
    private Scenario whole() {
        config.putAll(Map.of("num_parallel_solutions", 2, "attempts", 4, "studies", 3));
        return scenario()
                .answer(ScriptCoder.class,
                        asked -> asked.best() == null
                                ? "It compares kinds.\nKind: study\n" + code("compare()\n# prints " + TABLE)
                                : "Kind: solution\n" + code(four.removeFirst()))
                .answers(Init.class, code(script("a()", 0.8, 0.79, 0)), code(script("b()", 0.75, 0.7, 1)))
                .answer(Ensembler.class, asked -> code(combined));
    }

    @Test
    void theFirstStudyComesBeforeTheModelsAndCandidatesReadIt() {
        Scenario scenario = whole();

        Pipeline.Result solved = scenario.play(new Pipeline());

        assertThat(scenario.leaves()).filteredOn(step -> !step.startsWith("survey")).startsWith(
                "phase1/study/coder-script", "phase1/study/script",
                "phase1/retriever", "phase1/candidate0/init");
        assertThat(scenario.asked(ScriptCoder.class).getFirst())
                .extracting(ScriptCoder::best, ScriptCoder::attemptsLeft).containsExactly(null, 4);
        assertThat(scenario.asked(Retriever.class)).extracting(Retriever::studied)
                .containsExactly("It compares kinds.\n\n" + TABLE);
        assertThat(scenario.asked(Init.class)).extracting(Init::studied).containsOnly("It compares kinds.\n\n" + TABLE);
        assertThat(scenario.asked(Merger.class)).isEmpty();
        assertThat(solved.phase1().study().table()).isEqualTo(TABLE);
        assertThat(scenario.asked(ScriptAttempt.class).get(1).others()).as("the study and the candidates")
                .extracting(one -> one.step()).contains("phase1/study", "phase1/candidate1");
        assertThat(scenario.asked(RunScript.class)).filteredOn(run -> run.kind() == Kind.STUDY)
                .extracting(RunScript::rows).as("a sample would mix the rows that folds name").containsOnlyNulls();
    }

    @Test
    void whoReadsAFirstStudyThatWasStoppedKnowsIt() {
        Scenario scenario = whole().answers(ScriptCoder.class,
                "It compares kinds.\nKind: study\n" + code("compare()\n# prints " + TABLE + "\n# timeout"));

        scenario.play(new Pipeline());

        assertThat(scenario.asked(Retriever.class)).extracting(Retriever::studied).singleElement().asString()
                .startsWith("It compares kinds.\n\n" + TABLE + "\n\nIt did not end: ").contains("timed out");
    }

    @Test
    void aRunGoesOnWithoutWhatFailsAtItsBeginningAndThePathsKnowWhy() {
        Scenario scenario = whole().fail("phase1/study").fail("phase1/candidate1");

        Pipeline.Result solved = scenario.play(new Pipeline());

        assertThat(scenario.asked(Init.class)).extracting(Init::studied).containsOnlyNulls();
        assertThat(solved.phase1().study()).isNull();
        assertThat(scenario.asked(ScriptAttempt.class).get(1).others()).extracting(AttemptRecord::remark)
                .contains("made to fail");
        assertThat(solved.completed()).containsExactly("phase1", "phase2", "phase3", "finalization");
    }

    @Test
    void theLastAttemptCombinesTheMethodsOfTheMembersAndTheKeptRowsDecide() {
        Scenario scenario = whole();

        Pipeline.Result solved = scenario.play(new Pipeline());

        assertThat(scenario.leaves()).containsSubsequence("phase3/blend", "phase3/round0/ensembler",
                "phase3/round0/evaluation/script");
        Ensembler asked = scenario.asked(Ensembler.class).getFirst();
        assertThat(asked.solutions()).extracting(script -> script.lines().findFirst().orElseThrow())
                .as("b() is a member of the blend, but surely worse").containsExactly("more(a)", "more(b)");
        assertThat(asked.plan()).contains("Solution 1, weight 2, printed:\n\n    worst where x > 3 of more(a)",
                "Solution 2, weight 1, against Solution 1 worse by 0.03", "The blend's score: 0.86.");
        assertThat(solved.phase3().attempts()).extracting(EnsembleAttempt::score).containsExactly(0.86, 0.9);
        assertThat(solved.phase3().decisions()).extracting(Decision::step).containsExactly("phase3/blend",
                "phase3/round0");
        assertThat(solved.chosen().step()).isEqualTo("phase3/round0");
        assertThat(solved.completed()).containsExactly("phase1", "phase2", "phase3", "finalization");
        assertThat(scenario.asked(RunScript.class)).filteredOn(run -> run.kind() == Kind.SUBMISSION)
                .extracting(RunScript::content).containsExactly(combined);
    }

    /// The best of many single scripts leads by luck.
    @ParameterizedTest
    @CsvSource({"0.83, phase3/round0", "0.7, phase2/leg0/path0-attempt0"})
    void anEnsembleIsChosenUnlessItIsSurelyWorse(double score, String chosen) {
        combined = script("mixture()", score, score, 0) + "\n# error 0.05";

        assertThat(whole().fail("phase3/blend").play(new Pipeline()).chosen().step()).isEqualTo(chosen);
    }

    private static String judging(String code, double search, double error, int weight) {
        return script(code, search, 0.8, weight)
                + "\n# error " + error + "\n# prints Judgement: winters are colder by 3 degrees";
    }

    /// No hidden row shows what a judgement is for, so no score within noise outweighs it.
    @ParameterizedTest
    @CsvSource({"0.9, phase2/leg0/path0-attempt1", "0.99, phase3/round0"})
    void whatAScriptJudgesCountsUnlessAnotherIsSurelyBetter(double mixture, String chosen) {
        four.set(2, judging("most(a)", 0.845, 0.04, 0));
        combined = script("mixture()", mixture, mixture, 0);

        Pipeline.Result solved = whole().play(new Pipeline());

        assertThat(solved.phase2Results().getFirst().bestSolution().content()).startsWith("most(a)");
        assertThat(solved.chosen().step()).isEqualTo(chosen);
    }

    @Test
    void whereAllThatIsBlendedJudgesTheBlendDoes() {
        four.set(2, judging("most(a)", 0.845, 0.04, 2));
        four.set(3, judging("most(b)", 0.83, 0.06, 1));
        combined = script("mixture()", 0.85, 0.8, 0);

        Pipeline.Result solved = whole().play(new Pipeline());

        assertThat(solved.phase3().attempts().getFirst().members()).extracting(Decision.Source::step)
                .containsExactly("phase2/leg0/path0-attempt1", "phase2/leg0/path1-attempt1");
        assertThat(solved.chosen().step()).isEqualTo("phase3/blend");
    }

    @Test
    void theSearchThatIsCutKeepsTheBestOfItsPaths() {
        Scenario scenario = whole().stopFrom("phase2/leg0/path0-attempt1/coder-script");

        Pipeline.Result solved = scenario.play(new Pipeline());

        assertThat(solved.phase2Results().getFirst().bestScore()).isEqualTo(0.85);
        assertThat(solved.completed()).doesNotContain("phase2").contains("phase1", "finalization");
    }

    @Test
    void pathsOfASearchThatFailedStandAsTheyBegan() {
        Pipeline.Result solved = whole().fail("phase2").play(new Pipeline());

        assertThat(solved.phase2Results()).allSatisfy(path -> assertThat(path.failed()).isTrue());
        assertThat(solved.phase2Results()).extracting(path -> path.bestScore()).containsExactly(0.8, 0.75);
    }
}
