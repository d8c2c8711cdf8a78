package io.mlestar.run;

import io.mlestar.step.StepPath;
import io.mlestar.store.Store;
import io.mlestar.task.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The records of runs in a store: which key holds what.
///
/// ```
/// runs/<run>/run.json                  the header
/// runs/<run>/steps.request.json        the pipeline itself
/// runs/<run>/steps/<path>.request.json and .result.json
/// runs/<run>/cancelled.json            somebody wants the run to finish
/// runs/<run>/result.json, submission.csv, final_solution.py, failed.json
/// ```
public final class Records {
    private static final int MOST_REMEMBERED = 512;
    private static final int LARGEST_REMEMBERED = 64 << 10;
    private static final String REQUEST = ".request.json";
    private static final String RESULT = ".result.json";

    private final Store store;
    /// What was read lately. It can never be out of date, since nothing in a store changes.
    private final Map<String, Object> remembered = Collections.synchronizedMap(new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Object> eldest) {
            return size() > MOST_REMEMBERED;
        }
    });

    public Records(Store store) {
        this.store = store;
    }

    public Store store() {
        return store;
    }

    public static String key(String run, String name) {
        return "runs/" + run + "/" + name;
    }

    public static String stepKey(StepPath step) {
        return key(step.run(), step.inside().isEmpty() ? "steps" : "steps/" + step.inside());
    }

    public boolean create(RunHeader header) {
        return store.create(key(header.runId(), "run.json"), Json.bytes(header));
    }

    public Optional<RunHeader> header(String run) {
        return read(key(run, "run.json"), RunHeader.class);
    }

    public Optional<StepRequest> request(StepPath step) {
        return read(stepKey(step) + REQUEST, StepRequest.class);
    }

    public Optional<StepResult> result(StepPath step) {
        return read(stepKey(step) + RESULT, StepResult.class);
    }

    boolean create(StepPath step, StepRequest request) {
        return store.create(stepKey(step) + REQUEST, Json.bytes(request));
    }

    boolean create(StepPath step, StepResult result) {
        return store.create(stepKey(step) + RESULT, Json.bytes(result));
    }

    /// Asks the run to finish with the best so far.
    ///
    /// @return false if that was asked before
    public boolean cancel(String run) {
        return store.create(key(run, "cancelled.json"), "{}".getBytes(StandardCharsets.UTF_8));
    }

    public boolean isCancelled(String run) {
        return store.read(key(run, "cancelled.json")).isPresent();
    }

    /// Ids of all runs that have begun.
    public List<String> runs() {
        return store.list("runs").stream().filter(name -> name.endsWith("/")).map(name -> name.substring(0, name.length() - 1))
                .toList();
    }

    /// Names of the steps that a phase has asked for.
    public List<String> children(StepPath phase) {
        return store.list(stepKey(phase)).stream().filter(name -> name.endsWith(REQUEST))
                .map(name -> name.substring(0, name.length() - REQUEST.length())).toList();
    }

    Journal journal(StepPath phase) {
        List<String> names = store.list(stepKey(phase));
        Map<String, Journal.Entry> entries = new LinkedHashMap<>();
        for (String name : names) {
            if (name.endsWith(REQUEST)) {
                String step = name.substring(0, name.length() - REQUEST.length());
                StepPath path = phase.child(step);
                entries.put(step, new Journal.Entry(request(path).orElseThrow(),
                        names.contains(step + RESULT) ? result(path) : Optional.empty()));
            }
        }
        return new Journal(entries);
    }

    /// A step with what is known of it, for those who look at a run.
    public record Known(StepPath path, StepRequest request, Optional<StepResult> result) {}

    /// The steps right below `phase`, in the order in which they were asked for.
    public List<Known> below(StepPath phase) {
        List<Known> known = new ArrayList<>();
        journal(phase).entries().forEach((name, entry) -> known.add(new Known(phase.child(name), entry.request(), entry.result())));
        known.sort(java.util.Comparator.comparing((Known step) -> step.request().askedAt()).thenComparing(step -> step.path().name()));
        return known;
    }

    private <T> Optional<T> read(String key, Class<T> type) {
        Object known = remembered.get(key);
        if (known != null) {
            return Optional.of(type.cast(known));
        }
        return store.read(key).map(bytes -> {
            T read = Json.read(Json.parse(bytes), type);
            if (bytes.length <= LARGEST_REMEMBERED) {
                remembered.put(key, read);
            }
            return read;
        });
    }
}
