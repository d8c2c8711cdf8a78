package io.mlestar.show.view;

import io.mlestar.core.phase.EnsemblePhase;
import io.mlestar.core.phase.FirstPhase;
import io.mlestar.core.phase.OuterStep;
import io.mlestar.core.phase.Refinement;
import io.mlestar.core.phase.ScriptSearch;
import io.mlestar.core.phase.SearchRounds;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Walk;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.Store;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Gatherers;
import java.util.stream.Stream;

/// The solutions of a run, whether or not it has ended. Of a block that has ended, only its result
/// is read: it knows its attempts. What has ended is never read again.
public final class SolutionHistory {
    private final Records records;
    private final RunHeader run;
    private final Map<StepPath, List<CandidateSolution>> ended = new ConcurrentHashMap<>();

    public SolutionHistory(Records records, RunHeader run) {
        this.records = records;
        this.run = run;
    }

    /// Reads the solutions that the run has tried so far.
    public SolutionAncestry look() {
        return new SolutionAncestry(below(run.root()),
                run.task().metricDirection());
    }

    private List<CandidateSolution> below(StepPath phase) {
        return records.listed(phase)
                .entrySet()
                .stream()
                .filter(step -> Walk.mayBePhase(step.getKey()))
                .gather(Gatherers.mapConcurrent(Store.AT_ONCE,
                        step -> at(step.getKey(), step.getValue())))
                .flatMap(List::stream)
                .toList();
    }

    private List<CandidateSolution> at(StepPath step, boolean hasEnded) {
        List<CandidateSolution> known = ended.get(step);
        if (known != null) {
            return known;
        }
        List<CandidateSolution> found =
                attempts(step, hasEnded)
                        .orElseGet(() -> found(StepView.of(records.read(step, hasEnded))));
        if (hasEnded) {
            ended.put(step, found);
        }
        return found;
    }

    /// The attempts of a block that has ended; empty if the step is none.
    private Optional<List<CandidateSolution>> attempts(StepPath step, boolean hasEnded) {
        return !hasEnded || !OuterStep.isName(step.name())
                ? Optional.empty()
                : records.result(step)
                        .flatMap(ended -> ended.done()
                                .map(done -> CandidateSolution.attempts(ended.place(step),
                                        done.of(OuterStep.Result.class))));
    }

    private List<CandidateSolution> found(StepView step) {
        return switch (step.step()) {
            case FirstPhase _,Refinement _,OuterStep _,ScriptSearch _,SearchRounds _,EnsemblePhase _ -> {
                List<CandidateSolution> tried = below(step.known().place());
                yield step.found() instanceof StepView.Returned<?> returned
                        && !(step.step() instanceof Refinement)
                                ? CandidateSolution.decided(
                                        Stream.concat(tried.stream(),
                                                CandidateSolution.of(step).stream()).toList(),
                                        returned.report().decided())
                                : tried;
            }
            default -> CandidateSolution.of(step).stream().toList();
        };
    }
}
