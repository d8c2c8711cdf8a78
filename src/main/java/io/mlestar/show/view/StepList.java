package io.mlestar.show.view;

import io.mlestar.core.step.StepPath;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// A part of the steps right below a phase: what a page shows at once, whatever the size of the
/// run.
///
/// @param shown in order
/// @param earlier how many come before them
public record StepList(StepPath phase, List<StepRow> shown, int earlier) {
    public static final int MOST = 100;
    /// A phase with more steps than this is shown closed at first.
    private static final int OPENED = 24;

    /// The steps before number `before`, or the last ones.
    public static StepList of(LiveRun run, StepPath phase, int before) {
        return of(phase, run.below(phase), before);
    }

    private static StepList of(StepPath phase, List<StepRow> all, int before) {
        int end = Math.clamp(before, 0, all.size());
        int start = Math.max(0, end - MOST);
        return new StepList(phase, all.subList(start, end), start);
    }

    /// A phase right below the run.
    ///
    /// @param steps empty if there are too many to show at first
    public record Branch(StepRow row, Optional<StepList> steps) {}

    /// The first two levels of a run.
    public static List<Branch> branches(LiveRun run) {
        List<StepRow> top = run.below(StepPath.root(run.run().runId()));
        List<Optional<List<StepRow>>> below =
                run.below(top.stream().map(StepRow::place).toList(), OPENED);
        return IntStream.range(0, top.size())
                .mapToObj(i -> new Branch(top.get(i),
                        below.get(i).map(steps -> of(top.get(i).place(), steps, OPENED))))
                .toList();
    }
}
