package io.mlestar.show.view;

import io.mlestar.core.engine.RunContexts;
import io.mlestar.core.phase.InitialSolution;
import io.mlestar.core.phase.Pipeline;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.RunMarks;
import io.mlestar.core.records.Scoring;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.result.Published;
import io.mlestar.core.result.RunTally;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.Store;
import io.mlestar.core.task.PipelineConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Gatherers;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// One run as it goes on: its steps and its figures, kept up to date from the store, whichever process does them. Nothing in a store
/// changes, so each object is read once at most; to find what is new, only the open phases are listed. Phases that have
/// ended tell the scores in them, and are not read before somebody looks into them. One serves all viewers of a run.
public final class LiveRun {
    /// Looks that come closer together see the same.
    private static final Duration FRESH = Duration.ofMillis(400);
    static final String COMPLETE = "complete";

    private final Records records;
    private final RunHeader run;
    private final StepPath root;
    private final StepRows rows;
    /// What lies below the phases that somebody looked into once the run had ended: nothing is added any more.
    private final Map<StepPath, Map<String, Boolean>> listings = new HashMap<>();
    private List<StepRow> underWay = new ArrayList<>();
    private RunMarks marks = new RunMarks(List.of());
    private double cost;
    private boolean priced;
    private Instant looked = Instant.MIN;
    private boolean goneThrough;
    private Optional<End> end = Optional.empty();

    /// How the run ended.
    ///
    /// @param score null if it failed
    /// @param counted the figures that its result does not tell, if they were counted; empty if it tells all
    private record End(StepResult result, @Nullable Double score, Optional<RunFigures> counted) {
        static End of(Records records, RunHeader run, StepResult result) {
            Double score = result instanceof StepResult.Done done ? done.of(new Pipeline()).bestScore() : null;
            return new End(result, score, result instanceof StepResult.Done && result.costUsd() != null ? Optional.empty()
                    : RunTally.of(records.store(), run.runId()).flatMap(tally -> RunFigures.ended(run, result, tally)));
        }
    }

    public LiveRun(Records records, RunHeader run) {
        this.records = records;
        this.run = run;
        this.root = StepPath.root(run.runId());
        this.rows = new StepRows(records);
    }

    /// The run as it is now, for those who need all its steps: each is read once, and shown to somebody.
    public static LiveRun read(Records records, RunHeader run, Consumer<StepView> seen) {
        LiveRun live = new LiveRun(records, run);
        new RunSteps(records).all(run.runId(), step -> {
            live.rows.seen(step);
            seen.accept(step);
        });
        live.update();
        return live.whole();
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

    /// Lets the next look be a fresh one: whoever has just changed something shall see it.
    public synchronized void lookAgain() {
        looked = Instant.MIN;
    }

    /// Looks at the store. A run that had ended at the first look is gone through when its scores are asked for.
    synchronized void update() {
        if (end.isPresent()) {
            return;
        }
        marks = records.marks(run.runId());
        Optional<End> ended = marks.hasEnded() ? records.result(root).map(result -> End.of(records, run, result)) : Optional.empty();
        if (goneThrough || ended.isEmpty()) {
            goThrough();
        }
        // Said last: whoever sees the end has seen all that was before it.
        end = ended;
    }

    /// Makes sure that all scores, and what is known of the cost, are read.
    private synchronized LiveRun whole() {
        if (!goneThrough) {
            goThrough();
        }
        return this;
    }

    private void goThrough() {
        boolean first = !goneThrough;
        goneThrough = true;
        underWay = new ArrayList<>();
        cost = 0;
        priced = true;
        look(root, first);
    }

    private void look(StepPath phase, boolean first) {
        Map<String, Boolean> steps = records.listed(phase);
        Map<String, StepRows.Total> totals = rows.totals(phase, steps, first);
        List<StepPath> ended = new ArrayList<>();
        totals.values().forEach(total -> {
            paid(total.costUsd());
            ended.add(total.place());
        });
        steps.keySet().removeAll(totals.keySet());
        for (StepRow row : rows.of(phase, steps)) {
            if (row.isOpen() && row.isPhase()) {
                look(row.path(), first);
            } else if (row.isOpen()) {
                underWay.add(row);
            } else {
                paid(row.costUsd());
                if (row.isPhase()) {
                    ended.add(row.place());
                }
            }
        }
        rows.gather(ended);
    }

    private void paid(@Nullable Double usd) {
        cost += usd == null ? 0 : usd;
        priced &= usd != null;
    }

    private Collection<Scoring> evaluations() {
        return whole().rows.evaluations();
    }

    /// How many pieces of news there have been.
    public synchronized int newsCount() {
        return rows.news().size();
    }

    /// What was learned since there were `count` pieces of news.
    public synchronized List<StepRow> newsSince(int count) {
        List<StepRow> news = rows.news();
        return List.copyOf(news.subList(Math.min(count, news.size()), news.size()));
    }

    private List<Map<String, Boolean>> listed(List<StepPath> phases) {
        if (!hasEnded()) {
            return phases.stream().gather(Gatherers.mapConcurrent(Store.AT_ONCE, records::listed)).toList();
        }
        phases.stream().filter(phase -> !listings.containsKey(phase)).distinct()
                .gather(Gatherers.mapConcurrent(Store.AT_ONCE, phase -> Map.entry(phase, records.listed(phase))))
                .forEach(listing -> listings.put(listing.getKey(), listing.getValue()));
        return phases.stream().map(listings::get).toList();
    }

    /// The steps right below a phase, in order; `phase` is a row's place.
    public List<StepRow> below(StepPath phase) {
        return below(List.of(phase), Integer.MAX_VALUE).getFirst().orElseThrow();
    }

    /// The same of several phases, which are looked at side by side; empty for one that has more steps than `most`, none of which is read then.
    synchronized List<Optional<List<StepRow>>> below(List<StepPath> phases, int most) {
        List<Map<String, Boolean>> listed = listed(phases);
        Map<StepPath, Boolean> shown = new LinkedHashMap<>();
        for (int i = 0; i < phases.size(); i++) {
            if (listed.get(i).size() <= most) {
                shown.putAll(StepRows.paths(phases.get(i), listed.get(i)));
            }
        }
        rows.read(shown);
        return IntStream.range(0, phases.size()).mapToObj(i -> listed.get(i).size() > most ? Optional.<List<StepRow>>empty()
                : Optional.of(rows.of(phases.get(i), listed.get(i)).stream().sorted(StepRow.IN_ORDER).toList())).toList();
    }

    /// One step; empty if there is none of that path.
    public synchronized Optional<StepRow> row(StepPath step) {
        return rows.row(step);
    }

    /// Which of the files that people look for there are in its folder.
    public synchronized List<String> files() {
        return Published.FILES.stream().filter(marks.names()::contains).sorted().toList();
    }

    public synchronized boolean hasEnded() {
        return end.isPresent();
    }

    /// What is being done or waited for; nothing once the run has ended.
    public synchronized List<StepRow> underWay() {
        return end.isPresent() ? List.of() : underWay.stream().sorted(StepRow.IN_ORDER).toList();
    }

    /// Its evaluations, and when its phases ran.
    synchronized Timeline timeline(Instant now) {
        return Timeline.of(run, below(root), evaluations(),
                end.map(ended -> ended.result().endedAt()).orElse(now));
    }

    /// The curve, as SVG.
    ///
    /// @param linked whether its points lead to the pages of their steps
    public String curve(Instant now, boolean linked) {
        return timeline(now).curve(run.task().metricDirection(), linked);
    }

    /// How many scripts were run for their score.
    public synchronized int evaluationCount() {
        return evaluations().size();
    }

    /// How many of them gave none.
    public synchronized long failureCount() {
        return evaluations().stream().filter(one -> one.score() == null).count();
    }

    /// Whether no language model stands behind the answers.
    public boolean isRecorded() {
        return PipelineConfig.isRecorded(run.config().model());
    }

    /// The limits that hold now.
    public synchronized RunLimits limits(Instant now) {
        return RunLimits.of(records, run, marks, end.map(ended -> ended.result().endedAt()).orElse(now));
    }

    /// Where its scripts run: as one of them saw it, or before that as was thought when it began.
    public String machine() {
        return RunContexts.facts(records, run.runId()).filter(facts -> facts.machine().isKnown())
                .map(facts -> String.join(", ", facts.machine().inWords())).orElse(run.hardware());
    }

    /// The last one that was asked for.
    private StepRow.Named phase() {
        List<StepRow> phases = below(root);
        return phases.isEmpty() ? StepRow.Named.of(new InitialSolution()) : Objects.requireNonNull(phases.getLast().phase());
    }

    public synchronized RunFigures figures() {
        return end.flatMap(End::counted).orElseGet(this::figuresOfSteps);
    }

    private RunFigures figuresOfSteps() {
        Optional<StepResult> ended = end.map(End::result);
        Optional<String> halted = ended.isPresent() ? Optional.empty() : records.halted(run.runId(), marks);
        RunStatus status = RunStatus.of(ended, halted.isPresent(), marks.standsStill());
        StepRow.Named phase = status == RunStatus.COMPLETED ? new StepRow.Named(new Pipeline().title(), COMPLETE) : phase();
        Double score = end.map(End::score).or(() -> run.task().metricDirection().best(evaluations(), Scoring::score).map(Scoring::score)).orElse(null);
        Double spent = ended.isPresent() ? ended.get().costUsd() : priced ? Double.valueOf(cost) : null;
        return new RunFigures(run.runId(), run.task().competitionId(), status, phase.part(), phase.title(),
                score, spent, spent == null ? cost : spent, run.startedAt(), ended.map(StepResult::endedAt).orElse(null),
                marks.isCancelled(), ended.map(StepResult::reason).or(() -> halted).orElse(null));
    }
}
