package io.mlestar.core.records;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.CachingStore;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.store.DamagedRecord;
import io.mlestar.core.store.Store;
import io.mlestar.core.task.AgentType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Gatherers;
import java.util.stream.Stream;

/// The records of runs in a store: which key holds what. An object that cannot be read is a
/// [DamagedRecord]. All JSON is [ChecksummedJson].
///
/// ```
/// runs/<run>/run.json                  the header
/// runs/<run>/trace.json                the trace in which the run was asked for, if it was in one
/// runs/<run>/steps.request.json        the pipeline itself
/// runs/<run>/steps/<path>.request.json and .result.json
/// runs/<run>/steps/<path>.begun-1.json, .ended-1.json, .memory-1.json, .sent-1.json: see [Invocations]
/// runs/<run>/cancelled.json            the run is to finish
/// runs/<run>/closed-<path>.json        that phase was ended by the sweep; its path has dots for slashes
/// runs/<run>/note-1.json, extension-1.json   notes to the agents, and what extends the limits: see [Notes] and [Extensions]
/// runs/<run>/prompted-<agent>-<digest>.json    the agent may be asked with these prompts: it was first asked with them, or a user accepted them
/// runs/<run>/halted-<agent>-<digest>.json      its steps stand still where it has these other prompts
/// runs/<run>/refused-<part>-<digest>.json     the server of a model does not take that part of a request: see `ProviderProfiles`
/// runs/<run>/warned-50.0.json          it was logged that four fifths of that budget are spent: see [Ledger]
/// runs/<run>/tally.json                what it came to: see [RunTally]
/// runs/<run>/announced.json            the last event of the run was published
/// runs/<run>/result.json, submission.csv, final_solution.py, failed.json
/// runs/<run>/predictions/<digest>.json and .submission-<digest>.csv    what the final solution predicted for new rows
/// ```
public final class Records {
    /// Name of the header in a run's folder.
    public static final String HEADER = "run.json";
    private static final String REQUEST = ".request.json";
    public static final String RESULT = ".result.json";
    private static final String ANNOUNCED = "announced.json";

    private final Store origin;
    private final CachingStore store;

    public Records(Store store) {
        this.origin = store;
        this.store = new CachingStore(store);
    }

    public Store store() {
        return store;
    }

    /// The reason for which the last write to the store failed; empty if it did not.
    public Optional<String> refusal() {
        return store.refusal();
    }

    /// The attempts at single steps.
    public Invocations invocations() {
        return new Invocations(store);
    }

    public static String key(String run, String name) {
        return "runs/" + run + "/" + name;
    }

    public static String stepKey(StepPath step) {
        return key(step.run(), step.inside().isEmpty() ? "steps" : "steps/" + step.inside());
    }

    public boolean create(RunHeader header) {
        return store.create(key(header.runId(), HEADER), ChecksummedJson.bytes(header));
    }

    public Optional<RunHeader> header(String run) {
        return read(key(run, HEADER), RunHeader.class);
    }

    /// True if the store still has the run, whatever this process has read of it.
    public boolean isKept(String run) {
        return origin.read(key(run, HEADER)).isPresent();
    }

    /// Records the trace in which a run was requested; the first record stays.
    public void join(String run, Trace trace) {
        store.create(key(run, "trace.json"),
                ChecksummedJson.bytes(Json.object()
                        .put("traceparent", trace.traceparent())
                        .put("tracestate", trace.state())));
    }

    /// The trace of a run; empty if there is no such run.
    public Optional<Trace> trace(String run) {
        return header(run)
                .map(header -> tree(key(run, "trace.json"))
                        .flatMap(noted -> Trace.parse(noted.path("traceparent").asText(),
                                noted.path("tracestate").asText()))
                        .orElseGet(() -> Trace.of(header)));
    }

    public Optional<StepRequest> request(StepPath step) {
        return read(stepKey(step) + REQUEST, StepRequest.class);
    }

    public Optional<StepResult> result(StepPath step) {
        return read(stepKey(step) + RESULT, StepResult.class);
    }

    /// The program that stored the step's result; empty if there is no result, or if it names none.
    public Optional<String> endedBy(StepPath step) {
        String key = stepKey(step) + RESULT;
        return store.read(key)
                .map(bytes -> ChecksummedJson.program(RecordValidation.sealed(key, bytes)))
                .filter(program -> !program.isEmpty());
    }

    public boolean create(StepPath step, StepRequest request) {
        return store.create(stepKey(step) + REQUEST, ChecksummedJson.bytes(request));
    }

    public boolean create(StepPath step, StepResult result) {
        return store.create(stepKey(step) + RESULT, ChecksummedJson.bytes(result));
    }

    /// True if the run has a result, good or bad.
    public boolean hasEnded(String run) {
        return result(StepPath.root(run)).isPresent();
    }

    public RunMarks marks(String run) {
        return new RunMarks(store.list("runs/" + run));
    }

    /// Asks the run to finish with the best so far; one that has ended stays as it is.
    ///
    /// @return false if it has ended, or that was asked before
    public boolean cancel(String run) {
        return !hasEnded(run) && mark(run, RunMarks.CANCELLED);
    }

    /// Leaves an object of this name, which says all by being there.
    ///
    /// @return false if it was there before
    boolean mark(String run, String name) {
        return store.create(key(run, name), ChecksummedJson.bytes(Json.object()));
    }

    public boolean isCancelled(String run) {
        return store.read(key(run, RunMarks.CANCELLED)).isPresent();
    }

    /// Lets no more step of a phase begin, since the sweep ends it.
    public void close(StepPath phase) {
        mark(phase.run(), RunMarks.closed(phase));
    }

    /// Marks the last event of the run as published.
    public void announced(String run) {
        mark(run, ANNOUNCED);
    }

    public boolean isAnnounced(String run) {
        return store.read(key(run, ANNOUNCED)).isPresent();
    }

    /// Lets an agent be asked in a run with the prompts that it was first asked with there, and
    /// with no others until a user accepts them: half of its answers by one prompt and half by
    /// another would be a result of neither. Agents are rolled out one by one, so each has a digest
    /// of its own.
    ///
    /// @param digest of the agent's prompts in this process
    /// @return why the agent's steps stand still; empty if it may be asked
    public Optional<String> promptChange(
            String run,
            RunMarks marks,
            AgentType agent,
            String digest) {
        if (marks.isPrompted(agent, digest)) {
            return Optional.empty();
        }
        if (!marks.isPrompted(agent)) {
            accept(run, agent, digest);
            return Optional.empty();
        }
        String reason = "the prompts of agent " + agent.id() + " have changed since run " + run
                + " asked it first; mlestar resume " + run
                + " goes on with the new ones";
        store.create(key(run, RunMarks.halted(agent, digest)),
                ChecksummedJson.bytes(Json.object().put("reason", reason)));
        return Optional.of(reason);
    }

    /// Lets the agent be asked with these prompts in the run from now on.
    public void accept(String run, AgentType agent, String digest) {
        mark(run, RunMarks.prompted(agent, digest));
    }

    /// The reason why the run is suspended; empty if it is not.
    public Optional<String> halted(String run, RunMarks marks) {
        return marks.halt()
                .flatMap(name -> tree(key(run, name)))
                .map(halt -> halt.path("reason").asText());
    }

    /// Ids of all runs that have begun.
    public List<String> runs() {
        return store.list("runs")
                .stream()
                .filter(name -> name.endsWith("/"))
                .map(name -> name.substring(0, name.length() - 1))
                .toList();
    }

    /// The steps that a phase has asked for, in the order of their names, and whether each has
    /// ended. One listing; no object is read.
    public Map<StepPath, Boolean> listed(StepPath phase) {
        Set<String> names = new HashSet<>(store.list(stepKey(phase)));
        Map<StepPath, Boolean> listed = new LinkedHashMap<>();
        names.stream()
                .filter(name -> name.endsWith(REQUEST))
                .map(name -> name.substring(0, name.length() - REQUEST.length()))
                .sorted()
                .forEach(step -> listed.put(phase.child(step), names.contains(step + RESULT)));
        return listed;
    }

    public Journal journal(StepPath phase) {
        Map<String, KnownStep> steps = new LinkedHashMap<>();
        each(listed(phase), this::read).forEach(step -> steps.put(step.path().name(), step));
        return new Journal(steps);
    }

    /// Reads a listed step.
    public KnownStep read(StepPath step, boolean ended) {
        return new KnownStep(step, request(step).orElseThrow(),
                ended ? result(step) : Optional.empty());
    }

    /// Reads something of each of the listed steps, given whether it has ended. Several objects are
    /// fetched side by side, since a process that is new to a run has much to read.
    ///
    /// @return in the order of `listed`
    <T> List<T> each(Map<StepPath, Boolean> listed, BiFunction<StepPath, Boolean, T> read) {
        List<String> keys = new ArrayList<>();
        listed.forEach((step, ended) -> {
            keys.add(stepKey(step) + REQUEST);
            if (ended) {
                keys.add(stepKey(step) + RESULT);
            }
        });
        long unknown = keys.stream().filter(key -> !store.keeps(key)).count();
        Function<Map.Entry<StepPath, Boolean>, T> one =
                step -> read.apply(step.getKey(), step.getValue());
        return (unknown > 2
                ? listed.entrySet().stream().gather(Gatherers.mapConcurrent(Store.AT_ONCE, one))
                : listed.entrySet().stream().map(one)).toList();
    }

    /// One step; empty if it was never asked for.
    public Optional<KnownStep> known(StepPath step) {
        return request(step).map(request -> new KnownStep(step, request, result(step)));
    }

    /// The steps right below `phase`, in the order in which they were asked for.
    public List<KnownStep> below(StepPath phase) {
        return inOrder(journal(phase).steps().values().stream());
    }

    /// Lists the steps as [#below] does, without those that have a damaged record.
    public List<KnownStep> readable(StepPath phase) {
        try {
            return below(phase);
        } catch (DamagedRecord one) {
            return inOrder(listed(phase).keySet().stream().flatMap(step -> {
                try {
                    return Stream.of(read(step, true));
                } catch (DamagedRecord e) {
                    return Stream.empty();
                }
            }));
        }
    }

    private static List<KnownStep> inOrder(Stream<KnownStep> steps) {
        return steps.sorted(Comparator.comparing((KnownStep step) -> step.request().askedAt())
                .thenComparing(step -> step.path().name())).toList();
    }

    private <T> Optional<T> read(String key, Class<T> type) {
        return store.read(key).map(bytes -> RecordValidation.read(key, bytes, type));
    }

    private Optional<JsonNode> tree(String key) {
        return ChecksummedJson.read(store, key, JsonNode.class);
    }
}
