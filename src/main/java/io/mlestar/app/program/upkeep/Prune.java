package io.mlestar.app.program.upkeep;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Spelling;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.DamagedRecord;
import io.mlestar.core.store.NewerRecord;
import io.mlestar.core.store.PrunableStore;
import io.mlestar.core.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Gatherers;
import java.util.stream.Stream;

/// Removes whole runs from a store. May be killed at any instant and repeated: the header goes
/// first, so that the rest is not taken for a run, and the result of the run last, so that what is
/// left is not taken for an open run.
public final class Prune {
    private final PrunableStore store;
    private final Records records;

    public Prune(PrunableStore store) {
        this.store = store;
        this.records = new Records(store);
    }

    /// The runs that ended before `then`, and what is left of runs that were being removed. A run
    /// that a kept one began with stays, since the kept one may need its submissions; so does a run
    /// that cannot be read.
    public List<String> endedBefore(Instant then) {
        List<String> old = new ArrayList<>();
        Map<String, String> origins = new TreeMap<>();
        for (String run : records.runs()) {
            try {
                Optional<RunHeader> header = records.header(run);
                Optional<StepResult> result = records.result(StepPath.root(run));
                RunHeader.Origin origin = header.isPresent() ? header.get().origin() : null;
                if (origin != null) {
                    origins.put(run, origin.run());
                }
                if (result.filter(ended -> header.isEmpty() || ended.endedAt().isBefore(then))
                        .isPresent()) {
                    old.add(run);
                }
            } catch (DamagedRecord | NewerRecord e) {
                // Kept.
            }
        }
        Set<String> needed = new HashSet<>();
        origins.forEach((run, origin) -> {
            if (!old.contains(run)) {
                for (String one = origin; one != null && needed.add(one); one = origins.get(one)) {
                    old.remove(one);
                }
            }
        });
        return old;
    }

    /// @throws Invalid if the store holds nothing of that run
    public List<String> named(List<String> runs) {
        List<String> there = records.runs();
        runs.stream()
                .filter(run -> !there.contains(StepPath.root(run).run()))
                .findFirst()
                .ifPresent(run -> {
                    throw new Invalid("there is no run \"" + run + "\" in the store"
                            + Spelling.question(run, there));
                });
        return runs;
    }

    /// True if the run may still go on, so that pruning would lose it.
    public boolean isOpen(String run) {
        try {
            return !records.hasEnded(run);
        } catch (NewerRecord e) {
            return true;
        } catch (DamagedRecord e) {
            return false;
        }
    }

    /// The number of objects of the run.
    public int objects(String run) {
        return keys("runs/" + run).size();
    }

    /// @return the number of objects that were removed
    public int remove(String run) {
        String header = Records.key(run, Records.HEADER);
        String result = Records.stepKey(StepPath.root(run)) + Records.RESULT;
        List<String> keys = keys("runs/" + run);
        store.delete(header);
        long removed = keys.stream()
                .filter(key -> !key.equals(header) && !key.equals(result))
                .gather(Gatherers.mapConcurrent(Store.AT_ONCE, key -> {
                    store.delete(key);
                    return key;
                }))
                .count();
        store.delete(result);
        return (int) removed + (int) keys.stream()
                .filter(key -> key.equals(header) || key.equals(result))
                .count();
    }

    private List<String> keys(String folder) {
        Function<String, Stream<String>> below =
                name -> name.endsWith("/")
                        ? keys(folder + "/" + name.substring(0, name.length() - 1)).stream()
                        : Stream.of(folder + "/" + name);
        return store.list(folder).stream().flatMap(below).toList();
    }
}
