package io.mlestar.show.view;

import io.mlestar.core.agent.Agents;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.Scoring;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.Store;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Gatherers;
import org.jspecify.annotations.Nullable;

/// The steps of a run that somebody has looked at, each read once, and side by side where there are many: in a bucket each is a round trip. For one thread
/// at a time.
final class StepRows {
    private final Records records;
    private final Map<StepPath, StepRow> rows = new HashMap<>();
    private final Map<StepPath, Total> totals = new HashMap<>();
    private final Set<StepPath> gathered = new HashSet<>();
    private final Map<StepPath, Scoring> evaluations = new LinkedHashMap<>();
    private final List<StepRow> news = new ArrayList<>();

    /// What the result of a phase tells of all that is in it.
    ///
    /// @param costUsd null if a price is unknown
    /// @param place where the steps in it lie
    record Total(@Nullable Double costUsd, StepPath place) {}

    StepRows(Records records) {
        this.records = records;
    }

    /// The scripts that were run for their score, as far as the phases that ran them have ended and were looked at.
    Collection<Scoring> evaluations() {
        return Collections.unmodifiableCollection(evaluations.values());
    }

    /// What was learned, in order: of steps inside phases that had ended only their scores.
    List<StepRow> news() {
        return Collections.unmodifiableList(news);
    }

    /// Takes in a step that somebody else has read, and who will bring all that are inside it.
    void seen(StepView step) {
        StepRow row = keep(step);
        if (row.isPhase() && !row.isOpen()) {
            gather(List.of(row.place()));
        }
    }

    /// The phases right below one that had ended when somebody looked for the first time: of them only the results are read, side by side, until somebody
    /// looks at their rows.
    ///
    /// @return by name
    Map<String, Total> totals(StepPath phase, Map<String, Boolean> listed, boolean first) {
        if (first) {
            listed.entrySet().stream().filter(Map.Entry::getValue).map(step -> phase.child(step.getKey()))
                    .filter(step -> mayBePhase(step) && !rows.containsKey(step))
                    .gather(Gatherers.mapConcurrent(Store.AT_ONCE, step -> Map.entry(step, records.result(step).orElseThrow())))
                    .forEach(step -> keep(step.getKey(), step.getValue()));
        }
        Map<String, Total> found = new LinkedHashMap<>();
        listed.keySet().forEach(name -> Optional.ofNullable(totals.get(phase.child(name))).ifPresent(total -> found.put(name, total)));
        return found;
    }

    private void keep(StepPath phase, StepResult ended) {
        totals.put(phase, new Total(ended.costUsd(), ended.place(phase)));
        told(ended.place(phase), ended);
    }

    /// By its name: neither a script nor an agent.
    static boolean mayBePhase(StepPath step) {
        return !RunScript.NAMES.contains(step.plainName()) && !Agents.BY_NAME.containsKey(step.plainName());
    }

    /// Reads the scores of phases that have ended and do not tell them, once, level by level and each level side by side: older programs ended them. The
    /// names tell scripts and agents from phases.
    void gather(List<StepPath> phases) {
        List<StepPath> unknown = phases.stream().filter(phase -> !gathered.contains(phase)).distinct().toList();
        if (unknown.isEmpty()) {
            return;
        }
        List<Map<String, Boolean>> steps = unknown.stream().gather(Gatherers.mapConcurrent(Store.AT_ONCE, records::listed)).toList();
        Map<StepPath, Map<String, Boolean>> scripts = new LinkedHashMap<>();
        List<StepPath> below = new ArrayList<>();
        for (int i = 0; i < unknown.size(); i++) {
            StepPath phase = unknown.get(i);
            steps.get(i).forEach((name, ended) -> {
                StepPath step = phase.child(name);
                if (ended && RunScript.NAMES.contains(step.plainName())) {
                    scripts.computeIfAbsent(phase, first -> new LinkedHashMap<>()).put(name, true);
                }
                if (mayBePhase(step)) {
                    below.add(step);
                }
            });
            if (steps.get(i).isEmpty()) {
                // The result may be another run's, and the steps there.
                row(phase).map(StepRow::place).filter(place -> !place.equals(phase)).ifPresent(below::add);
            }
        }
        scripts.entrySet().stream().gather(Gatherers.mapConcurrent(Store.AT_ONCE, one -> scorings(one.getKey(), one.getValue())))
                .forEach(found -> found.forEach(this::scored));
        gathered.addAll(unknown);
        gather(below);
    }

    /// @param scripts of the phase
    private List<Scoring> scorings(StepPath phase, Map<String, Boolean> scripts) {
        Outcome<?> ended = records.known(phase).flatMap(KnownStep::outcome).orElseThrow();
        return Objects.requireNonNull(records.journal(phase, scripts).scorings(phase, ended));
    }

    private boolean isKnown(StepPath step, boolean ended) {
        StepRow known = rows.get(step);
        return known != null && known.isOpen() != ended;
    }

    /// Reads those of the steps that are not known, side by side.
    ///
    /// @param steps and whether each has ended
    void read(Map<StepPath, Boolean> steps) {
        steps.entrySet().stream().filter(step -> !isKnown(step.getKey(), step.getValue()))
                .gather(Gatherers.mapConcurrent(Store.AT_ONCE, step -> read(step.getKey(), step.getValue()))).forEach(this::keep);
    }

    /// The steps right below a phase.
    List<StepRow> of(StepPath phase, Map<String, Boolean> listed) {
        read(paths(phase, listed));
        return listed.entrySet().stream().map(step -> row(phase.child(step.getKey()), step.getValue())).toList();
    }

    static Map<StepPath, Boolean> paths(StepPath phase, Map<String, Boolean> listed) {
        Map<StepPath, Boolean> paths = new LinkedHashMap<>();
        listed.forEach((name, ended) -> paths.put(phase.child(name), ended));
        return paths;
    }

    private StepRow row(StepPath step, boolean ended) {
        StepRow known = rows.get(step);
        return known != null && known.isOpen() != ended ? known : keep(read(step, ended));
    }

    private StepView read(StepPath step, boolean ended) {
        return StepView.of(new KnownStep(step, records.request(step).orElseThrow(), ended ? records.result(step) : Optional.empty()));
    }

    private StepRow keep(StepView step) {
        StepRow row = StepRow.of(step);
        rows.put(row.path(), row);
        if (!totals.containsKey(row.path()) && !row.path().parent().filter(gathered::contains).isPresent()) {
            news.add(row);
        }
        step.result().ifPresent(ended -> told(row.place(), ended));
        return row;
    }

    /// Takes in the evaluations that a result tells, if it tells them.
    private void told(StepPath place, StepResult ended) {
        List<Scoring> scorings = ended.scorings();
        if (scorings != null) {
            scorings.forEach(this::scored);
            gathered.add(place);
        }
    }

    private void scored(Scoring one) {
        evaluations.putIfAbsent(one.path(), one);
    }

    /// One step; empty if there is none of that path.
    Optional<StepRow> row(StepPath step) {
        StepRow known = rows.get(step);
        if (known != null && !known.isOpen()) {
            return Optional.of(known);
        }
        boolean ended = records.result(step).isPresent();
        return ended || records.request(step).isPresent() ? Optional.of(row(step, ended)) : Optional.empty();
    }
}
