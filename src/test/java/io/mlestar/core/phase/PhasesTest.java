package io.mlestar.core.phase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mlestar.Requirement;
import io.mlestar.app.program.Registered;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.task.Answers.RetrievedModel;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.Results.RefinementAttempt;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionScript;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The facts that the engine needs to know of each phase.
class PhasesTest {
    private static final SolutionScript SCRIPT = Texts.solution("fit()", 0.8);
    private static final Rival RIVAL = new Rival("phase1/candidate0", Score.printed(0.8));

    /// @return phase, kind, and how many like it run beside it
    static Stream<Arguments> phases() {
        RetrievedModel model = new RetrievedModel("m", "import m");
        return Stream.of(
                Arguments.of(new Pipeline(), "pipeline", 1), Arguments.of(new Survey(), "survey", 1),
                Arguments.of(new InitialSolution(), "initial-solution", 1),
                Arguments.of(new Candidate(1, model, false, null), "candidate", 5),
                Arguments.of(new Candidate(1, model, true, null), "candidate", 1),
                Arguments.of(new Merge(2, SCRIPT, SCRIPT), "merge", 1),
                Arguments.of(new Refinement(0, SCRIPT), "refinement", 3),
                Arguments.of(new OuterStep(0, 3, SCRIPT, List.of(), List.of()), "outer-step", 1),
                Arguments.of(new Attempt(0, SCRIPT, "fit()", "plan", List.of(), List.of(), List.of(), RIVAL), "attempt",
                        1),
                Arguments.of(new Ensemble(List.of(SCRIPT)), "ensemble", 1),
                Arguments.of(new Round(4, List.of(SCRIPT, SCRIPT), null, null, List.of(), List.of(), List.of()),
                        "round", 1),
                Arguments.of(new Evaluation(SCRIPT, Kind.SOLUTION), "evaluation", 1),
                Arguments.of(new Finalization(SCRIPT), "finalization", 1));
    }

    @ParameterizedTest
    @MethodSource("phases")
    void theEngineKnowsHowToScheduleEachPhase(Phase<?> phase, String kind, int sideBySide) {
        RunContext context = new Scenario(Map.of("num_retrieved_models", 5, "num_parallel_solutions", 3)).context();

        assertThat(Phases.kind(phase)).isEqualTo(kind);
        assertThat(phase.scheduling(context).sideBySide()).isEqualTo(sideBySide);
        assertThat(StepRequest.of(phase, Instant.EPOCH, Instant.EPOCH).essential()).as("it makes the submission")
                .isEqualTo(phase instanceof Finalization);
        assertThat(phase.isReusable()).as("true for other runs, too").isEqualTo(!(phase instanceof Survey));
    }

    @Test
    void everyPhaseHasARowInTheCatalogue() throws Exception {
        assertThat(Registered.all().stream().filter(type -> type.isRecord() && Phase.class.isAssignableFrom(type)))
                .containsExactlyInAnyOrderElementsOf(Phases.BY_KIND.values());
    }

    @Test
    void aPhaseThatIsRunForAScoreReportsItAndWhatItIsComparedWith() {
        Attempt attempt = new Attempt(1, SCRIPT, "fit()", null, List.of(), List.of(), List.of(), RIVAL);
        RefinementAttempt record = new RefinementAttempt("try harder", 0.9, "fit(2)", true, null);
        Attempt.Result attempted = new Attempt.Result(record, Texts.solution("fit(2)", 0.9), null);
        PhaseReport report = attempt.report(attempted);
        assertThat(report)
                .isEqualTo(new PhaseReport(Score.printed(0.9), true, attempt.best(), true, List.of(), "try harder",
                        Optional.of(new PhaseReport.Revision("fit()", "fit(2)")),
                        Map.of(PhaseReport.PhaseText.PLAN, "try harder", PhaseReport.PhaseText.BLOCK, "fit(2)",
                                PhaseReport.PhaseText.SCRIPT,
                                attempted.script().content())));
        assertThat(new Evaluation(SCRIPT, Kind.SUBMISSION)
                .report(new Evaluation.Result(SCRIPT, null, 1, null, List.of(), 0, null, null)).isRequired())
                .as("it is run for its file").isFalse();
    }

    @Test
    @Requirement({"REQ-OR-025", "REQ-OR-026"})
    void timeThatIsLeftIsSharedAmongThePhasesThatAreLeftAsConfigured() {
        RunContext context = new Scenario(Map.of()).context();

        assertThat(new InitialSolution().scheduling(context).timeShare()).isCloseTo(0.10, within(1e-9));
        assertThat(new Refinement(1, SCRIPT).scheduling(context).timeShare()).isCloseTo(0.65 / 0.90, within(1e-9));
        assertThat(new Ensemble(List.of(SCRIPT)).scheduling(context).timeShare()).isCloseTo(0.15 / 0.25, within(1e-9));
        assertThat(new Finalization(SCRIPT).scheduling(context).timeShare()).isEqualTo(1);

        context = new Scenario(
                Map.of("phase_time_budget", Map.of("phase1", 1, "phase2", 2, "phase3", 3, "finalization", 2)))
                .context();

        assertThat(new InitialSolution().scheduling(context).timeShare()).isEqualTo(1.0 / 8);
        assertThat(new Refinement(0, SCRIPT).scheduling(context).timeShare()).isEqualTo(2.0 / 7);
        assertThat(new Ensemble(List.of(SCRIPT)).scheduling(context).timeShare()).isEqualTo(3.0 / 5);
    }
}
