package io.mlestar.show.view;

import io.mlestar.core.phase.Attempt;
import io.mlestar.core.phase.BlendedEnsemble;
import io.mlestar.core.phase.Candidate;
import io.mlestar.core.phase.EnsemblePhase;
import io.mlestar.core.phase.Evaluation;
import io.mlestar.core.phase.Finalization;
import io.mlestar.core.phase.InitialSolution;
import io.mlestar.core.phase.Merge;
import io.mlestar.core.phase.OuterStep;
import io.mlestar.core.phase.Round;
import io.mlestar.core.phase.ScriptAttempt;
import io.mlestar.core.phase.SearchRounds;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.Decision;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.Results.Phase3Result;
import io.mlestar.core.task.Results.StepRecord;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.show.render.Formats;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A solution that a run has tried for its score or is trying, or a block that it refined.
///
/// @param step the phase that tried it; in another run if its result is shared
/// @param path which of the parallel paths it is on, from 0; 0 elsewhere
/// @param block of the path, or number of the leg, from 0; 0 elsewhere
/// @param number among its like, from 0
/// @param plan or model, one line; may be empty
/// @param score that it has so far
/// @param comparedWith what it was compared with, or has to reach; empty if there is nothing
/// @param accepted what the phase decided that tried it; null as long as it has not
/// @param from paths within the run of the phases whose solutions it was made of
/// @param costUsd null if a price is unknown, it has not ended, or only its block was read
/// @param seconds 0 if it has not ended, or only its block was read
public record CandidateSolution(
        StepPath step,
        Part part,
        int path,
        int block,
        int number,
        String title,
        String plan,
        StepState state,
        Score score,
        Optional<Rival> comparedWith,
        @Nullable Boolean accepted,
        List<String> from,
        @Nullable Double costUsd,
        double seconds) {
    private static final int LONGEST_PLAN = 600;
    private static final Pattern PLACE =
            Pattern.compile("phase2-path(\\d+)/block(\\d+)\\b.*|phase2/leg(\\d+)/path(\\d+)-.*");

    /// The part of the algorithm that made it, in the order of the course.
    public enum Part {
        CANDIDATE, MERGE, CHECKED, BLOCK, ATTEMPT, TURN, ROUND, FINAL
    }

    /// Empty unless the step is a phase that tries a solution.
    public static Optional<CandidateSolution> of(StepView step) {
        return switch (step.step()) {
            case Candidate candidate ->
                of(step, candidate, Part.CANDIDATE, candidate.index(),
                        candidate.model().modelName(), Optional.empty());
            case Merge merge ->
                of(step, merge, Part.MERGE, merge.index(), "",
                        Optional.of(Rival.of(merge.base())), merge.base(), merge.reference());
            // A version that does not run is dropped, and s_0 stays what it was.
            case Evaluation check when step.isAskedBy(InitialSolution.class)
                    && step.score().isKnown() ->
                of(step, check, Part.CHECKED, 0, "", Optional.empty(), check.script());
            case OuterStep outer ->
                of(step, outer, Part.BLOCK, outer.t(), plan(step),
                        Optional.of(Rival.of(outer.solution())), outer.solution());
            case Attempt attempt ->
                of(step, attempt, Part.ATTEMPT, attempt.k(), plan(step),
                        Optional.of(attempt.best()), attempt.solution());
            case ScriptAttempt turn when turn.best() != null && step.isAskedBy(SearchRounds.class)
                    && !isStudy(step) ->
                of(step, turn, Part.TURN, turn.number(), plan(step),
                        Optional.of(Rival.of(turn.best())), turn.best(), turn.other());
            case Round round -> of(step, round, Part.ROUND, round.r(), plan(step),
                    Optional.ofNullable(round.input()),
                    round.solutions().toArray(SolutionScript[]::new));
            case EnsemblePhase _ ->
                step.found() instanceof StepView.Returned<?>(var phase, Phase3Result result)
                        ? blend(step, result)
                        : Optional.empty();
            case Finalization last -> of(step, last, Part.FINAL, 0, "",
                    Optional.of(last.solution())
                            .filter(script -> script.score().isKnown())
                            .map(Rival::of),
                    last.solution());
            default -> Optional.empty();
        };
    }

    private static Optional<CandidateSolution> of(
            StepView step,
            Phase<?> phase,
            Part part,
            int number,
            String plan,
            Optional<Rival> comparedWith,
            @Nullable SolutionScript... from) {
        StepPath place = step.known().place();
        Matcher inside = PLACE.matcher(place.inside());
        boolean isRefined = inside.matches();
        return Optional.of(new CandidateSolution(place, part, isRefined ? number(inside, 1, 4) : 0,
                isRefined ? number(inside, 2, 3) : 0, number,
                phase.title(), Formats.line(plan, LONGEST_PLAN), step.state(), step.score(),
                comparedWith, step.report().accepted(),
                Stream.of(from)
                        .flatMap(Stream::ofNullable)
                        .flatMap(script -> Stream.ofNullable(script.step()))
                        .distinct()
                        .toList(),
                step.result().map(StepResult::costUsd).orElse(null), step.seconds()));
    }

    /// The greedy choice among all scripts, which is no phase: the result of the ensemble tells it.
    private static Optional<CandidateSolution> blend(StepView step, Phase3Result result) {
        return IntStream.range(0, result.decisions().size())
                .filter(i -> result.decisions().get(i).step().equals(BlendedEnsemble.BLEND))
                .boxed()
                .findFirst()
                .map(i -> tried(step.known().place().run(), Part.ROUND, 0, 0, i, "Greedy blend",
                        result.attempts().get(i).plan(), result.decisions().get(i)));
    }

    /// A solution as the phase that tried it knows it.
    private static CandidateSolution tried(
            String run,
            Part part,
            int path,
            int block,
            int number,
            String title,
            String plan,
            Decision decision) {
        return new CandidateSolution(new StepPath(run, decision.step()), part, path, block, number,
                title, Formats.line(plan, LONGEST_PLAN),
                decision.score().equals(Score.NONE) ? StepState.FAILED : StepState.DONE,
                decision.score(), Optional.empty(), false, List.of(), null, 0).decided(decision);
    }

    /// The same with what its phase decided.
    private CandidateSolution decided(Decision decision) {
        return new CandidateSolution(step, part, path, block, number, title, plan, state, score,
                Optional.ofNullable(decision.comparedWith()), decision.accepted(),
                decision.from().stream().map(Decision.Source::step).toList(), costUsd, seconds);
    }

    /// The same solutions with what phases decided on them.
    public static List<CandidateSolution> decided(
            List<CandidateSolution> tried,
            List<Decision> decisions) {
        Map<String, Decision> byStep = decisions.stream()
                .collect(Collectors.toMap(Decision::step, decision -> decision,
                        (first, last) -> last));
        return tried.stream()
                .map(one -> byStep.containsKey(one.id()) ? one.decided(byStep.get(one.id())) : one)
                .toList();
    }

    /// Reads whichever of the two groups matched.
    private static int number(Matcher place, int one, int other) {
        return Integer.parseInt(place.group(one) == null ? place.group(other) : place.group(one));
    }

    /// A study is no solution; as long as it is not known what it is, it may be one.
    private static boolean isStudy(StepView step) {
        return step.found() instanceof StepView.Returned<?>(var phase, ScriptAttempt.Result turned)
                && turned.finding().isStudy();
    }

    private static String plan(StepView step) {
        if (step.found() instanceof StepView.Returned<?>(var phase, OuterStep.Result stepped)) {
            StepRecord record = stepped.record();
            return stepped.winner() < 0
                    ? record.plan()
                    : record.innerLoopAttempts().get(stepped.winner()).plan();
        }
        return step.report().summary();
    }

    /// The attempts of a block that has ended, as its result knows them.
    static List<CandidateSolution> attempts(StepPath block, OuterStep.Result stepped) {
        Matcher inside = PLACE.matcher(block.inside());
        int path = inside.matches() ? Integer.parseInt(inside.group(1)) : 0;
        StepRecord record = stepped.record();
        return IntStream.range(0, record.decisions().size())
                .mapToObj(k -> tried(block.run(), Part.ATTEMPT, path, record.outerStep(), k,
                        Attempt.title(k), record.innerLoopAttempts().get(k).plan(),
                        record.decisions().get(k)))
                .toList();
    }

    /// The lead over the solution that it is compared with; null if there is none, or no score.
    public Score.@Nullable Lead lead(MetricDirection direction) {
        return score.isKnown() && comparedWith.isPresent()
                ? score.over(comparedWith.get().score(), direction)
                : null;
    }

    /// Its path within the run, by which others name it.
    public String id() {
        return step.inside();
    }
}
