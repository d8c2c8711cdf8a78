package io.mlestar.core.steering;

import io.mlestar.core.records.Records;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Numbered requests of people to a run, as `runs/<run>/<prefix>1.json` and so on: each is written
/// once, so that all processes see the same in the same order.
///
/// @param most how many a run takes
record NumberedRecords<T>(Store store, String prefix, Class<T> type, int most) {
    List<T> of(String run) {
        List<T> all = new ArrayList<>();
        Optional<T> found = read(run, 1);
        while (found.isPresent()) {
            all.add(found.get());
            found = read(run, all.size() + 1);
        }
        return all;
    }

    /// @return false if the run takes no more
    boolean add(String run, T one) {
        return IntStream.rangeClosed(of(run).size() + 1, most)
                .anyMatch(number -> store.create(key(run, number), ChecksummedJson.bytes(one)));
    }

    private Optional<T> read(String run, int number) {
        return ChecksummedJson.read(store, key(run, number), type);
    }

    private String key(String run, int number) {
        return Records.key(StepPath.root(run).run(), prefix + number + ".json");
    }
}
