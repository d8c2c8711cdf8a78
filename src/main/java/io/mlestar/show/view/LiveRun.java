package io.mlestar.show.view;

import io.mlestar.core.base.Sha256;
import io.mlestar.core.engine.RunContexts;
import io.mlestar.core.phase.InitialSolution;
import io.mlestar.core.records.LocalLock;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.RunMarks;
import io.mlestar.core.records.Scoring;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Totals;
import io.mlestar.core.records.Walk;
import io.mlestar.core.result.RunFiles;
import io.mlestar.core.result.RunTally;
import io.mlestar.core.step.Facts;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.ModelSettings;
import io.mlestar.core.task.PaperSearch;
import io.mlestar.core.task.StrongSearch;
import io.mlestar.show.render.Formats;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One run as it goes on: its steps and its figures, kept up to date from the store, whichever
/// process does the steps. To find what is new, only the open phases are listed. A phase that has
/// ended tells the cost and the scores in it, and its steps are read when a page shows them. One
/// serves all viewers of a run.
public final class LiveRun {
    /// Looks that come closer together see the same.
    private static final Duration FRESH = Duration.ofMillis(400);

    private static final int LONGEST = 400;

    private final Records records;
    private final RunHeader run;
    private final StepPath root;
    private final KnownRows rows;
    private final UUID reader = UUID.randomUUID();
    /// The steps that had ended at the first look, of which no more than the results were read.
    private final Set<StepPath> endedBefore = new HashSet<>();
    /// Each step of open phases in each state that it was seen in.
    private final Set<StepRow> seen = new HashSet<>();
    private List<StepRow> underWay = new ArrayList<>();
    private RunMarks marks = new RunMarks(List.of());
    private Totals totals = Totals.NOTHING;
    private Instant looked = Instant.MIN;
    private boolean goneThrough;
    /// The figures at its end; null while it goes on.
    private @Nullable RunFigures ended;

    public LiveRun(Records records, RunHeader run) {
        this.records = records;
        this.run = run;
        this.root = run.root();
        this.rows = new KnownRows(records);
    }

    /// The run as it is now, after all its steps were shown to a consumer.
    public static LiveRun read(Records records, RunHeader run, Consumer<StepView> seen) {
        Walk.SHARED.steps(records, run.runId()).map(StepView::of).forEach(seen);
        LiveRun live = new LiveRun(records, run);
        live.update();
        return live;
    }

    public RunHeader run() {
        return run;
    }

    /// Looks at the store, unless that was done a moment ago.
    public synchronized void refresh() {
        Instant now = Instant.now();
        if (looked.plus(FRESH).isBefore(now)) {
            update();
            looked = now;
        }
    }

    /// Makes the next look a fresh one, so that a change shows at once to the user who made it.
    public synchronized void lookAgain() {
        looked = Instant.MIN;
    }

    /// Looks at the store. A run that had ended at the first look is gone through when its scores
    /// are asked for.
    synchronized void update() {
        if (ended != null) {
            return;
        }
        marks = records.marks(run.runId());
        Optional<StepResult> result = marks.hasEnded() ? records.result(root) : Optional.empty();
        if (goneThrough || result.isEmpty()) {
            goThrough();
        }
        // Set last: a viewer that sees the end has seen all that was before it.
        result.ifPresent(end -> {
            ended = ended(end);
            rows.complete();
        });
    }

    /// The result of a run that ended well tells all if every price is known; else its tally does.
    /// A run with a damaged record has none.
    private RunFigures ended(StepResult result) {
        boolean tellsAll = result.isDone() && result.costUsd() != null;
        return RunFigures.ended(run, result, tellsAll
                ? new RunTally.Reached("", "", null, 0)
                : RunTally.of(records.store(), run.runId())
                        .map(RunTally::reached)
                        .orElseGet(this::reached),
                marks.isCancelled());
    }

    /// The scripts that were run for their score in phases that have ended.
    synchronized Collection<Scoring> evaluations() {
        if (!goneThrough) {
            goThrough();
        }
        return rows.evaluations();
    }

    private void goThrough() {
        underWay = new ArrayList<>();
        totals = Totals.NOTHING;
        look(root, !goneThrough);
        goneThrough = true;
    }

    private void look(StepPath phase, boolean first) {
        Map<StepPath, Boolean> listed = new LinkedHashMap<>(rows.listed(phase));
        if (first) {
            KnownRows.sideBySide(listed.keySet().stream().filter(listed::get),
                    step -> Map.entry(step, records.result(step).orElseThrow())).forEach(step -> {
                        endedBefore.add(step.getKey());
                        rows.evaluated(step.getKey(), step.getValue());
                    });
        }
        Map<StepPath, Boolean> shown = new LinkedHashMap<>(listed);
        shown.keySet().removeAll(endedBefore);
        for (StepRow row : rows.of(shown)) {
            seen.add(row);
            if (row.isOpen() && row.isPhase()) {
                look(row.step(), first);
            } else if (row.isOpen()) {
                underWay.add(row);
            }
        }
        totals = listed.keySet().stream().map(rows::totals).reduce(totals, Totals::and);
    }

    /// Another one after each look that has found something new, and another one for each reader of
    /// the same run.
    public synchronized String version() {
        String found =
                reader + " " + seen.size() + " " + new TreeSet<>(marks.names()) + " " + figures();
        return Sha256.hex(found.getBytes(StandardCharsets.UTF_8));
    }

    /// The steps right below a phase, in order; `phase` is a row's place.
    public List<StepRow> below(StepPath phase) {
        return below(List.of(phase), Integer.MAX_VALUE).getFirst().orElseThrow();
    }

    /// Steps of several phases. A phase with more than `most` steps is left empty and not read.
    synchronized List<Optional<List<StepRow>>> below(List<StepPath> phases, int most) {
        return rows.below(phases, most);
    }

    /// One step; empty if there is none of that path.
    public synchronized Optional<StepRow> row(StepPath step) {
        return rows.of(step);
    }

    /// Names of the published files that are in its folder.
    public synchronized List<String> files() {
        return RunFiles.FILES.stream().filter(marks.names()::contains).sorted().toList();
    }

    public synchronized boolean hasEnded() {
        return ended != null;
    }

    /// The steps that are being done or waited for; none once the run has ended.
    public synchronized List<StepRow> underWay() {
        return ended != null ? List.of() : underWay.stream().sorted(StepRow.IN_ORDER).toList();
    }

    /// The score over time, up to now.
    synchronized RunCurve curve(Instant now) {
        Instant end = ended == null ? now : ended.endedAt().orElseThrow();
        return new RunCurve(run, evaluations(), below(root), end);
    }

    /// The score over time, as SVG.
    ///
    /// @param linked whether its points lead to the pages of their steps
    public synchronized String curve(Instant now, boolean linked) {
        return curve(now).svg(linked);
    }

    /// The number of scripts that were run for their score.
    public synchronized int evaluationCount() {
        return evaluations().size();
    }

    /// The number of these that gave a score.
    public synchronized long scoredCount() {
        return evaluations().stream().filter(one -> one.score() != null).count();
    }

    /// The address of its store.
    public String store() {
        return records.store().address("");
    }

    /// True if the answers come from a recording, and not from a model.
    public boolean isRecorded() {
        return ModelSettings.isRecorded(run.config().models().model());
    }

    /// The limits that hold now.
    public synchronized RunLimits limits() {
        return RunLimits.of(records, run, marks);
    }

    /// The machine of its scripts: as one of them saw it, or else as the run's start described it.
    public String machine() {
        return RunContexts.facts(records, run.runId())
                .filter(facts -> facts.machine().isKnown())
                .map(facts -> String.join(", ", facts.machine().inWords()))
                .orElse(run.hardware());
    }

    /// The numbers of its search.
    public String search() {
        return switch (run.config().search()) {
            case PaperSearch paper ->
                paper.numRetrievedModels() + " models, " + paper.numParallelSolutions()
                        + " paths of " + paper.outerLoopSteps()
                        + " blocks with " + paper.innerLoopSteps() + " attempts each, "
                        + paper.plannedEnsembles()
                        + " ensemble rounds";
            case StrongSearch strong ->
                strong.numRetrievedModels() + " models, " + strong.attempts() + " attempts on "
                        + strong.numParallelSolutions()
                        + " paths, a blend";
        };
    }

    /// Says in a line what computes its scores; see [Facts#scoredBy].
    public String scoredBy() {
        return scoredBy(records, run.runId());
    }

    public static String scoredBy(Records records, String run) {
        return Formats.line(RunContexts.facts(records, run).map(Facts::scoredBy).orElse(""),
                LONGEST);
    }

    /// The progress that its steps show.
    private RunTally.Reached reached() {
        List<StepRow> phases = below(root);
        Optional<StepRow> last =
                phases.isEmpty() ? Optional.empty() : Optional.of(phases.getLast());
        Phase<?> first = new InitialSolution();
        return new RunTally.Reached(last.map(StepRow::part).orElse(first.part()),
                last.map(StepRow::title).orElse(first.title()),
                best().map(Scoring::score).orElse(null), totals.knownUsd());
    }

    private Optional<Scoring> best() {
        return run.task().metricDirection().best(evaluations(), Scoring::score);
    }

    public synchronized RunFigures figures() {
        if (ended != null) {
            return ended;
        }
        Optional<String> halted = records.halted(run.runId(), marks);
        return RunFigures.open(run,
                RunStatus.of(Optional.empty(), halted.isPresent(),
                        () -> LocalLock.isLeft(records, run)),
                reached(),
                best().map(Scoring::error).orElse(null), totals.priced(),
                marks.isCancelled(), halted.orElse(null));
    }
}
