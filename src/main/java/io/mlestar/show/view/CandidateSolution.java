package io.mlestar.show.view;

import io.mlestar.core.phase.Attempt;
import io.mlestar.core.phase.Candidate;
import io.mlestar.core.phase.Ensemble;
import io.mlestar.core.phase.Evaluation;
import io.mlestar.core.phase.Finalization;
import io.mlestar.core.phase.InitialSolution;
import io.mlestar.core.phase.Merge;
import io.mlestar.core.phase.OuterStep;
import io.mlestar.core.phase.Round;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.Results.Phase3Result;
import io.mlestar.core.task.Results.RefinementAttempt;
import io.mlestar.core.task.Results.StepRecord;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.Validation;
import io.mlestar.show.render.Formats;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A solution that a run has tried for its score or is trying, or a block that it refined.
///
/// @param step the phase that tried it; in another run if its result is shared
/// @param path which of the parallel paths it is on, from 0; 0 elsewhere
/// @param block of the path, from 0; 0 elsewhere
/// @param number among its like, from 0
/// @param plan or model, one line; may be empty
/// @param score null if it has none
/// @param before the score that it has to reach; null if there is none
/// @param validation how the harness computed the score; null if it did not
/// @param baseline the same of `before`
/// @param improved whether an attempt was at least as good as the best before it
/// @param from paths within the run of the phases whose solutions it was made of
/// @param costUsd null if a price is unknown, it has not ended, or only its block was read
/// @param seconds 0 if it has not ended, or only its block was read
public record CandidateSolution(StepPath step, Part part, int path, int block, int number, String title, String plan, StepState state,
        @Nullable Double score, @Nullable Double before, @Nullable Validation validation, @Nullable Validation baseline, boolean improved, List<String> from,
        @Nullable Double costUsd, double seconds) {
    private static final int LONGEST_PLAN = 600;
    private static final String BLEND = "greedy blend:";
    /// One of its scripts, after how often it counts.
    private static final Pattern MEMBER = Pattern.compile("\\d+ × ([^\\s,]+)");
    private static final Pattern PLACE = Pattern.compile("phase2-path(\\d+)/block(\\d+)\\b.*");

    /// By what part of the algorithm it was made, in the order of the course.
    public enum Part {
        CANDIDATE, MERGE, CHECKED, BLOCK, ATTEMPT, ROUND, FINAL
    }

    /// Empty unless the step is a phase that tries a solution.
    public static Optional<CandidateSolution> of(StepView step) {
        return Optional.ofNullable(switch (step.step()) {
            case Candidate candidate -> of(step, candidate, Part.CANDIDATE, candidate.index(), candidate.model().modelName(), null, null);
            case Merge merge ->
                of(step, merge, Part.MERGE, merge.index(), "", merge.base().score(), merge.base().validation(), merge.base(), merge.reference());
            // A version that does not run is dropped, and s_0 stays what it was.
            case Evaluation check when step.isAskedBy(InitialSolution.class) && step.score() != null ->
                of(step, check, Part.CHECKED, 0, "", null, null, check.script());
            case OuterStep outer -> of(step, outer, Part.BLOCK, outer.t(), plan(step), outer.solution().score(), outer.solution().validation(),
                    outer.solution(), outer.other());
            case Attempt attempt -> of(step, attempt, Part.ATTEMPT, attempt.k(), plan(step), attempt.best(), attempt.bestValidation(), attempt.solution());
            case Round round -> of(step, round, Part.ROUND, round.r(), plan(step), null, null, round.solutions().toArray(SolutionScript[]::new));
            case Ensemble _ -> step.found() instanceof StepView.Returned<?>(var phase, Phase3Result result) ? blend(step, result) : null;
            case Finalization last -> of(step, last, Part.FINAL, 0, "", last.solution().score(), last.solution().validation(), last.solution());
            default -> null;
        });
    }

    private static CandidateSolution of(StepView step, Phase<?> phase, Part part, int number, String plan, @Nullable Double before,
            @Nullable Validation baseline, @Nullable SolutionScript... from) {
        StepPath place = step.known().place();
        Matcher inside = PLACE.matcher(place.inside());
        boolean isRefined = inside.matches();
        return new CandidateSolution(place, part, isRefined ? Integer.parseInt(inside.group(1)) : 0, isRefined ? Integer.parseInt(inside.group(2)) : 0, number,
                phase.title(), Formats.line(plan, LONGEST_PLAN), step.state(), step.score(), before, step.validation(), baseline,
                step.found() instanceof StepView.Returned<?> returned && returned.report().improved(),
                Stream.of(from).flatMap(Stream::ofNullable).flatMap(script -> Stream.ofNullable(script.step())).distinct().toList(),
                step.result().map(StepResult::costUsd).orElse(null), step.seconds());
    }

    /// The greedy choice among all scripts, which is no phase: the result of the ensemble tells it.
    private static @Nullable CandidateSolution blend(StepView step, Phase3Result result) {
        StepPath place = step.known().place();
        return result.attempts().stream().filter(attempt -> attempt.plan().startsWith(BLEND)).findFirst().map(attempt -> {
            String by = attempt.solution().step();
            return new CandidateSolution(by == null ? place.child("blend") : new StepPath(place.run(), by), Part.ROUND, 0, 0,
                    result.attempts().indexOf(attempt), "Greedy blend",
                    Formats.line(attempt.plan(), LONGEST_PLAN), attempt.score() == null ? StepState.FAILED : StepState.DONE, attempt.score(), null,
                    attempt.solution().validation(), null, false, MEMBER.matcher(attempt.plan()).results().map(member -> member.group(1)).distinct().toList(),
                    0.0, 0);
        }).orElse(null);
    }

    private static String plan(StepView step) {
        if (step.found() instanceof StepView.Returned<?>(var phase, OuterStep.Stepped(StepRecord record, var solution, var study, var skipped))) {
            return record.winner() < 0 ? record.plan() : record.innerLoopAttempts().get(record.winner()).plan();
        }
        return step.found() instanceof StepView.Returned<?> returned ? returned.report().summary() : "";
    }

    /// The attempts of a block that has ended, as its result knows them.
    static List<CandidateSolution> attempts(StepPath block, OuterStep.Stepped stepped) {
        Matcher inside = PLACE.matcher(block.inside());
        int path = inside.matches() ? Integer.parseInt(inside.group(1)) : 0;
        return IntStream.range(0, stepped.record().innerLoopAttempts().size()).mapToObj(k -> {
            RefinementAttempt attempt = stepped.record().innerLoopAttempts().get(k);
            return new CandidateSolution(block.child(Attempt.name(k)), Part.ATTEMPT, path, stepped.record().outerStep(), k, Attempt.title(k),
                    Formats.line(attempt.plan(), LONGEST_PLAN), attempt.score() == null ? StepState.FAILED : StepState.DONE, attempt.score(), null, null, null,
                    attempt.wasImprovement(), Stream.ofNullable(stepped.solution().step()).toList(), null, 0);
        }).toList();
    }

    /// Its path within the run, by which others name it.
    public String id() {
        return step.inside();
    }
}
