package io.mlestar.llm;

import io.mlestar.task.Invalid;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Models by `provider:name`, made when first asked for.
public final class Models {
    private static final String RECORDED = "recorded:";

    private final Map<String, Model> known = new ConcurrentHashMap<>();

    /// @throws Invalid if there is no such provider, or it cannot be used as things are
    public Model get(String name) {
        return known.computeIfAbsent(name, Models::open);
    }

    private static Model open(String name) {
        if (isRecorded(name)) {
            return RecordedModel.open(Path.of(name.substring(RECORDED.length())));
        }
        throw new Invalid("model \"" + name + "\": this version answers from recordings only; use --model recorded:FOLDER");
    }

    /// Whether no language model stands behind the name; whoever shows it must say so.
    public static boolean isRecorded(String name) {
        return name.startsWith(RECORDED);
    }
}
