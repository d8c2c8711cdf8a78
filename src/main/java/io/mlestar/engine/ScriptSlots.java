package io.mlestar.engine;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.event.Publisher;
import io.mlestar.records.KnownStep;
import io.mlestar.records.Records;
import io.mlestar.records.RunHeader;
import io.mlestar.records.StepRequest;
import io.mlestar.records.Tries;
import io.mlestar.step.StepPath;
import io.mlestar.store.DamagedRecord;
import io.mlestar.store.Sealed;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Lets at most so many scripts of a run be in progress at once (`scripts_in_progress`), wherever they run: an event for a script is sent when the
/// script has one of the run's slots, and it has that until its step has a result. Who has a slot is an object that is created once, so that
/// no two processes can give it away:
///
/// ```
/// runs/<run>/slots/0/1.json      the first script that had slot 0, and since when
/// ```
///
/// A phase that one of its scripts has woken asks for those that wait; what dies before that is found by the sweep. The last scripts of a run, which
/// make the submission, wait for nobody.
final class ScriptSlots {
    private final Records records;
    private final Publisher publisher;
    private final InstantSource clock;

    ScriptSlots(Records records, Publisher publisher, InstantSource clock) {
        this.records = records;
        this.publisher = publisher;
        this.clock = clock;
    }

    /// @param turns how many scripts have had it
    /// @param holder the last of them; null if none is known
    private record Slot(String folder, int turns, @Nullable StepPath holder, Instant since) {}

    /// Asks for a step, at once or when it has its turn.
    void ask(RunHeader run, StepPath path, StepRequest request) {
        if (since(run, path, request).isPresent() || take(run, path)) {
            publisher.publish(request.event(path, "asked"));
        }
    }

    /// Asks for the scripts that have waited longest, as many as there are slots for.
    ///
    /// @return how many
    int askForNext(RunHeader run) {
        if (!areLimited(run)) {
            return 0;
        }
        List<KnownStep> open = open(StepPath.root(run.runId())).filter(step -> takesTurns(run, step.request())).toList();
        // Read last: whoever has a slot by then does not wait.
        Set<StepPath> holders = slots(run).map(Slot::holder).filter(Objects::nonNull).collect(Collectors.toSet());
        List<KnownStep> waiting = open.stream().filter(step -> !holders.contains(step.path()))
                .sorted(Comparator.comparing((KnownStep step) -> step.request().askedAt()).thenComparing(step -> step.path().toString())).toList();
        int asked = 0;
        for (KnownStep step : waiting) {
            if (!take(run, step.path())) {
                return asked;
            }
            publisher.publish(step.request().event(step.path(), "asked"));
            asked++;
        }
        return asked;
    }

    /// When a step was asked for; empty if it is a script that waits for its turn.
    Optional<Instant> since(RunHeader run, StepPath path, StepRequest request) {
        if (!takesTurns(run, request)) {
            return Optional.of(request.askedAt());
        }
        return slots(run).filter(slot -> path.equals(slot.holder())).map(Slot::since).findFirst();
    }

    private static boolean takesTurns(RunHeader run, StepRequest request) {
        return areLimited(run) && request.isScript() && !request.essential();
    }

    /// Whether the run has slots at all.
    private static boolean areLimited(RunHeader run) {
        return run.config().scriptsInProgress() != null;
    }

    private boolean take(RunHeader run, StepPath path) {
        return slots(run).anyMatch(slot -> (slot.holder() == null || records.result(slot.holder()).isPresent())
                && records.store().create(slot.folder() + "/" + (slot.turns() + 1) + ".json",
                        Sealed.bytes(Json.object().put("step", path.toString()).put("at", clock.instant().toString()))));
    }

    private Stream<Slot> slots(RunHeader run) {
        return IntStream.range(0, Objects.requireNonNull(run.config().scriptsInProgress())).mapToObj(number -> {
            String folder = Records.key(run.runId(), "slots/" + number);
            int turns = records.store().list(folder).size();
            if (turns == 0) {
                return new Slot(folder, 0, null, Instant.MIN);
            }
            String key = folder + "/" + turns + ".json";
            try {
                JsonNode last = Sealed.read(records.store(), key, JsonNode.class).orElseThrow();
                return new Slot(folder, turns, StepPath.parse(last.path("step").asText()), Tries.at(key, last));
            } catch (DamagedRecord | Invalid e) {
                // Whoever had it is sent again by the sweep.
                return new Slot(folder, turns, null, Instant.MIN);
            }
        });
    }

    /// Scripts without a result, in the open phases below.
    private Stream<KnownStep> open(StepPath phase) {
        return records.readable(phase).stream().filter(step -> step.result().isEmpty())
                .flatMap(step -> step.request().isPhase() ? open(step.path()) : step.request().isScript() ? Stream.of(step) : Stream.empty());
    }
}
