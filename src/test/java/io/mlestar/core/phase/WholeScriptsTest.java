package io.mlestar.core.phase;

import static io.mlestar.core.phase.Texts.code;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.agent.Debugger;
import io.mlestar.core.agent.Ensembler;
import io.mlestar.core.agent.Init;
import io.mlestar.core.agent.Merger;
import io.mlestar.core.agent.Retriever;
import io.mlestar.core.agent.ScriptCoder;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.task.AttemptRecord;
import io.mlestar.core.task.Decision;
import io.mlestar.core.task.Preset;
import io.mlestar.core.task.Results.EnsembleAttempt;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A whole run with attempts on whole scripts, and scores by the harness: a first study, two
/// candidates, no merge, four attempts, a blend and a script that combines its members.
class WholeScriptsTest {
    private static final String TABLE = "boosting 0.8, neighbours 0.7";
    private final Map<String, Object> config =
            new HashMap<>(Map.of("num_retrieved_models", 2, "num_parallel_solutions", 2, "attempts", 4));
    private final List<String> attempts =
            new ArrayList<>(List.of(script("more(a)", 0.85, 0.84, 2), script("more(b)", 0.82, 0.8, 1),
                    script("most(a)", 0.83, 0.8, 0),
                    script("most(b)", 0.7, 0.7, 0)));
    private String combined = script("mixture()", 0.9, 0.91, 0);

    private static String script(String code, double search, double select, int weight) {
        return code + "\n# score " + search + "\n# select " + select + "\n# weight " + weight
                + "\n# submits 7\n# prints worst where x > 3 of " + code;
    }

    private Scenario scenario() {
        Map<String, Object> strong = new HashMap<>();
        Preset.STRONG.settings().properties().forEach(field -> strong.put(field.getKey(), field.getValue()));
        strong.putAll(config);
        return new Scenario(strong).hideRows()
                .answer(ScriptCoder.class,
                        asked -> asked.best() == null
                                ? "It compares kinds.\nKind: study\n" + code("compare()\n# prints " + TABLE)
                                : "Kind: solution\n" + code(attempts.removeFirst()))
                .answers(Retriever.class, Texts.models("a", "b"))
                .answers(Init.class, code(script("a()", 0.8, 0.79, 0)), code(script("b()", 0.75, 0.7, 1)))
                .answer(Ensembler.class, asked -> code(combined)).answer(Debugger.class, asked -> Texts.NO_CODE);
    }

    @Test
    void theFirstStudyComesBeforeTheModelsAndCandidatesReadIt() {
        Scenario scenario = scenario();

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
                .extracting(one -> one.step()).contains("phase1/study",
                        "phase1/candidate1");
    }

    @Test
    void aStudyIsToldOfNoSampleSinceItsFoldsAreOfAllRows() {
        Scenario scenario = scenario();
        scenario.play(new Pipeline());

        assertThat(scenario.asked(RunScript.class)).filteredOn(run -> run.kind() == Kind.STUDY).isNotEmpty()
                .allMatch(run -> run.rows() == null);
    }

    @Test
    void thePathsKnowWhyAFirstSolutionIsMissing() {
        Scenario scenario = scenario().fail("phase1/candidate1");
        scenario.play(new Pipeline());

        assertThat(scenario.asked(ScriptAttempt.class).get(1).others())
                .filteredOn(one -> one.step().equals("phase1/candidate1")).singleElement()
                .extracting(AttemptRecord::remark).isEqualTo("made to fail");
    }

    @Test
    void whoReadsAFirstStudyThatWasStoppedKnowsIt() {
        Scenario scenario = scenario().answers(ScriptCoder.class,
                "It compares kinds.\nKind: study\n" + code("compare()\n# prints " + TABLE + "\n# timeout"));

        scenario.play(new Pipeline());

        assertThat(scenario.asked(Retriever.class)).extracting(Retriever::studied).singleElement().asString()
                .startsWith("It compares kinds.\n\n" + TABLE + "\n\nIt did not end: ").contains("timed out");
    }

    @Test
    void aRunWhoseFirstStudyFailsGoesOnWithoutIt() {
        Scenario scenario = scenario().fail("phase1/study");

        Pipeline.Result solved = scenario.play(new Pipeline());

        assertThat(scenario.asked(Init.class)).extracting(Init::studied).containsOnlyNulls();
        assertThat(solved.phase1().study()).isNull();
        assertThat(solved.completed()).containsExactly("phase1", "phase2", "phase3", "finalization");
    }

    @Test
    void theLastAttemptCombinesTheMethodsOfTheMembersAndTheKeptRowsDecide() {
        Scenario scenario = scenario();

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

    @Test
    void aCombinationThatIsWorseOnTheKeptRowsIsNotChosen() {
        combined = script("mixture()", 0.9, 0.6, 0);

        assertThat(scenario().play(new Pipeline()).chosen().step()).isEqualTo("phase3/blend");
    }

    private static String judging(String code, double search, double error, int weight) {
        return script(code, search, 0.8, weight)
                + "\n# error " + error + "\n# prints Judgement: winters are colder by 3 degrees";
    }

    /// No hidden row shows what a judgement is for, so no score within noise outweighs it.
    @ParameterizedTest
    @CsvSource({"0.9, phase2/leg0/path0-attempt1", "0.99, phase3/round0"})
    void whatAScriptJudgesCountsUnlessAnotherIsSurelyBetter(double mixture, String chosen) {
        attempts.set(2, judging("most(a)", 0.845, 0.04, 0));
        combined = script("mixture()", mixture, mixture, 0);

        Pipeline.Result solved = scenario().play(new Pipeline());

        assertThat(solved.phase2Results().getFirst().bestSolution().content()).startsWith("most(a)");
        assertThat(solved.chosen().step()).isEqualTo(chosen);
    }

    @Test
    void whereAllThatIsBlendedJudgesTheBlendDoes() {
        attempts.set(2, judging("most(a)", 0.845, 0.04, 2));
        attempts.set(3, judging("most(b)", 0.83, 0.06, 1));
        combined = script("mixture()", 0.85, 0.8, 0);

        Pipeline.Result solved = scenario().play(new Pipeline());

        assertThat(solved.phase3().attempts().getFirst().members()).extracting(Decision.Source::step)
                .containsExactly("phase2/leg0/path0-attempt1", "phase2/leg0/path1-attempt1");
        assertThat(solved.chosen().step()).isEqualTo("phase3/blend");
    }

    @Test
    void theSearchThatIsCutKeepsTheBestOfItsPaths() {
        Scenario scenario = scenario().stopFrom("phase2/leg0/path0-attempt1/coder-script");

        Pipeline.Result solved = scenario.play(new Pipeline());

        assertThat(solved.phase2Results().getFirst().bestScore()).isEqualTo(0.85);
        assertThat(solved.completed()).doesNotContain("phase2").contains("phase1", "finalization");
    }

    @Test
    void pathsOfASearchThatFailedStandAsTheyBegan() {
        Pipeline.Result solved = scenario().fail("phase2").play(new Pipeline());

        assertThat(solved.phase2Results()).allSatisfy(path -> assertThat(path.failed()).isTrue());
        assertThat(solved.phase2Results()).extracting(path -> path.bestScore()).containsExactly(0.8, 0.75);
    }
}
