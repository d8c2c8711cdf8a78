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
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What the engine needs to know of each phase.
class PhasesTest {
    private static final SolutionScript SCRIPT = Texts.solution("fit()", 0.8);
    private static final List<Phase<?>> ITERATIONS = List.of(new Merge(2, SCRIPT, SCRIPT),
            new OuterStep(0, 3, SCRIPT, List.of(), List.of()),
            new Attempt(0, SCRIPT, "fit()", "plan", List.of(), List.of(), List.of(),
                    new Rival("phase1/candidate0", Score.printed(0.8))),
            new Round(4, List.of(SCRIPT, SCRIPT), null, null, List.of(), List.of(), List.of()));
    private static final List<Phase<?>> INDISPENSABLE = List.of(new Pipeline(), new Survey(), new InitialSolution(),
            new Candidate(1, new RetrievedModel("m", "import m"), false, null), new Refinement(0, SCRIPT),
            new Ensemble(List.of(SCRIPT)),
            new Evaluation(SCRIPT, Kind.SOLUTION), new Finalization(SCRIPT));

    @Test
    void everyPhaseHasItsKindInTheCatalogue() throws Exception {
        assertThat(INDISPENSABLE).extracting(Phases::kind).containsExactly(
                "pipeline", "survey", "initial-solution", "candidate", "refinement", "ensemble", "evaluation",
                "finalization");
        assertThat(ITERATIONS).extracting(Phases::kind).containsExactly("merge", "outer-step", "attempt", "round");
        assertThat(Registered.all().stream().filter(type -> type.isRecord() && Phase.class.isAssignableFrom(type)))
                .as("records that are phases, and the rows of core/phase/Phases.java")
                .containsExactlyInAnyOrderElementsOf(Phases.BY_KIND.values());
    }

    @Test
    void onlyThePhaseThatMakesTheSubmissionIsEssential() {
        assertThat(Stream.concat(INDISPENSABLE.stream(), ITERATIONS.stream()))
                .filteredOn(phase -> StepRequest.of(phase, Instant.EPOCH, Instant.EPOCH).essential())
                .containsExactly(new Finalization(SCRIPT));
    }

    @Test
    void aPhaseThatIsRunForAScoreReportsItAndWhatItIsComparedWith() {
        Attempt attempt = new Attempt(1, SCRIPT, "fit()", null, List.of(), List.of(), List.of(),
                new Rival("phase1/candidate0", Score.printed(0.8)));
        RefinementAttempt record = new RefinementAttempt("try harder", 0.9, "fit(2)", true, null);
        Attempt.Result attempted = new Attempt.Result(record, Texts.solution("fit(2)", 0.9), null);
        PhaseReport report = attempt.report(attempted);
        assertThat(report)
                .isEqualTo(new PhaseReport(Score.printed(0.9), true, attempt.best(), true, List.of(), "try harder",
                        new PhaseReport.Revision("fit()", "fit(2)"),
                        Map.of(PhaseReport.PhaseText.PLAN, "try harder", PhaseReport.PhaseText.BLOCK, "fit(2)",
                                PhaseReport.PhaseText.SCRIPT,
                                attempted.script().content())));
        assertThat(new Evaluation(SCRIPT, Kind.SUBMISSION)
                .report(new Evaluation.Result(SCRIPT, null, 1, null, List.of(), 0, null, null)).isRequired())
                .as("it is run for its file").isFalse();
    }

    @Test
    void onlyCandidatesAndPathsHaveOthersLikeThemBesideThem() {
        RunContext context = new Scenario(Map.of("num_retrieved_models", 5, "num_parallel_solutions", 3)).context();
        assertThat(new Candidate(1, new RetrievedModel("m", "import m"), false, null).scheduling(context).sideBySide())
                .isEqualTo(5);
        assertThat(new Candidate(1, new RetrievedModel("m", "import m"), true, null).scheduling(context).sideBySide())
                .as("one after the other").isOne();
        assertThat(new Refinement(0, SCRIPT).scheduling(context).sideBySide()).isEqualTo(3);
        assertThat(ITERATIONS).allMatch(phase -> phase.scheduling(context).sideBySide() == 1);
    }

    @Test
    void onlyWhatLooksAtTheWorldIsTrueForOneRunAlone() {
        assertThat(INDISPENSABLE).filteredOn(phase -> !phase.isReusable()).containsExactly(new Survey());
        assertThat(ITERATIONS).allMatch(Phase::isReusable);
    }

    @Test
    @Requirement({"REQ-OR-025", "REQ-OR-026"})
    void timeThatIsLeftIsSharedAmongThePhasesThatAreLeft() {
        RunContext context = new Scenario(Map.of()).context();

        assertThat(new InitialSolution().scheduling(context).timeShare()).isCloseTo(0.10, within(1e-9));
        assertThat(new Refinement(1, SCRIPT).scheduling(context).timeShare()).isCloseTo(0.65 / 0.90, within(1e-9));
        assertThat(new Ensemble(List.of(SCRIPT)).scheduling(context).timeShare()).isCloseTo(0.15 / 0.25, within(1e-9));
        assertThat(new Finalization(SCRIPT).scheduling(context).timeShare()).isEqualTo(1);
    }

    @Test
    @Requirement("REQ-OR-025")
    void sharesOfTheTimeAreConfigured() {
        RunContext context = new Scenario(
                Map.of("phase_time_budget", Map.of("phase1", 1, "phase2", 2, "phase3", 3, "finalization", 2)))
                .context();

        assertThat(new InitialSolution().scheduling(context).timeShare()).isEqualTo(1.0 / 8);
        assertThat(new Refinement(0, SCRIPT).scheduling(context).timeShare()).isEqualTo(2.0 / 7);
        assertThat(new Ensemble(List.of(SCRIPT)).scheduling(context).timeShare()).isEqualTo(3.0 / 5);
    }
}
