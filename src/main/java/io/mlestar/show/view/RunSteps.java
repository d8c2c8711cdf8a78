package io.mlestar.show.view;

import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.Scoring;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.StepPath;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// The walk over the steps of runs: outside the engine, everything that goes through steps goes this way. Keeps nothing.
public record RunSteps(Records records) {
    /// All steps of a run, each phase before the steps inside it. The steps of a phase that another run shares with it lie with the other
    /// run, and have its name in their paths.
    public void all(String run, Consumer<StepView> seen) {
        all(StepPath.root(run), seen);
    }

    private void all(StepPath phase, Consumer<StepView> seen) {
        for (KnownStep step : records.below(phase)) {
            seen.accept(StepView.of(step));
            if (step.request().isPhase()) {
                all(step.place(), seen);
            }
        }
    }

    /// As [#all], without the steps of other runs.
    public void own(String run, Consumer<StepView> seen) {
        all(run, step -> {
            if (step.path().run().equals(run)) {
                seen.accept(step);
            }
        });
    }

    /// The scripts right below a phase, in the order in which they were asked for.
    public List<StepView> scripts(StepPath phase) {
        return records.below(phase).stream().filter(step -> step.request().isScript()).map(StepView::of).toList();
    }

    /// The steps right below a phase, in the order in which they were asked for, without those that have a damaged record.
    public List<KnownStep> readable(StepPath phase) {
        return records.readable(phase);
    }

    /// The steps right below a phase, and whether each has ended. One listing; no object is read.
    public Map<StepPath, Boolean> listed(StepPath phase) {
        Map<StepPath, Boolean> listed = new LinkedHashMap<>();
        records.listed(phase).forEach((name, ended) -> listed.put(phase.child(name), ended));
        return listed;
    }

    /// Reads a listed step.
    StepView read(StepPath step, boolean ended) {
        return StepView.of(new KnownStep(step, records.request(step).orElseThrow(), ended ? records.result(step) : Optional.empty()));
    }

    /// The evaluations in a step that has ended. A phase that was ended from outside tells none, and neither do the phases around it: then those in it do.
    Stream<Scoring> evaluations(StepPath step, StepResult ended) {
        if (ended.scorings() != null || !mayBePhase(step)) {
            return Stream.ofNullable(ended.scorings()).flatMap(List::stream);
        }
        return records.below(ended.place(step)).stream().flatMap(below -> below.result().stream().flatMap(result -> evaluations(below.path(), result)));
    }

    /// Whether its name is neither a script's nor an agent's.
    static boolean mayBePhase(StepPath step) {
        return StepRequest.isPhase(step.plainName());
    }
}
