package io.mlestar.show.view;

import io.mlestar.core.records.Records;
import io.mlestar.core.records.Scoring;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Totals;
import io.mlestar.core.records.Walk;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.Store;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Gatherers;
import java.util.stream.Stream;

/// The rows of a run's steps that were looked at, and the evaluations that phases among them told.
/// Parsed rows are kept, since the page of a run that goes on is made again each second, and
/// parsing all records that it shows takes a third of a second of processor time for a run of 2,000
/// attempts. For one thread at a time.
final class KnownRows {
    private final Records records;
    private final Map<StepPath, StepRow> rows = new HashMap<>();
    private final Map<StepPath, Scoring> evaluations = new LinkedHashMap<>();
    private final Map<StepPath, Map<StepPath, Boolean>> listings = new ConcurrentHashMap<>();
    private final Map<StepPath, Totals> totals = new HashMap<>();
    private boolean complete;

    KnownRows(Records records) {
        this.records = records;
    }

    /// Notes that nothing will be added any more, so that each phase is listed once from now on.
    void complete() {
        complete = true;
    }

    Map<StepPath, Boolean> listed(StepPath phase) {
        return complete ? listings.computeIfAbsent(phase, records::listed) : records.listed(phase);
    }

    Collection<Scoring> evaluations() {
        return evaluations.values();
    }

    /// The totals of a step; nothing if it has not ended.
    Totals totals(StepPath step) {
        return totals.getOrDefault(step, Totals.NOTHING);
    }

    void evaluated(StepPath step, StepResult result) {
        Walk.scorings(records, step, result)
                .forEach(one -> evaluations.putIfAbsent(one.path(), one));
        Optional.ofNullable(Totals.of(step, result))
                .ifPresent(totals -> this.totals.put(step, totals));
    }

    /// In a bucket each read is a round trip.
    static <T, R> List<R> sideBySide(Stream<T> all, Function<T, R> read) {
        return all.gather(Gatherers.mapConcurrent(Store.AT_ONCE, read)).toList();
    }

    /// The listed steps; those are read that are not known as they are now.
    List<StepRow> of(Map<StepPath, Boolean> listed) {
        sideBySide(listed.entrySet().stream().filter(step -> isNew(step.getKey(), step.getValue())),
                step -> StepView.of(records.read(step.getKey(), step.getValue())))
                .forEach(this::keep);
        return listed.keySet().stream().map(rows::get).toList();
    }

    private boolean isNew(StepPath step, boolean hasEnded) {
        StepRow known = rows.get(step);
        return known == null || known.isOpen() && hasEnded;
    }

    private StepRow keep(StepView step) {
        StepRow row = StepRow.of(step);
        rows.put(row.step(), row);
        step.result().ifPresent(result -> evaluated(step.path(), result));
        return row;
    }

    /// Empty if there is no such step.
    Optional<StepRow> of(StepPath step) {
        StepRow known = rows.get(step);
        return known != null && !known.isOpen()
                ? Optional.of(known)
                : records.known(step).map(StepView::of).map(this::keep);
    }

    /// The steps right below each of several phases, in order. A phase with more than `most` steps
    /// is left empty and not read.
    List<Optional<List<StepRow>>> below(List<StepPath> phases, int most) {
        List<Map<StepPath, Boolean>> listed = sideBySide(phases.stream(), this::listed);
        Map<StepPath, Boolean> shown = new HashMap<>();
        listed.stream().filter(below -> below.size() <= most).forEach(shown::putAll);
        of(shown);
        return listed.stream()
                .map(below -> below.size() > most
                        ? Optional.<List<StepRow>>empty()
                        : Optional.of(of(below).stream().sorted(StepRow.IN_ORDER).toList()))
                .toList();
    }
}
