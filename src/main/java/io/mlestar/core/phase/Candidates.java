package io.mlestar.core.phase;

import io.mlestar.core.agent.Retriever;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Phrase;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.Answers.RetrievedModel;
import io.mlestar.core.task.AttemptRecord;
import io.mlestar.core.task.Decision;
import io.mlestar.core.task.Results.Leak;
import io.mlestar.core.task.Results.Phase1Result;
import io.mlestar.core.task.SolutionScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Algorithm 1, lines 1 to 6: M retrieved models, a candidate script of each, and their ranks.
/// Candidates do not depend on each other and are made in parallel (REQ-P1-034).
///
/// @param models as they were retrieved
/// @param scripts one for each model, in the same order; without a score where one failed
/// @param ranked those that have a score, best first
/// @param study what compared kinds of models before
record Candidates(
        List<RetrievedModel> models,
        List<SolutionScript> scripts,
        List<SolutionScript> ranked,
        Optional<AttemptRecord> study) {
    private static final int DEATH_SHOWN = 200;

    /// @throws StepFailed if no model was found, or no candidate has a score
    static Candidates of(Optional<AttemptRecord> study, Steps steps) {
        String studied =
                study.filter(read -> !read.table().isBlank()).map(Candidates::said).orElse(null);
        int most = steps.context().search().numRetrievedModels();
        Retriever retriever = new Retriever(steps.context().task().description(), most, studied);
        List<RetrievedModel> models = steps.attempt(retriever)                                        // line 1
                .orElseGet(() -> steps.call(retriever))
                .models();      // without models there is no run: it may try twice
        List<SolutionScript> scripts = scripts(models, studied, steps);                               // lines 2-5
        List<SolutionScript> ranked = Acceptance.of(steps.context()).ranked(scripts);                 // line 6
        return new Candidates(models, scripts, ranked, study);
    }

    /// A study as the candidates' agents read it.
    private static String said(AttemptRecord study) {
        String end = study.remark() == null ? "" : "It did not end: " + study.remark();
        return Phrase.of("\n\n", study.tried(), study.table(), end);
    }

    /// The decisions on the candidates in the order of their ranks, those that failed last; the
    /// first is accepted.
    List<Decision> decisions() {
        List<SolutionScript> order = new ArrayList<>(ranked);
        scripts.stream().filter(script -> !script.isScored()).forEach(order::add);
        return order.stream().map(this::decision).toList();
    }

    private Decision decision(SolutionScript candidate) {
        SolutionScript best = ranked.getFirst();
        boolean isBest = candidate.equals(best);
        return Decision.of(candidate, List.of(), isBest ? null : best, isBest);
    }

    /// The result of Phase 1 that begins with these candidates.
    Phase1Result result(
            SolutionScript initial,
            int merges,
            @Nullable String mergesEnded,
            List<Leak> leaks,
            List<Decision> decisions) {
        List<Double> scores = scripts.stream().map(script -> script.score().value()).toList();
        return new Phase1Result(models, scripts, scores, initial, initial.score().known(), merges,
                mergesEnded, leaks, decisions, study.orElse(null));
    }

    private static List<SolutionScript> scripts(
            List<RetrievedModel> models,
            @Nullable String studied,
            Steps steps) {
        List<Candidate> asked = IntStream.range(0, models.size())
                .mapToObj(i -> new Candidate(i, models.get(i), false, studied))
                .toList();
        List<Outcome<SolutionScript>> outcomes = steps.callAll(asked);
        List<SolutionScript> scripts = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            Candidate candidate = asked.get(i);
            Outcome<SolutionScript> outcome = outcomes.get(i);
            scripts.add(outcome.done().orElseGet(() -> candidate.failed(death(outcome))));
        }
        if (hasNoScore(scripts)) {
            boolean wasCut = outcomes.stream().anyMatch(Outcome.Stopped.class::isInstance);
            List<Outcome<SolutionScript>> again =
                    wasCut ? lastChance(asked, scripts, steps) : List.of();
            if (hasNoScore(scripts)) {
                throw new StepFailed(failure(models, outcomes, again));
            }
        }
        return scripts;
    }

    private static boolean hasNoScore(List<SolutionScript> scripts) {
        return scripts.stream().noneMatch(SolutionScript::isScored);
    }

    /// Gives one candidate after the other all the time there is, if the share of Phase 1 was too
    /// short for any script to score: a run with a late solution is better than none.
    ///
    /// @param scripts where the first that has a score takes its place
    /// @return outcomes of those that were tried
    private static List<Outcome<SolutionScript>> lastChance(
            List<Candidate> asked,
            List<SolutionScript> scripts,
            Steps steps) {
        List<Outcome<SolutionScript>> outcomes = new ArrayList<>();
        for (Candidate candidate : asked) {
            Outcome<SolutionScript> outcome = steps.outcome(candidate.again());
            Optional<SolutionScript> scored =
                    outcome.value().filter(SolutionScript::isScored);
            if (scored.isPresent()) {
                scripts.set(candidate.index(), scored.get());
                return outcomes;
            }
            outcomes.add(outcome);
        }
        return outcomes;
    }

    /// REQ-P1-022; unless all crashed, what each of them died of.
    private static String failure(
            List<RetrievedModel> models,
            List<Outcome<SolutionScript>> outcomes,
            List<Outcome<SolutionScript>> again) {
        if (outcomes.stream().allMatch(Candidates::hasCrashed)) {
            return "Phase 1 failed: all " + models.size() + " candidates produced execution errors";
        }
        List<String> deaths = new ArrayList<>();
        for (int i = 0; i < models.size(); i++) {
            String second = i < again.size() ? ", then " + death(again.get(i)) : "";
            deaths.add(models.get(i).modelName() + ": " + death(outcomes.get(i)) + second);
        }
        return "Phase 1 failed: none of the " + models.size() + " candidates has a score: "
                + String.join("; ", deaths);
    }

    private static boolean hasCrashed(Outcome<SolutionScript> outcome) {
        return outcome.done().filter(script -> !script.isExecutable()).isPresent();
    }

    private static String death(Outcome<SolutionScript> outcome) {
        String why = switch (outcome) {
            case Outcome.Done<SolutionScript>(var script) ->
                "it was run, and gave no score"
                        + (script.isExecutable() ? ": it printed none" : "");
            case Outcome.NoResult<SolutionScript> died -> died.reason();
        };
        return Excerpt.line(why, DEATH_SHOWN);
    }
}
