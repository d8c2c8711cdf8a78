package io.mlestar.view;

import io.mlestar.agent.Agents;
import io.mlestar.engine.Briefs;
import io.mlestar.llm.Models;
import io.mlestar.phase.InitialSolution;
import io.mlestar.phase.Pipeline;
import io.mlestar.records.KnownStep;
import io.mlestar.records.Records;
import io.mlestar.records.RunHeader;
import io.mlestar.records.RunMarks;
import io.mlestar.records.StepResult;
import io.mlestar.step.Phase;
import io.mlestar.step.RunScript;
import io.mlestar.step.StepPath;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Gatherers;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One run as it goes on: its steps and its figures, kept up to date from the store, whichever process does them. Nothing in a store
/// changes, so each object is read once at most; to find what is new, only the open phases are listed. Of phases that have
/// ended, only the scores are read, until somebody looks into them. One serves all viewers of a run.
public final class LiveRun {
    /// Looks that come closer together see the same.
    private static final Duration FRESH = Duration.ofMillis(400);
    static final String COMPLETE = "complete";
    /// How many records are read side by side: in a bucket each is a round trip.
    private static final int AT_ONCE = 12;

    private final Records records;
    private final RunHeader run;
    private final StepPath root;
    private final Map<StepPath, StepRow> rows = new HashMap<>();
    private final Set<StepPath> gathered = new HashSet<>();
    /// What lies below the phases that somebody looked into once the run had ended: nothing is added any more.
    private final Map<StepPath, Map<String, Boolean>> listings = new HashMap<>();
    private final List<StepRow> evaluations = new ArrayList<>();
    private final List<StepRow> news = new ArrayList<>();
    private List<StepRow> underWay = new ArrayList<>();
    private RunMarks marks = new RunMarks(List.of());
    private double cost;
    private boolean priced;
    private Instant looked = Instant.MIN;
    private boolean goneThrough;
    private Optional<End> end = Optional.empty();

    /// How the run ended; the score is null if it failed.
    private record End(StepResult result, @Nullable Double score) {
        static End of(StepResult result) {
            return new End(result, result instanceof StepResult.Done done ? done.of(new Pipeline()).bestScore() : null);
        }
    }

    public LiveRun(Records records, RunHeader run) {
        this.records = records;
        this.run = run;
        this.root = StepPath.root(run.runId());
    }

    /// The run as it is now, for those who need all its steps: each is read once, and shown to somebody.
    public static LiveRun read(Records records, RunHeader run, Consumer<StepView> seen) {
        LiveRun live = new LiveRun(records, run);
        new RunSteps(records, run.runId()).forEach(step -> {
            live.keep(StepRow.of(step));
            if (step.step() instanceof Phase<?> && step.result().isPresent()) {
                live.gathered.add(step.known().place());
            }
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
        Optional<End> ended = marks.hasEnded() ? records.result(root).map(End::of) : Optional.empty();
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
        goneThrough = true;
        underWay = new ArrayList<>();
        cost = 0;
        priced = true;
        look(root);
    }

    private void look(StepPath phase) {
        records.listed(phase).forEach((name, ended) -> {
            StepRow row = row(phase.child(name), ended);
            if (ended) {
                cost += row.costUsd() == null ? 0 : row.costUsd();
                priced &= row.costUsd() != null;
                if (row.isPhase()) {
                    gather(row.place());
                }
            } else if (row.isPhase()) {
                look(row.path());
            } else {
                underWay.add(row);
            }
        });
    }

    /// Reads the scores of a phase that has ended, once. The names tell its scripts and its agents from its phases.
    private void gather(StepPath phase) {
        if (!gathered.contains(phase)) {
            Map<String, Boolean> steps = records.listed(phase);
            List<StepPath> ended = steps.entrySet().stream().filter(Map.Entry::getValue).map(step -> phase.child(step.getKey()))
                    .filter(step -> !isKnown(step, true) && (rows.containsKey(step) || RunScript.NAMES.contains(step.plainName()))).toList();
            ended.stream().gather(Gatherers.mapConcurrent(AT_ONCE, step -> read(step, true))).forEach(this::keep);
            steps.keySet().stream().map(phase::child)
                    .filter(step -> !RunScript.NAMES.contains(step.plainName()) && !Agents.BY_NAME.containsKey(step.plainName()))
                    .forEach(this::gather);
            gathered.add(phase);
            if (steps.isEmpty()) {
                // The result may be another run's, and the steps there.
                row(phase).map(StepRow::place).filter(place -> !place.equals(phase)).ifPresent(this::gather);
            }
        }
    }

    private List<StepRow> evaluations() {
        return whole().evaluations;
    }

    private boolean isKnown(StepPath step, boolean ended) {
        StepRow known = rows.get(step);
        return known != null && known.isOpen() != ended;
    }

    private StepRow row(StepPath step, boolean ended) {
        StepRow known = rows.get(step);
        return known != null && known.isOpen() != ended ? known : keep(read(step, ended));
    }

    private StepRow read(StepPath step, boolean ended) {
        return StepRow.of(StepView.of(new KnownStep(step, records.request(step).orElseThrow(),
                ended ? records.result(step) : Optional.empty())));
    }

    private StepRow keep(StepRow row) {
        rows.put(row.path(), row);
        if (!row.path().parent().filter(gathered::contains).isPresent()) {
            news.add(row);
        }
        if (row.isEvaluation()) {
            evaluations.add(row);
        }
        return row;
    }

    /// How many pieces of news there have been.
    public synchronized int newsCount() {
        return news.size();
    }

    /// What was learned since there were `count` pieces of news.
    public synchronized List<StepRow> newsSince(int count) {
        return List.copyOf(news.subList(Math.min(count, news.size()), news.size()));
    }

    private Map<String, Boolean> listed(StepPath phase) {
        return hasEnded() ? listings.computeIfAbsent(phase, records::listed) : records.listed(phase);
    }

    /// The steps right below a phase, in order; `phase` is a row's place.
    public synchronized List<StepRow> below(StepPath phase) {
        List<StepRow> below = new ArrayList<>();
        listed(phase).forEach((name, ended) -> below.add(row(phase.child(name), ended)));
        below.sort(StepRow.IN_ORDER);
        return below;
    }

    /// How many steps there are right below a phase.
    public synchronized int count(StepPath phase) {
        return listed(phase).size();
    }

    /// One step; empty if there is none of that path.
    public synchronized Optional<StepRow> row(StepPath step) {
        StepRow known = rows.get(step);
        if (known != null && !known.isOpen()) {
            return Optional.of(known);
        }
        boolean ended = records.result(step).isPresent();
        return ended || records.request(step).isPresent() ? Optional.of(row(step, ended)) : Optional.empty();
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
        return Timeline.of(run, Stream.concat(below(root).stream(), evaluations().stream()).toList(),
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
        return evaluations().stream().filter(row -> row.score() == null).count();
    }

    /// Whether no language model stands behind the answers.
    public boolean isRecorded() {
        return Models.isRecorded(run.config().model());
    }

    /// The limits that hold now.
    public synchronized RunLimits limits(Instant now) {
        return RunLimits.of(records, run, marks, end.map(ended -> ended.result().endedAt()).orElse(now));
    }

    /// Where its scripts run: as one of them saw it, or before that as was thought when it began.
    public String machine() {
        return Briefs.facts(records, run.runId()).filter(facts -> facts.machine().isKnown())
                .map(facts -> String.join(", ", facts.machine().inWords())).orElse(run.hardware());
    }

    /// The last one that was asked for.
    private StepRow.Named phase() {
        List<StepRow> phases = below(root);
        return phases.isEmpty() ? StepRow.Named.of(new InitialSolution()) : Objects.requireNonNull(phases.getLast().phase());
    }

    public synchronized RunFigures figures() {
        Optional<StepResult> ended = end.map(End::result);
        Optional<String> halted = ended.isPresent() ? Optional.empty() : records.halted(run.runId(), marks);
        RunStatus status = RunStatus.of(ended, halted.isPresent(), marks.standsStill());
        StepRow.Named phase = status == RunStatus.COMPLETED ? new StepRow.Named(new Pipeline().title(), COMPLETE) : phase();
        Double score = end.map(End::score).or(() -> run.task().metricDirection().best(evaluations(), StepRow::score).map(StepRow::score)).orElse(null);
        Double spent = ended.isPresent() ? ended.get().costUsd() : priced ? Double.valueOf(cost) : null;
        return new RunFigures(run.runId(), run.task().competitionId(), status, phase.part(), phase.title(),
                score, spent, spent == null ? cost : spent, run.startedAt(), ended.map(StepResult::endedAt).orElse(null),
                marks.isCancelled(), ended.map(StepResult::reason).or(() -> halted).orElse(null));
    }
}
