package io.mlestar.core.steering;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.Invocations;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunMarks;
import io.mlestar.core.step.Note;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// When a run was to begin nothing new: each pause as `runs/<run>/pause-1.json` and so on, its end as `resumed-1.json`. Each is written once, so of
/// many who pause a run, or let it go on, one does, and all see the same.
public record Pauses(Store store) {
    private static final int MOST = 50;

    /// In the order in which they began; only the last one may last still.
    public List<Pause> of(String run) {
        List<Pause> all = new ArrayList<>();
        while (true) {
            String begin = key(run, RunMarks.PAUSE, all.size() + 1);
            String end = key(run, RunMarks.RESUMED, all.size() + 1);
            Optional<JsonNode> begun = read(begin);
            if (begun.isEmpty()) {
                return all;
            }
            Optional<JsonNode> lifted = read(end);
            all.add(new Pause(Invocations.at(begin, begun.get()), begun.get().path("by").asText(), lifted.map(said -> Invocations.at(end, said)).orElse(null),
                    lifted.map(said -> said.path("by").asText()).orElse(null)));
        }
    }

    /// Lets a run begin nothing new.
    ///
    /// @return false if it was paused before
    /// @throws Invalid if it has been paused too often
    public boolean begin(String run, Instant now, String by) {
        byte[] said = said(now, by);
        RunMarks marks = marks(run);
        if (marks.pauses() == MOST && !marks.isPaused()) {
            throw new Invalid("run " + run + " has been paused " + MOST + " times; more is not taken");
        }
        return !marks.isPaused() && store.create(key(run, RunMarks.PAUSE, marks.pauses() + 1), said);
    }

    /// Lets a run go on.
    ///
    /// @return false if it was not paused
    public boolean lift(String run, Instant now, String by) {
        byte[] said = said(now, by);
        RunMarks marks = marks(run);
        return marks.isPaused() && store.create(key(run, RunMarks.RESUMED, marks.pauses()), said);
    }

    private RunMarks marks(String run) {
        return new Records(store).marks(run);
    }

    private static byte[] said(Instant now, String by) {
        return ChecksummedJson.bytes(Json.object().put("at", now.toString()).put("by", Note.name(by)));
    }

    private Optional<JsonNode> read(String key) {
        return ChecksummedJson.read(store, key, JsonNode.class);
    }

    private static String key(String run, String what, int number) {
        return Records.key(run, what + number + ".json");
    }
}
