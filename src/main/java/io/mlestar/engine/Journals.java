package io.mlestar.engine;

import io.mlestar.records.Journal;
import io.mlestar.records.LruCache;
import io.mlestar.records.Records;
import io.mlestar.step.StepPath;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What is known of the steps of phases: as the store lists it, or as this process remembers it, which asks nothing of the store.
///
/// What is remembered holds, since nothing in a store changes; but other processes may have asked for more steps, and ended more. By a part of its journal a
/// phase comes less far than by the whole, and on the same way. So memory is good for one thing: to ask for steps that nobody had asked for, whose ends
/// wake the phase again. Whoever would wait, end the phase or give up a step looks at the store first: of processes that each saw the end of one of
/// two steps, the one that was woken by the later end sees both.
final class Journals {
    private static final int MOST_REMEMBERED = 256;

    /// One phase.
    private static final class RememberedPhase {
        /// By name, whether each has ended.
        private final Map<String, Boolean> steps = new TreeMap<>();
        /// Whether the phase may come further than when it was played last.
        private boolean hasNews;

        void add(String step, boolean ended) {
            hasNews |= ended && !steps.getOrDefault(step, false);
            steps.merge(step, ended, Boolean::logicalOr);
        }
    }

    private final Records records;
    private final Map<StepPath, RememberedPhase> phases = LruCache.of(MOST_REMEMBERED);

    Journals(Records records) {
        this.records = records;
    }

    /// The journal as the store has it now.
    Journal read(StepPath phase) {
        Map<String, Boolean> listed = records.listed(phase);
        keep(phase, listed);
        return records.journal(phase, listed);
    }

    private synchronized void keep(StepPath phase, Map<String, Boolean> listed) {
        RememberedPhase remembered = phases.computeIfAbsent(phase, first -> new RememberedPhase());
        listed.forEach(remembered::add);
        remembered.hasNews = false;
    }

    /// The journal as far as this process knows it, if it has news since it was asked for last.
    Optional<Journal> remembered(StepPath phase) {
        return news(phase).map(steps -> records.journal(phase, steps));
    }

    private synchronized Optional<Map<String, Boolean>> news(StepPath phase) {
        RememberedPhase remembered = phases.get(phase);
        if (remembered == null || !remembered.hasNews) {
            return Optional.empty();
        }
        remembered.hasNews = false;
        return Optional.of(new TreeMap<>(remembered.steps));
    }

    /// The store has a request of that step.
    synchronized void asked(StepPath step) {
        step.parent().map(phases::get).ifPresent(phase -> phase.add(step.name(), false));
    }

    /// The store has a request of that phase now, and nothing of the steps in it yet.
    synchronized void begun(StepPath phase) {
        phases.computeIfAbsent(phase, first -> new RememberedPhase()).hasNews = true;
    }

    /// The store has a result of that step.
    synchronized void ended(StepPath step) {
        phases.remove(step);
        step.parent().map(phases::get).ifPresent(phase -> phase.add(step.name(), true));
    }
}
