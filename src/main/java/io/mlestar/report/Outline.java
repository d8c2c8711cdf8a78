package io.mlestar.report;

import io.mlestar.engine.Records;
import io.mlestar.engine.RunHeader;
import io.mlestar.engine.Scored;
import io.mlestar.engine.StepResult.Status;
import io.mlestar.engine.StepResult;
import io.mlestar.llm.Models;
import io.mlestar.report.ScoreCurve.Point;
import io.mlestar.report.ScoreCurve.Span;
import io.mlestar.step.StepPath;
import io.mlestar.view.Words;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// What the steps of one run look like, kept up to date from the store, whichever process does them. Nothing in a store
/// changes, so each object is read once at most; to find what is new, only the open phases are listed. Of phases that have
/// ended, only the scores are read, until somebody looks into them. One outline serves all viewers of a run.
public final class Outline {
    /// Looks that come closer together see the same.
    private static final Duration FRESH = Duration.ofMillis(400);

    private final Records records;
    private final RunHeader run;
    private final StepPath root;
    private final Map<StepPath, StepRow> rows = new HashMap<>();
    private final Set<StepPath> gathered = new HashSet<>();
    private final List<StepRow> evaluations = new ArrayList<>();
    private final List<StepRow> news = new ArrayList<>();
    private List<StepRow> underWay = new ArrayList<>();
    private double cost;
    private boolean priced;
    private Instant looked = Instant.MIN;
    private boolean goneThrough;
    private Optional<End> end = Optional.empty();

    /// How the run ended.
    private record End(boolean done, Instant at, String reason, Double score, Double costUsd) {
        static End of(StepResult result) {
            return new End(result.status() == Status.DONE, result.endedAt(), result.reason(), Scored.of(result), result.costUsd());
        }
    }

    public Outline(Records records, RunHeader run) {
        this.records = records;
        this.run = run;
        this.root = StepPath.root(run.runId());
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

    /// Looks at the store. A run that had ended at the first look is gone through when its scores are asked for.
    synchronized void update() {
        if (end.isPresent()) {
            return;
        }
        Optional<End> ended = records.result(root).map(End::of);
        if (goneThrough || ended.isEmpty()) {
            goThrough();
        }
        // Said last: whoever sees the end has seen all that was before it.
        end = ended;
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

    /// Reads the scores of a phase that has ended, once.
    private void gather(StepPath phase) {
        if (!gathered.contains(phase)) {
            Map<String, Boolean> steps = records.listed(phase);
            steps.forEach((name, ended) -> {
                StepPath step = phase.child(name);
                if (ended && (rows.containsKey(step) || StepRow.isScript(step))) {
                    row(step, true);
                }
                if (!StepRow.isAgent(step) && !StepRow.isScript(step)) {
                    gather(step);
                }
            });
            gathered.add(phase);
            if (steps.isEmpty()) {
                // The result may be another run's, and the steps there.
                row(phase).map(StepRow::place).filter(place -> !place.equals(phase)).ifPresent(this::gather);
            }
        }
    }

    private List<StepRow> evaluations() {
        if (!goneThrough) {
            goThrough();
        }
        return evaluations;
    }

    private StepRow row(StepPath step, boolean ended) {
        StepRow known = rows.get(step);
        if (known != null && known.isOpen() != ended) {
            return known;
        }
        StepRow row = ended ? StepRow.ended(step, records.result(step).orElseThrow())
                : StepRow.underWay(step, records.request(step).orElseThrow());
        rows.put(step, row);
        if (!step.parent().filter(gathered::contains).isPresent()) {
            news.add(row);
        }
        if (ended && Scored.isOfSolution(step) && row.state() != StepRow.State.LEFT_OUT) {
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

    /// The steps right below a phase, in order; `phase` is a row's place.
    public synchronized List<StepRow> below(StepPath phase) {
        List<StepRow> below = new ArrayList<>();
        records.listed(phase).forEach((name, ended) -> below.add(row(phase.child(name), ended)));
        below.sort(StepRow.IN_ORDER);
        return below;
    }

    /// How many steps there are right below a phase.
    public int count(StepPath phase) {
        return records.listed(phase).size();
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

    /// The curve, as SVG.
    public synchronized String curve(Instant now) {
        return ScoreCurve.svg(evaluations().stream().sorted(Comparator.comparing(StepRow::endedAt))
                .map(row -> new Point(since(row.endedAt()), row.score(), row.path().inside())).toList(), spans(now),
                run.task().metricDirection());
    }

    /// When the phases ran; the paths of Phase 2 are one.
    private List<Span> spans(Instant now) {
        Map<String, Span> spans = new LinkedHashMap<>();
        Instant last = end.map(End::at).orElse(now);
        for (StepRow phase : below(root)) {
            String name = Course.phaseName(phase.path().name());
            spans.merge(name, new Span(name, since(phase.startedAt()), since(Objects.requireNonNullElse(phase.endedAt(), last))), Span::around);
        }
        return List.copyOf(spans.values());
    }

    private double since(Instant moment) {
        return Math.max(0, Duration.between(run.startedAt(), moment).toMillis() / 1000.0);
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

    public int limitSeconds() {
        return run.config().timeLimitSeconds();
    }

    public String limitWords() {
        return Words.duration(limitSeconds());
    }

    public String timeLeft(Instant now) {
        return Words.duration(Math.max(0, Duration.between(now, run.deadline()).toMillis() / 1000.0));
    }

    public String budgetWords() {
        return Words.dollars(run.config().maxBudgetUsd());
    }

    public String moneyLeft() {
        return Words.dollars(Math.max(0, run.config().maxBudgetUsd() - figures().knownCostUsd()));
    }

    private Double best() {
        Double best = null;
        for (StepRow row : evaluations()) {
            best = Scored.better(run.task().metricDirection(), best, row.score());
        }
        return best;
    }

    public synchronized RunFigures figures() {
        String status = end.map(ended -> ended.done() ? "completed" : "failed").orElse("running");
        List<StepRow> phases = below(root);
        String phase = status.equals("completed") ? "complete"
                : phases.isEmpty() ? "phase1" : Course.phase(phases.getLast().path().name());
        Double score = end.map(End::score).orElseGet(this::best);
        Double spent = end.isPresent() ? end.get().costUsd() : priced ? Double.valueOf(cost) : null;
        return new RunFigures(run.runId(), run.task().competitionId(), status, phase, score, spent, spent == null ? cost : spent,
                run.startedAt(), end.map(End::at).orElse(null),
                records.isCancelled(run.runId()), end.isPresent() ? null : records.halted(run.runId()).orElse(null),
                end.map(End::reason).orElse(null));
    }
}
