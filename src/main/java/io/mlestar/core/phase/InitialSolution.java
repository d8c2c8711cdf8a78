package io.mlestar.core.phase;

import io.mlestar.core.agent.Data;
import io.mlestar.core.agent.Reply;
import io.mlestar.core.agent.Retriever;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.Scheduling;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.StepStopped;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.Answers.RetrievedModel;
import io.mlestar.core.task.Decision;
import io.mlestar.core.task.AttemptRecord;
import io.mlestar.core.task.Results.Leak;
import io.mlestar.core.task.Results.Phase1Result;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Algorithm 1: the initial solution s_0 from M retrieved models. The candidates do not depend on each other and are
/// made in parallel; the merges do, and are not (REQ-P1-034, REQ-P1-036).
public record InitialSolution() implements Phase<Phase1Result> {
    static final String NAME = "phase1";
    private static final int DEATH_SHOWN = 200;

    @Override
    public Phase1Result run(Steps steps) {
        var context = steps.context();
        AttemptRecord study = context.config().search().beginsWithStudy()
                && steps.outcome(Turn.first(NAME, Search.attempts(context.config()))) instanceof Outcome.Done<Turn.Turned>(var turned) ? turned.finding()
                        : null;
        String studied = study == null || study.table().isBlank() ? null
                : study.tried() + "\n\n" + study.table() + (study.remark() == null ? "" : "\n\nIt did not end: " + study.remark());
        Retriever retriever = new Retriever(context.task().description(), context.config().loop().numRetrievedModels(), studied);
        List<RetrievedModel> models = steps.attempt(retriever)                                        // line 1
                .orElseGet(() -> steps.call(retriever)).models();      // without models there is no run: it may try twice
        List<SolutionScript> candidates = candidates(models, studied, steps);                                // lines 2-5
        List<SolutionScript> ranked = Acceptance.of(context).ranked(candidates);                      // line 6
        Merges merges = merged(ranked, steps);                                                        // lines 7-17
        List<Decision> decisions = new ArrayList<>(Stream.concat(ranked.stream(), candidates.stream().filter(candidate -> candidate.score() == null))
                .map(candidate -> candidate.equals(ranked.getFirst()) ? Decision.of(candidate, List.of(), null, true)
                        : Decision.of(candidate, List.of(), ranked.getFirst(), false))
                .toList());
        merges.tried().stream().map(Merge.Merged::decision).forEach(decisions::add);
        LeakageCheck checked = checked(merges.solution(), decisions, steps);                           // Section 3.4
        return new Phase1Result(models, candidates, candidates.stream().map(SolutionScript::score).toList(), checked.script(),
                checked.script().knownScore(), (int) merges.tried().stream().filter(merge -> merge.decision().isAccepted()).count(), merges.ended(),
                checked.leaks(), GreedyEnsemble.isWanted(context)
                        ? merges.tried().stream().map(Merge.Merged::script).filter(script -> script.score() != null).toList() : List.of(),
                decisions, study);
    }

    private static List<SolutionScript> candidates(List<RetrievedModel> models, @Nullable String studied, Steps steps) {
        List<Candidate> asked = IntStream.range(0, models.size()).mapToObj(i -> new Candidate(i, models.get(i), false, studied)).toList();
        List<Outcome<SolutionScript>> outcomes = steps.callAll(asked);
        List<SolutionScript> candidates = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            candidates.add(outcomes.get(i) instanceof Outcome.Done<SolutionScript>(var script) ? script
                    : SolutionScript.unscored("", SolutionPhase.INIT).from(models.get(i).modelName()).failed().by(NAME + "/" + asked.get(i).name()));
        }
        if (candidates.stream().allMatch(candidate -> candidate.score() == null)) {
            List<Outcome<SolutionScript>> again = outcomes.stream().anyMatch(Outcome.Stopped.class::isInstance) ? lastChance(asked, candidates, steps)
                    : List.of();
            if (candidates.stream().allMatch(candidate -> candidate.score() == null)) {
                throw new StepFailed(failure(models, outcomes, again));
            }
        }
        return candidates;
    }

    /// Where the share of Phase 1 was too short for any script to score, one candidate after the other may take all the time there
    /// is: a run with a late solution is better than none.
    ///
    /// @param candidates where the first that has a score takes its place
    /// @return outcomes of those that were tried
    private static List<Outcome<SolutionScript>> lastChance(List<Candidate> asked, List<SolutionScript> candidates, Steps steps) {
        List<Outcome<SolutionScript>> outcomes = new ArrayList<>();
        for (Candidate candidate : asked) {
            Outcome<SolutionScript> outcome = steps.outcome(new Candidate(candidate.index(), candidate.model(), true, candidate.studied()));
            if (outcome instanceof Outcome.Done<SolutionScript>(var script) && script.score() != null) {
                candidates.set(candidate.index(), script);
                return outcomes;
            }
            outcomes.add(outcome);
            if (outcome instanceof Outcome.Stopped) {
                outcome.orThrow(NAME);
            }
        }
        return outcomes;
    }

    /// REQ-P1-022; where a candidate was never run, what each of them died of.
    private static String failure(List<RetrievedModel> models, List<Outcome<SolutionScript>> outcomes, List<Outcome<SolutionScript>> again) {
        if (outcomes.stream().allMatch(Outcome.Done.class::isInstance)) {
            long ran = outcomes.stream().filter(one -> one instanceof Outcome.Done<SolutionScript>(var script) && script.isExecutable()).count();
            String crashed = ran == models.size() ? "" : models.size() - ran + " produced execution errors, ";
            return ran == 0 ? "Phase 1 failed: all " + models.size() + " candidates produced execution errors"
                    : "Phase 1 failed: none of the " + models.size() + " candidates has a score: " + crashed + ran
                            + " ran and printed none that can be read";
        }
        return IntStream.range(0, models.size()).mapToObj(i -> models.get(i).modelName() + ": " + death(outcomes.get(i))
                + (i < again.size() ? ", then " + death(again.get(i)) : ""))
                .collect(Collectors.joining("; ", "Phase 1 failed: none of the " + models.size() + " candidates has a score: ", ""));
    }

    private static String death(Outcome<SolutionScript> outcome) {
        String why = switch (outcome) {
            case Outcome.Done<SolutionScript>(var script) ->
                "it was run, and gave no score" + (script.isExecutable() ? ": it printed none that can be read" : "");
            case Outcome.Failed<SolutionScript>(String reason, boolean unreadable) -> reason;
            case Outcome.Stopped<SolutionScript>(String reason) -> reason;
        };
        return Excerpt.line(why, DEATH_SHOWN);
    }

    /// @param solution s_0
    /// @param ended why no more were tried; null if all were
    /// @param tried merges that were evaluated
    private record Merges(SolutionScript solution, @Nullable String ended, List<Merge.Merged> tried) {}

    /// Merges the candidates into the best one, one after the other, until a merge is not accepted.
    private static Merges merged(List<SolutionScript> ranked, Steps steps) {
        SolutionScript s0 = ranked.getFirst();                                                        // line 7
        if (steps.context().config().search().isByScript()) {
            return new Merges(s0, null, List.of());
        }
        List<Merge.Merged> tried = new ArrayList<>();
        for (int i = 1; i < ranked.size(); i++) {                                                     // lines 8-17
            Outcome<Merge.Merged> merge = steps.outcome(new Merge(i, s0, ranked.get(i), i == 1 ? null : Decision.Rival.of(ranked.getFirst())));
            if (merge instanceof Outcome.Done<Merge.Merged>(var merged)) {
                tried.add(merged);
            }
            if (!(merge instanceof Outcome.Done<Merge.Merged>(var merged) && merged.decision().isAccepted())) {
                return new Merges(s0, "merge " + i + " of " + (ranked.size() - 1) + " " + fault(merge, s0, steps), tried);
            }
            s0 = merged.script();
        }
        return new Merges(s0, null, tried);
    }

    private static String fault(Outcome<Merge.Merged> merge, SolutionScript s0, Steps steps) {
        return switch (merge) {
            case Outcome.Done<Merge.Merged>(var merged) -> Acceptance.of(steps.context()).shortfall(merged.script(), s0);
            case Outcome.Failed<Merge.Merged>(String reason, boolean unreadable) -> "failed: " + reason;
            case Outcome.Stopped<Merge.Merged>(String reason) -> "was left out: " + reason;
        };
    }

    /// A_data once, then A_leakage (REQ-P1-030, REQ-P1-031). A version that does not run is dropped; one that runs replaces s_0
    /// even if its score is worse, for it uses the data that the task provides. Its evaluation begins with the leakage check, so it is not checked twice.
    private static LeakageCheck checked(SolutionScript s0, List<Decision> decisions, Steps steps) {
        List<Leak> leaks = List.of();
        try {
            Optional<Reply.DataUsage> usage = steps.context().config().search().brief() ? Optional.empty()
                    : steps.attempt(new Data(s0.content(), steps.context().task().description()));
            Optional<SolutionScript> revised = usage.map(reply -> reply.code()).map(s0::rewritten).filter(script -> differs(script, s0));
            Optional<SolutionScript> scored = revised.flatMap(script -> scored(script, 1, s0, decisions, steps));
            if (scored.isPresent()) {
                return new LeakageCheck(scored.get(), leaks);
            }
            LeakageCheck checked = LeakageCheck.of(s0, steps);
            leaks = checked.leaks();
            return new LeakageCheck(differs(checked.script(), s0) ? scored(checked.script(), revised.isPresent() ? 2 : 1, s0, decisions, steps).orElse(s0) : s0,
                    leaks);
        } catch (StepStopped e) {
            return new LeakageCheck(s0, leaks);
        }
    }

    private static boolean differs(SolutionScript changed, SolutionScript s0) {
        return !changed.content().equals(s0.content());
    }

    /// @param number of the evaluation in this phase
    /// @return empty if the script has no score
    private static Optional<SolutionScript> scored(SolutionScript changed, int number, SolutionScript s0, List<Decision> decisions, Steps steps) {
        Optional<SolutionScript> ran = steps.attempt(new Evaluation(changed, Kind.SOLUTION))
                .map(evaluated -> evaluated.script().by(NAME + "/evaluation" + (number == 1 ? "" : "-" + number)));
        ran.ifPresent(script -> decisions.add(Decision.of(script, List.of(s0), s0, script.score() != null)));
        return ran.filter(script -> script.score() != null);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Scheduling scheduling(RunContext context) {
        int folds = context.config().search().mostFolds();
        return Scheduling.share(context.config().limits().timeBudget().phase1Share(),
                Refinement.load(context.config(), folds).plus(Ensemble.load(context.config(), folds)));
    }

    @Override
    public String title() {
        return "Initial solution";
    }

    @Override
    public PhaseReport report(Phase1Result result) {
        return PhaseReport.of(result.initialSolution()).deciding(result.decisions());
    }
}
