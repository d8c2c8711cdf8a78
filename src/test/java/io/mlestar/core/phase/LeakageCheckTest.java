package io.mlestar.core.phase;

import static io.mlestar.core.phase.Texts.code;
import static io.mlestar.core.phase.Texts.leaks;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.Requirement;
import io.mlestar.core.agent.Leakage;
import io.mlestar.core.agent.LeakageCorrection;
import io.mlestar.core.step.StepStopped;
import io.mlestar.core.task.Results.Leak;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeakageCheckTest {
    private static final SolutionScript SCRIPT =
            SolutionScript.unscored("load()\nscale(everything)\nfill(everything)\nfit()\n", SolutionPhase.INIT)
                    .from("lightgbm");

    private final Scenario scenario = new Scenario(Map.of());

    private SolutionScript checked() {
        return LeakageCheck.of(SCRIPT, scenario.steps()).script();
    }

    @Test
    @Requirement({"REQ-SF-018", "REQ-SF-020", "REQ-SF-035", "REQ-SF-037"})
    void leakingBlockIsReplacedInACopyThatKeepsItsOrigin() {
        scenario.answers(Leakage.class, leaks("scale(everything)  ")).answers(LeakageCorrection.class,
                code("scale(train)"));

        assertThat(checked()).isEqualTo(SCRIPT.rewritten("load()\nscale(train)\nfill(everything)\nfit()\n"));
        assertThat(scenario.leaves()).containsExactly("leakage", "leakage-correction");
        assertThat(SCRIPT.content()).contains("scale(everything)");
    }

    @Test
    @Requirement("REQ-SF-020")
    void eachLeakIsCorrectedInOrderAndTheNextOneSeesTheScriptAsItIsThen() {
        scenario.answers(Leakage.class, leaks("scale(everything)", "fill(everything)"))
                .answers(LeakageCorrection.class, code("scale(train)"), code("fill(train)"));

        assertThat(checked().content()).isEqualTo("load()\nscale(train)\nfill(train)\nfit()\n");
        assertThat(scenario.asked(LeakageCorrection.class)).containsExactly(
                new LeakageCorrection(SCRIPT.content(), "scale(everything)", Texts.REASON),
                new LeakageCorrection("load()\nscale(train)\nfill(everything)\nfit()\n", "fill(everything)",
                        Texts.REASON));
    }

    @Test
    @Requirement("REQ-SF-021")
    void whatBecameOfEachLeakIsKept() {
        scenario.answers(Leakage.class, leaks("scale(all)", "scale(everything)", "fill(everything)", "fit()"))
                .answers(LeakageCorrection.class, code("scale(train)"), code("fill(everything)"), Texts.NO_CODE);

        assertThat(LeakageCheck.of(SCRIPT, scenario.steps()).leaks()).containsExactly(
                new Leak("scale(all)", Texts.REASON, "the block is not in the script"),
                new Leak("scale(everything)", Texts.REASON, null),
                new Leak("fill(everything)", Texts.REASON,
                        "the correction changes nothing, or is not of the block alone"),
                new Leak("fit()", Texts.REASON, "no correction was given"));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "No leakage, I think.",
        "{\"answers\": []}",
        "{\"answers\": [{\"leakage_status\": \"Maybe\", \"code_block\": \"fit()\"}]}",
        "{\"answers\": [{\"leakage_status\": \"No Data Leakage\", \"code_block\": \"fit()\"}]}"})
    @Requirement({"REQ-SF-018", "REQ-SF-038"})
    void noOrAnUnreadableDetectionMeansNoLeakage(String answer) {
        scenario.answers(Leakage.class, answer);

        assertThat(checked()).isSameAs(SCRIPT);
        assertThat(scenario.asked(LeakageCorrection.class)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        Texts.NO_CODE,
        "```python\nscale(everything)\n```",
        "```python\nload()\nscale(train)\nfill(train)\nfit()\n```"})
    @Requirement({"REQ-SF-019", "REQ-SF-045"})
    void correctionThatIsEmptyUnchangedOrTheWholeScriptIsRefused(String correction) {
        scenario.answers(Leakage.class, leaks("scale(everything)")).answers(LeakageCorrection.class, correction);

        assertThat(checked()).isSameAs(SCRIPT);
    }

    @Test
    @Requirement({"REQ-SF-019", "REQ-SF-045"})
    void wholeScriptIsRefusedForItsFirstLinesTooButAcceptedForTheWhole() {
        String whole = code("load()\nscale(train)\nfill(train)\nfit()");
        scenario.answers(Leakage.class, leaks("load()\nscale(everything)"), leaks(SCRIPT.content()))
                .answers(LeakageCorrection.class, whole, whole);

        assertThat(checked()).isSameAs(SCRIPT);
        assertThat(checked().content()).isEqualTo("load()\nscale(train)\nfill(train)\nfit()\n");
    }

    @Test
    @Requirement("REQ-OR-030")
    void needToFinishIsNotTakenForAFailure() {
        scenario.stopFrom("leakage");

        assertThatThrownBy(this::checked).isInstanceOf(StepStopped.class);
    }
}
