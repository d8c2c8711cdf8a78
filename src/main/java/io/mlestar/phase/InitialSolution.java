package io.mlestar.phase;

import io.mlestar.agent.Data;
import io.mlestar.agent.Retriever;
import io.mlestar.step.Brief;
import io.mlestar.step.Outcome;
import io.mlestar.step.Phase;
import io.mlestar.step.RunScript.Kind;
import io.mlestar.step.RunStopping;
import io.mlestar.step.StepFailed;
import io.mlestar.step.Steps;
import io.mlestar.task.Answers.RetrievedModel;
import io.mlestar.task.MetricDirection;
import io.mlestar.task.PhaseTimeBudget;
import io.mlestar.task.Results.Phase1Result;
import io.mlestar.task.SolutionPhase;
import io.mlestar.task.SolutionScript;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Algorithm 1: the initial solution s_0 from M retrieved models. The candidates do not depend on each other and are
/// made in parallel; the merges do, and are not (REQ-P1-034, REQ-P1-036).
public record InitialSolution() implements Phase<Phase1Result> {
    @Override
    public Phase1Result run(Steps steps) {
        var brief = steps.brief();
        MetricDirection direction = brief.task().metricDirection();
        Retriever retriever = new Retriever(brief.task().description(), brief.config().numRetrievedModels());
        List<RetrievedModel> models = steps.attempt(retriever)                                        // line 1
                .orElseGet(() -> steps.call(retriever)).models();      // without models there is no run: it may try twice
        List<SolutionScript> candidates = candidates(models, steps);                                  // lines 2-5
        List<SolutionScript> ranked = ranked(candidates, direction);                                  // line 6
        if (ranked.isEmpty()) {
            throw new StepFailed("Phase 1 failed: all " + models.size() + " candidates produced execution errors");
        }
        SolutionScript s0 = ranked.getFirst();                                                        // line 7
        for (int i = 1; i < ranked.size(); i++) {                                                     // lines 8-17
            Optional<SolutionScript> merged = merged(i, s0, ranked.get(i), steps);
            if (merged.isEmpty() || !direction.isImprovementOrEqual(merged.get().score(), s0.score())) {
                break;
            }
            s0 = merged.get();
        }
        s0 = checked(s0, steps);                                                                      // Section 3.4
        return new Phase1Result(models, candidates, candidates.stream().map(SolutionScript::score).toList(), s0, s0.score());
    }

    private static List<SolutionScript> candidates(List<RetrievedModel> models, Steps steps) {
        List<Candidate> asked = IntStream.range(0, models.size()).mapToObj(i -> new Candidate(i, models.get(i))).toList();
        List<Outcome<SolutionScript>> outcomes = steps.callAll(asked);
        List<SolutionScript> candidates = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            candidates.add(outcomes.get(i) instanceof Outcome.Done<SolutionScript>(var script) ? script
                    : SolutionScript.unscored("", SolutionPhase.INIT).from(models.get(i).modelName()).failed());
        }
        if (candidates.stream().allMatch(candidate -> candidate.score() == null)) {
            outcomes.stream().filter(Outcome.Stopped.class::isInstance).findFirst().ifPresent(stopped -> stopped.orThrow("phase1"));
        }
        return candidates;
    }

    /// The candidates that have a score, best first; ties keep the order of retrieval (REQ-P1-023).
    static List<SolutionScript> ranked(List<SolutionScript> candidates, MetricDirection direction) {
        Comparator<SolutionScript> ascending = Comparator.comparingDouble(SolutionScript::score);
        return candidates.stream().filter(candidate -> candidate.score() != null)
                .sorted(direction == MetricDirection.MAXIMIZE ? ascending.reversed() : ascending).toList();
    }

    /// Empty if the merge failed, or there is no time for it.
    private static Optional<SolutionScript> merged(int i, SolutionScript base, SolutionScript reference, Steps steps) {
        return switch (steps.outcome(new Merge(i, base, reference))) {
            case Outcome.Done<SolutionScript>(var script) when script.score() != null -> Optional.of(script);
            case Outcome<SolutionScript> none -> Optional.empty();
        };
    }

    /// A_data once, then A_leakage (REQ-P1-030, REQ-P1-031). A version that does not run is dropped; one that runs replaces s_0
    /// even if its score is worse, for it uses the data that the task provides.
    private static SolutionScript checked(SolutionScript s0, Steps steps) {
        try {
            String revised = steps.attempt(new Data(s0.content(), steps.brief().task().description()))
                    .map(reply -> reply.code()).orElse(s0.content());
            // The evaluation begins with the leakage check, so a revised script is not checked twice.
            SolutionScript changed = revised == null || revised.equals(s0.content())
                    ? LeakageCheck.of(s0, steps) : s0.rewritten(revised);
            if (changed.content().equals(s0.content())) {
                return s0;
            }
            return steps.attempt(new Evaluation(changed, Kind.SOLUTION)).map(Evaluation.Evaluated::script)
                    .filter(script -> script.score() != null).orElse(s0);
        } catch (RunStopping e) {
            return s0;
        }
    }

    @Override
    public String name() {
        return "phase1";
    }

    @Override
    public Class<Phase1Result> resultType() {
        return Phase1Result.class;
    }

    @Override
    public double timeShare(Brief brief) {
        PhaseTimeBudget budget = brief.config().timeBudget();
        return budget.phase1() / (budget.phase1() + budget.phase2() + budget.phase3() + budget.finalization());
    }
}
