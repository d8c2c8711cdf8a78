package io.mlestar.core.steering;

import io.mlestar.core.base.Json;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What people say to a run, as `runs/<run>/<name>-1.json` and so on: each is written once, so that all see the same in the same order.
///
/// @param most how many a run takes
record NumberedRecords<T>(Store store, String name, Class<T> type, int most) {
    List<T> of(String run) {
        List<T> all = new ArrayList<>();
        for (String key = key(run, 1);; key = key(run, all.size() + 1)) {
            Optional<T> found = ChecksummedJson.read(store, key, type);
            if (found.isEmpty()) {
                return all;
            }
            all.add(found.get());
        }
    }

    /// @return false if the run takes no more
    boolean add(String run, T one) {
        for (int number = of(run).size() + 1; number <= most; number++) {
            if (store.create(key(run, number), ChecksummedJson.bytes(Json.tree(one)))) {
                return true;
            }
        }
        return false;
    }

    private String key(String run, int number) {
        return Records.key(StepPath.root(run).run(), name + "-" + number + ".json");
    }
}
