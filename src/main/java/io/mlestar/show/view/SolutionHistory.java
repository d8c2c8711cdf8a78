package io.mlestar.show.view;

import io.mlestar.core.phase.Attempt;
import io.mlestar.core.phase.Candidate;
import io.mlestar.core.phase.Ensemble;
import io.mlestar.core.phase.Evaluation;
import io.mlestar.core.phase.Finalization;
import io.mlestar.core.phase.InitialSolution;
import io.mlestar.core.phase.Merge;
import io.mlestar.core.phase.OuterStep;
import io.mlestar.core.phase.Refinement;
import io.mlestar.core.phase.Round;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.Store;
import io.mlestar.core.task.Results.RefinementAttempt;
import io.mlestar.core.task.Results.StepRecord;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.show.render.Formats;
import io.mlestar.show.view.CandidateSolution.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Gatherers;
import java.util.stream.IntStream;

/// The solutions of a run, whether or not it has ended. Of a block that has ended, only its result is read: it knows its attempts.
/// What has ended is never read again.
public final class SolutionHistory {
    private static final int LONGEST = 200;

    private final Records records;
    private final RunHeader run;
    private final Map<StepPath, Seen> ended = new ConcurrentHashMap<>();

    /// What is in a part of a run.
    ///
    /// @param last empty before finalization has begun
    public record Seen(List<CandidateSolution> tried, Optional<CandidateSolution.Last> last) {
        private static final Seen NOTHING = new Seen(List.of(), Optional.empty());

        private Seen and(Seen other) {
            List<CandidateSolution> both = new ArrayList<>(tried);
            both.addAll(other.tried);
            return new Seen(both, last.or(other::last));
        }
    }

    public SolutionHistory(Records records, RunHeader run) {
        this.records = records;
        this.run = run;
    }

    public RunHeader run() {
        return run;
    }

    /// What there is of it now.
    public Seen look() {
        return below(StepPath.root(run.runId()), 0, 0);
    }

    private Seen below(StepPath phase, int path, int block) {
        return records.listed(phase).entrySet().stream().filter(step -> RunSteps.mayBePhase(phase.child(step.getKey())))
                .gather(Gatherers.mapConcurrent(Store.AT_ONCE, step -> at(phase.child(step.getKey()), step.getValue(), path, block)))
                .reduce(Seen.NOTHING, Seen::and);
    }

    private Seen at(StepPath step, boolean hasEnded, int path, int block) {
        Seen known = ended.get(step);
        if (known != null) {
            return known;
        }
        Seen found = block(step, hasEnded, path).orElseGet(() -> found(StepView.of(new KnownStep(step, records.request(step).orElseThrow(),
                hasEnded ? records.result(step) : Optional.empty())), path, block));
        if (hasEnded) {
            ended.put(step, found);
        }
        return found;
    }

    /// A block that has ended knows its attempts, so its result is all that is read of it.
    private Optional<Seen> block(StepPath step, boolean hasEnded, int path) {
        return !hasEnded || !OuterStep.isName(step.name()) ? Optional.empty() : records.result(step).filter(StepResult.Done.class::isInstance)
                .map(StepResult.Done.class::cast).map(done -> attempts(done.place(step), path, done.of(OuterStep.Stepped.class).record()));
    }

    private Seen found(StepView step, int path, int block) {
        StepPath place = step.known().place();
        return switch (step.step()) {
            case InitialSolution phase -> below(place, 0, 0);
            case Refinement phase -> below(place, phase.path(), 0);
            case OuterStep phase -> below(place, path, phase.t());
            case Ensemble phase -> below(place, 0, 0);
            case Candidate candidate -> one(step, Part.CANDIDATE, candidate.title(), 0, 0, candidate.index());
            case Merge merge -> one(step, Part.MERGE, merge.title(), 0, 0, merge.index());
            // A version that does not run is dropped, and s_0 stays what it was.
            case Evaluation check when step.isAskedBy(InitialSolution.class) && step.score() != null ->
                one(step, Part.CHECKED, "Data and leakage checks", 0, 0, 0);
            case Attempt attempt -> one(step, Part.ATTEMPT, attempt.title(), path, block, attempt.k());
            case Round round -> one(step, Part.ROUND, round.title(), 0, 0, round.r());
            case Finalization last -> new Seen(List.of(), Optional.of(new CandidateSolution.Last(step.path(),
                    last.solution().phase() == SolutionPhase.ENSEMBLE, last.solution().score())));
            default -> Seen.NOTHING;
        };
    }

    private static Seen one(StepView step, Part part, String title, int path, int block, int number) {
        if (step.state() == StepState.LEFT_OUT) {
            return Seen.NOTHING;
        }
        boolean better = step.found() instanceof StepView.Returned<?> returned && returned.report().improved();
        String says = step.found() instanceof StepView.Returned<?> returned ? returned.report().summary() : "";
        return new Seen(List.of(new CandidateSolution(step.known().place(), part, path, block, number, title, Formats.line(says, LONGEST), step.score(), better,
                step.state() == StepState.RUNNING)), Optional.empty());
    }

    private static Seen attempts(StepPath place, int path, StepRecord record) {
        return new Seen(IntStream.range(0, record.innerLoopAttempts().size()).mapToObj(k -> {
            RefinementAttempt attempt = record.innerLoopAttempts().get(k);
            return new CandidateSolution(place.child(Attempt.name(k)), Part.ATTEMPT, path, record.outerStep(), k, Attempt.title(k),
                    Formats.line(attempt.plan(), LONGEST),
                    attempt.score(), attempt.wasImprovement(), false);
        }).toList(), Optional.empty());
    }
}
