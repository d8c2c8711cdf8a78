package io.mlestar.core.phase;

import static io.mlestar.core.phase.Texts.code;
import static io.mlestar.core.task.Examples.scriptOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.agent.ContaminationCheck;
import io.mlestar.core.agent.Debugger;
import io.mlestar.core.agent.SubsamplingExtract;
import io.mlestar.core.agent.SubsamplingRemove;
import io.mlestar.core.agent.TestSubmission;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.task.ContaminationVerdict;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Part 08: the submission, and the contamination check of the paper's Figure 28.
class FinalizationTest {
    private static final SolutionScript SOLUTION =
            scriptOf("A\ndf = df.sample(30000)\nB\n# score 0.9", SolutionPhase.ENSEMBLE, 0.9, true, null);
    private static final String SUBSAMPLING = "df = df.sample(30000)\nB";
    private static final String SUBMITTING = "predict()\n# submits 7";

    private final Scenario scenario = new Scenario(Map.of("time_limit_seconds", 5000, "script_timeout_seconds", 60))
            .answer(TestSubmission.class, asked -> code(SUBMITTING)).answer(Debugger.class, asked -> Texts.NO_CODE);

    private Finalization.Result play() {
        return scenario.play(new Finalization(SOLUTION));
    }

    private Scenario subsampling() {
        return scenario.answers(SubsamplingExtract.class, code("df = df.sample(30000)  \nB"))
                .answers(SubsamplingRemove.class, code("B"));
    }

    @Test
    @Requirement({"REQ-FN-002", "REQ-FN-003", "REQ-FN-005", "REQ-FN-006", "REQ-FN-007", "REQ-FN-009", "REQ-FN-012",
        "REQ-FN-013", "REQ-FN-019", "REQ-FN-034", "REQ-FN-035", "REQ-FN-036", "REQ-FN-038"})
    void goesThroughAllStepsAndRewritesTheBlockThatSubsamplesInItsPlace() {
        Finalization.Result last = subsampling().play(new Finalization(SOLUTION));

        assertThat(scenario.leaves()).containsExactly(
                "test-subsampling_extract", "test-subsampling_remove", "test", "evaluation/leakage",
                "evaluation/script");
        assertThat(last).isEqualTo(new Finalization.Result(
                scriptOf(SUBMITTING, SolutionPhase.FINAL, null, true, null).ranFor(2.5),
                new Execution.Submission("kept.csv", 70, 7), true, 1 - SUBSAMPLING.length(), null,
                "skipped: there are no reference discussions", null));
        assertThat(scenario.asked(SubsamplingExtract.class))
                .containsExactly(new SubsamplingExtract(SOLUTION.content()));
        assertThat(scenario.asked(SubsamplingRemove.class)).containsExactly(new SubsamplingRemove(SUBSAMPLING));
        assertThat(scenario.asked(TestSubmission.class))
                .containsExactly(new TestSubmission("Predict y.", "A\nB\n# score 0.9"));
    }

    /// @return the block that is found, the one in its place, and the agent that is out of reach
    static Stream<Arguments> subsamplings() {
        return Stream.of(
                Arguments.of("There is no subsampling here.", "", null), Arguments.of("", "", null),
                Arguments.of("```python\n```", "", null), Arguments.of(code("df = df.head(100)"), "", null),
                Arguments.of(code(SUBSAMPLING), "", "test-subsampling_extract"),
                Arguments.of(code(SUBSAMPLING), code("B"), "test-subsampling_remove"),
                Arguments.of(code(SUBSAMPLING), Texts.NO_CODE, null),
                Arguments.of(code(SUBSAMPLING), code(SUBSAMPLING), null));
    }

    @ParameterizedTest
    @MethodSource("subsamplings")
    @Requirement({"REQ-FN-006", "REQ-FN-008", "REQ-FN-009", "REQ-FN-038", "REQ-FN-039"})
    void whereNoSubsamplingIsFoundOrRemovedTheSolutionPassesUnchanged(String found, String removed, String failing) {
        scenario.answers(SubsamplingExtract.class, found).answers(SubsamplingRemove.class, removed)
                .fail(String.valueOf(failing));

        Finalization.Result last = play();

        assertThat(last.subsamplingRemoved()).isFalse();
        assertThat(last.submission()).isNotNull();
        assertThat(scenario.asked(SubsamplingRemove.class)).hasSize(removed.isEmpty() ? 0 : 1);
        assertThat(scenario.asked(TestSubmission.class).getFirst().finalSolution()).isEqualTo(SOLUTION.content());
    }

    @Test
    @Requirement({"REQ-FN-021", "REQ-FN-023", "REQ-FN-045", "REQ-SF-010"})
    void missingSubmissionIsAnErrorThatTheDebuggerRepairs() {
        scenario.answers(TestSubmission.class, code("predict()")).answers(Debugger.class,
                code("predict()\nwrite()\n# submits 7"));

        Finalization.Result last = play();

        assertThat(last.submission().rowCount()).isEqualTo(7);
        assertThat(last.solution().content()).isEqualTo("predict()\nwrite()\n# submits 7");
        assertThat(scenario.asked(Debugger.class)).containsExactly(new Debugger("predict()",
                "Traceback (most recent call last):\n"
                        + "SubmissionError: ./final/submission.csv was not created or is empty",
                Kind.SUBMISSION, SolutionPhase.FINAL,
                "ran, but wrote no submission: ./final/submission.csv was not created or is empty"));
    }

    @Test
    @Requirement("REQ-FN-022")
    void submissionWithoutRowsIsAcceptedAsItIs() {
        scenario.answers(TestSubmission.class, code("# submits 0"));

        assertThat(play().submission().rowCount()).isZero();
        assertThat(scenario.asked(Debugger.class)).isEmpty();
    }

    @Test
    @Requirement({"REQ-FN-021", "REQ-FN-023"})
    void submissionThatIsNotOfTheFormOfTheSampleIsRepairedOnce() {
        scenario.answers(TestSubmission.class, code("predict()\n# submits 6\n# malformed 1 ids are missing"))
                .answers(Debugger.class, code(SUBMITTING));

        Finalization.Result last = play();

        assertThat(last.submission()).isEqualTo(new Execution.Submission("kept.csv", 70, 7));
        assertThat(scenario.asked(Debugger.class)).extracting(Debugger::bug)
                .containsExactly("Traceback (most recent call last):\nValueError: 1 ids are missing");
    }

    @ParameterizedTest
    @CsvSource({"'# submits 5 ; # malformed 2 ids are missing', 5, 2 ids are missing, 1",
        "# crash broken, 6, 1 ids are missing, 3"})
    @Requirement({"REQ-FN-021", "REQ-FN-023"})
    void submissionOfAWrongFormIsKeptIfItsRepairIsNoBetter(String repaired, int rows, String wrong, int asked) {
        String[] more = {""};
        scenario.answers(TestSubmission.class, code("predict()\n# submits 6\n# malformed 1 ids are missing"))
                .answer(Debugger.class, ask -> code(repaired.replace(" ; ", "\n") + (more[0] += "\n#")));

        Finalization.Result last = play();

        assertThat(last.failure()).isNull();
        assertThat(last.submission()).isEqualTo(new Execution.Submission("kept.csv", 10 * rows, rows, wrong));
        assertThat(scenario.asked(Debugger.class)).hasSize(asked);
    }

    @ParameterizedTest
    @ValueSource(strings = {"# crash broken", "predict()", "# submits 7\n# crash late", "# timeout"})
    @Requirement({"REQ-FN-023", "REQ-FN-024", "REQ-FN-025", "REQ-FN-036", "REQ-SF-008"})
    void afterAllRetriesTheIncomingSolutionStandsUntouched(String content) {
        subsampling().answers(TestSubmission.class, code(content));

        Finalization.Result last = play();

        assertThat(last.solution()).isEqualTo(SOLUTION);
        assertThat(last.submission()).isNull();
        assertThat(last.failure()).matches("(ValueError: |ran, but wrote no submission: |timed out after ).+");
        assertThat(scenario.asked(Debugger.class)).hasSize(3);
    }

    @Test
    @Requirement({"REQ-FN-025", "REQ-FN-040"})
    void testAgentThatNeverGivesCodeEndsInTheFallback() {
        scenario.answer(TestSubmission.class, asked -> Texts.NO_CODE);

        assertThat(play()).isEqualTo(
                new Finalization.Result(SOLUTION, null, false, 0, null, "skipped: there are no reference discussions",
                        "the test agent gave no submission script"));
        assertThat(scenario.asked(TestSubmission.class)).hasSize(4);
        assertThat(scenario.ran()).isEmpty();
    }

    @Test
    @Requirement({"REQ-OR-029", "REQ-FN-025"})
    void whereNoMoreAnswersMayBePaidForTheSolutionRunsAsItIs() {
        SolutionScript submitting = SOLUTION.rewritten(SOLUTION.content() + "\n# submits 5");

        Finalization.Result last = scenario.stop("test-subsampling_extract", "test", "evaluation/leakage")
                .play(new Finalization(submitting));

        assertThat(last.submission().rowCount()).isEqualTo(5);
        assertThat(last.solution().content()).isEqualTo(submitting.content());
        assertThat(scenario.leaves()).containsExactly("evaluation/script");
    }

    @ParameterizedTest
    @ValueSource(strings = {"test-subsampling_extract", "test", "evaluation", "evaluation/script"})
    @Requirement("REQ-OR-030")
    void whenEvenTheGraceIsOverThePhaseIsStopped(String from) {
        assertThat(scenario.stopFrom(from).outcome(new Finalization(SOLUTION)))
                .isEqualTo(new Outcome.Stopped<Finalization.Result>("made to stop"));
    }

    private static Scenario references(String... texts) {
        return new Scenario(Map.of("reference_discussions", List.of(texts), "max_debug_attempts", 1))
                .answer(TestSubmission.class, asked -> code(SUBMITTING)).answer(Debugger.class, asked -> Texts.NO_CODE);
    }

    private static Finalization.Result play(Scenario scenario) {
        return scenario.play(new Finalization(Texts.solution("fit()", 0.9)));
    }

    @ParameterizedTest
    @CsvSource(nullValues = "null", value = {
        "Novel, Novel, NOVEL, null",
        "Novel, Same, SAME, null",
        "Same, Novel, SAME, null",
        "Same, unclear, SAME, null",
        "Novel, unclear, null, inconclusive: 1 of 2 references got no verdict",
        "unclear, unclear, null, inconclusive: 2 of 2 references got no verdict"})
    @Requirement({"REQ-FN-030", "REQ-FN-031", "REQ-FN-033", "REQ-FN-041"})
    void anySameWinsElseAnUnclearAnswerMakesItInconclusive(String first, String second, ContaminationVerdict expected,
            String note) {
        Scenario scenario = references("post 1", "post 2").answers(ContaminationCheck.class, first, second);

        Finalization.Result last = play(scenario);

        assertThat(last.contamination()).isEqualTo(expected);
        assertThat(last.contaminationNote()).isEqualTo(note);
        assertThat(last.submission()).isNotNull();
    }

    @Test
    @Requirement({"REQ-FN-028", "REQ-FN-031", "REQ-FN-035"})
    void eachReferenceIsJudgedOnItsOwnAgainstTheLastScript() {
        Scenario scenario = references("post 1", "post 2").answer(ContaminationCheck.class, asked -> "Novel");

        play(scenario);

        assertThat(scenario.asked(ContaminationCheck.class))
                .containsExactly(new ContaminationCheck("post 1", SUBMITTING),
                        new ContaminationCheck("post 2", SUBMITTING));
        assertThat(scenario.together())
                .containsExactly(List.of("test-contamination_check", "test-contamination_check-2"));
        assertThat(scenario.leaves()).endsWith("evaluation/script", "test-contamination_check",
                "test-contamination_check-2");
    }

    @Test
    @Requirement({"REQ-FN-025", "REQ-FN-035"})
    void afterAFallbackTheIncomingSolutionIsJudged() {
        Scenario scenario = references("post 1").answer(TestSubmission.class, asked -> Texts.NO_CODE)
                .answers(ContaminationCheck.class, "Same");

        assertThat(play(scenario).contamination()).isEqualTo(ContaminationVerdict.SAME);
        assertThat(scenario.asked(ContaminationCheck.class).getFirst().finalSolution()).isEqualTo("fit()\n# score 0.9");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Requirement({"REQ-FN-041", "REQ-OR-030"})
    void checkThatCannotBeDoneNeitherFailsNorStopsTheSubmission(boolean failing) {
        Scenario scenario = references("post 1");

        Finalization.Result last = play(
                failing ? scenario.fail("test-contamination_check") : scenario.stopFrom("test-contamination_check"));

        assertThat(last.contamination()).isNull();
        assertThat(last.submission()).isNotNull();
    }
}
