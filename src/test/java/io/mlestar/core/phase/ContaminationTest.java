package io.mlestar.core.phase;

import static io.mlestar.core.phase.Texts.code;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.agent.ContaminationCheck;
import io.mlestar.core.agent.Debugger;
import io.mlestar.core.agent.TestSubmission;
import io.mlestar.core.task.ContaminationVerdict;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The last check of finalization (Figure 28): it informs, and changes nothing.
class ContaminationTest {
    private static final String SUBMITTING = "# submits 7";

    private static Scenario references(String... texts) {
        return new Scenario(Map.of("reference_discussions", List.of(texts), "max_debug_attempts", 1))
                .answer(TestSubmission.class, asked -> code(SUBMITTING))
                .answer(Debugger.class, asked -> Texts.NO_CODE);
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
