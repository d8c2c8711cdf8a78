package io.mlestar.core.phase;

import io.mlestar.core.agent.Data;
import io.mlestar.core.agent.Reply;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.Scheduling;
import io.mlestar.core.step.StepStopped;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.Decision;
import io.mlestar.core.task.PaperSearch;
import io.mlestar.core.task.Results.Leak;
import io.mlestar.core.task.Results.Phase1Result;
import io.mlestar.core.task.SolutionScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Algorithm 1: the initial solution s_0 from M retrieved models. Merges depend on each other, and
/// are made one after the other (REQ-P1-036).
public record InitialSolution() implements FirstPhase {
    @Override
    public Phase1Result run(Steps steps) {
        Candidates candidates = Candidates.of(Optional.empty(), steps);                               // lines 1-6
        Merges merges = merged(candidates.ranked(), steps);                                           // lines 7-17
        List<Decision> decisions = new ArrayList<>(candidates.decisions());
        merges.tried().stream().map(Merge.Result::decision).forEach(decisions::add);
        LeakageCheck checked = checked(merges.solution(), decisions, steps);                          // Section 3.4
        int accepted = (int) merges.tried()
                .stream()
                .filter(merge -> merge.decision().isAccepted())
                .count();
        return candidates.result(checked.script(), accepted, merges.ended(), checked.leaks(),
                decisions);
    }

    /// @param solution s_0
    /// @param ended why no more were tried; null if all were
    /// @param tried merges that were evaluated
    private record Merges(
            SolutionScript solution,
            @Nullable String ended,
            List<Merge.Result> tried) {}

    /// Merges the candidates into the best one, one after the other, until a merge is not accepted.
    private static Merges merged(List<SolutionScript> ranked, Steps steps) {
        SolutionScript s0 = ranked.getFirst();                                                        // line 7
        List<Merge.Result> tried = new ArrayList<>();
        for (int i = 1; i < ranked.size(); i++) {                                                     // lines 8-17
            Outcome<Merge.Result> outcome = steps.outcome(new Merge(i, s0, ranked.get(i)));
            outcome.done().ifPresent(tried::add);
            Optional<Merge.Result> accepted =
                    outcome.done().filter(merge -> merge.decision().isAccepted());
            if (accepted.isEmpty()) {
                return new Merges(s0,
                        "merge " + i + " of " + (ranked.size() - 1) + " " + fault(outcome), tried);
            }
            s0 = accepted.get().script();
        }
        return new Merges(s0, null, tried);
    }

    private static String fault(Outcome<Merge.Result> merge) {
        return switch (merge) {
            case Outcome.Done<Merge.Result>(var merged) when !merged.script().isScored() ->
                "has no score";
            case Outcome.Done<Merge.Result>(var merged) ->
                "is no better: " + merged.script().score().known();
            case Outcome.Failed<Merge.Result>(String reason, boolean _) -> "failed: " + reason;
            case Outcome.Stopped<Merge.Result>(String reason) -> "was left out: " + reason;
        };
    }

    /// A_data once, then A_leakage (REQ-P1-030, REQ-P1-031). A version that does not run is
    /// dropped; one that runs replaces s_0 even if its score is worse, for it uses the data that
    /// the task provides. Its evaluation begins with the leakage check, so it is not checked twice.
    private static LeakageCheck checked(SolutionScript s0, List<Decision> decisions, Steps steps) {
        List<Leak> leaks = List.of();
        try {
            Optional<SolutionScript> revised =
                    steps.attempt(new Data(s0.content(), steps.context().task().description()))
                            .flatMap(Reply.DataUsage::code)
                            .map(s0::rewritten)
                            .filter(script -> differs(script, s0));
            Optional<SolutionScript> scored =
                    revised.flatMap(script -> scored(script, 1, s0, decisions, steps));
            if (scored.isPresent()) {
                return new LeakageCheck(scored.get(), leaks);
            }
            LeakageCheck checked = LeakageCheck.of(s0, steps);
            leaks = checked.leaks();
            if (!differs(checked.script(), s0)) {
                return new LeakageCheck(s0, leaks);
            }
            int evaluation = revised.isPresent() ? 2 : 1;
            return new LeakageCheck(
                    scored(checked.script(), evaluation, s0, decisions, steps).orElse(s0), leaks);
        } catch (StepStopped e) {
            return new LeakageCheck(s0, leaks);
        }
    }

    private static boolean differs(SolutionScript changed, SolutionScript s0) {
        return !changed.content().equals(s0.content());
    }

    /// @param number of the evaluation in this phase
    /// @return empty if the script has no score
    private static Optional<SolutionScript> scored(
            SolutionScript changed,
            int number,
            SolutionScript s0,
            List<Decision> decisions,
            Steps steps) {
        Optional<SolutionScript> ran = steps.attempt(new Evaluation(changed, Kind.SOLUTION))
                .map(evaluated -> evaluated.script()
                        .by(NAME + "/evaluation" + (number == 1 ? "" : "-" + number)));
        ran.ifPresent(script -> decisions
                .add(Decision.of(script, List.of(s0), s0, script.isScored())));
        return ran.filter(SolutionScript::isScored);
    }

    @Override
    public Scheduling scheduling(RunContext context) {
        PaperSearch paper = context.config().paper();
        return Scheduling.share(context.limits().timeBudget().phase1Share(),
                Refinement.load(paper).plus(Ensemble.load(paper)));
    }
}
