package io.mlestar.app.program.upkeep;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Sha256;
import io.mlestar.core.phase.Pipeline;
import io.mlestar.core.records.Invocations;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.RecordValidation;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.result.Published;
import io.mlestar.core.result.RunTally;
import io.mlestar.core.steering.Extension;
import io.mlestar.core.step.Note;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.store.DamagedRecord;
import io.mlestar.core.store.NewerRecord;
import io.mlestar.core.store.Store;
import io.mlestar.core.task.Results.FinalResult;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Gatherers;

/// Reads every record of every run, folder by folder, and names what is damaged. Keeps none of them.
public final class Checkup {
    private static final String JSON = ".json";
    private static final String REQUEST = ".request.json";
    private static final String RESULT = ".result.json";
    private static final Pattern TIMED = Pattern.compile(".*\\.(begun|ended|sent)-\\d+\\.json");
    private static final Map<String, Class<?>> TYPES = Map.of("tally", RunTally.class, "note", Note.class, "extension", Extension.class,
            "result", FinalResult.class);
    /// A submission of a script has a part of its digest in its name.
    private static final Pattern SUBMITTED = Pattern.compile(".*submission-([0-9a-f]{12})\\.csv");

    private final Store store;
    private final Consumer<Damage> found;
    private int read;

    /// @param reason what is wrong with the object of this key
    /// @param isNewer whether nothing is wrong, but that it takes a newer program to read it
    public record Damage(String key, String reason, boolean isNewer) {
        Damage(String key, String reason) {
            this(key, reason, false);
        }
    }

    /// @param found receives each damage when it is found
    public Checkup(Store store, Consumer<Damage> found) {
        this.store = store;
        this.found = found;
    }

    /// @return how many objects were read
    /// @throws io.mlestar.core.store.StoreUnavailable if the store is out of reach
    public int all() {
        for (String run : new Records(store).runs()) {
            Set<String> submitted = new HashSet<>();
            List<String> names = folder("runs/" + run, submitted);
            if (!names.contains(Records.HEADER)) {
                found.accept(new Damage(Records.key(run, Records.HEADER), "it is missing"));
            }
            if (names.contains(Published.SUBMISSION)) {
                submission(run, submitted);
            }
        }
        return read;
    }

    /// @param submitted collects the digests of all submissions
    private List<String> folder(String folder, Set<String> submitted) {
        List<String> names = store.list(folder);
        List<String> records = names.stream().filter(name -> name.endsWith(JSON)).toList();
        records.stream().gather(Gatherers.mapConcurrent(Store.AT_ONCE, name -> damage(folder + "/" + name)))
                .forEach(damage -> damage.ifPresent(found));
        read += records.size();
        Set<String> there = new HashSet<>(records);
        for (String name : names) {
            String request = name.replace(RESULT, REQUEST);
            Matcher kept = SUBMITTED.matcher(name);
            if (!request.equals(name) && !there.contains(request)) {
                found.accept(new Damage(folder + "/" + request, "it is missing, though there is a result"));
            } else if (name.endsWith("/")) {
                folder(folder + "/" + name.substring(0, name.length() - 1), submitted);
            } else if (kept.matches()) {
                submitted.add(kept.group(1));
                if (!digest(folder + "/" + name).equals(kept.group(1))) {
                    found.accept(new Damage(folder + "/" + name, "it is not what was submitted (sha256)"));
                }
            }
        }
        return names;
    }

    private Optional<Damage> damage(String key) {
        try {
            store.read(key).ifPresent(bytes -> check(key, bytes));
            return Optional.empty();
        } catch (DamagedRecord e) {
            return Optional.of(new Damage(key, e.reason()));
        } catch (NewerRecord whole) {
            return Optional.of(new Damage(key, whole.getMessage(), true));
        }
    }

    /// Reads records as the program does; of those that only people read, only their digest is checked.
    private void check(String key, byte[] bytes) {
        String name = key.substring(key.lastIndexOf('/') + 1);
        Class<?> type = name.equals(Records.HEADER) ? RunHeader.class : name.endsWith(REQUEST) ? StepRequest.class : name.endsWith(RESULT) ? StepResult.class
                : TYPES.getOrDefault(name.replaceFirst("[-.].*", ""), JsonNode.class);
        Object record = RecordValidation.read(key, bytes, type);
        if (TIMED.matcher(name).matches() && record instanceof JsonNode json) {
            Invocations.at(key, json);
        }
        if (record instanceof StepResult result && result.isDone() && !RecordValidation.sealed(key, bytes).has(ChecksummedJson.DIGEST)) {
            answered(key, result);
        }
    }

    /// Whether the phase that asked can read a result that another service wrote.
    private void answered(String key, StepResult result) {
        StepPath step = StepPath.parse(key.substring("runs/".length(), key.length() - RESULT.length()).replaceFirst("/steps/", "/"));
        Optional<KnownStep> known;
        try {
            known = new Records(store).request(step).map(request -> new KnownStep(step, request, Optional.of(result)));
        } catch (DamagedRecord request) {
            // Reported on its own.
            return;
        }
        DamagedRecord.unlessRead(key, () -> known.flatMap(KnownStep::outcome));
    }

    /// The published submission is a copy of one that a script left, perhaps in the run that this one comes from.
    private void submission(String run, Set<String> submitted) {
        String key = Records.key(run, Published.SUBMISSION);
        try {
            new Records(store).result(StepPath.root(run)).flatMap(StepResult::done)
                    .map(done -> done.of(new Pipeline()).submission()).filter(Objects::nonNull)
                    .map(submission -> SUBMITTED.matcher(submission.key())).filter(Matcher::matches).ifPresent(origin -> submitted.add(origin.group(1)));
        } catch (DamagedRecord | NewerRecord | Invalid e) {
            // Reported already.
        }
        if (!submitted.isEmpty() && !submitted.contains(digest(key))) {
            found.accept(new Damage(key, "no script submitted it"));
        }
    }

    /// The part of the digest that names hold.
    private String digest(String key) {
        read++;
        return store.read(key).map(Sha256::hex).orElse("").transform(digest -> digest.substring(0, Math.min(12, digest.length())));
    }
}
