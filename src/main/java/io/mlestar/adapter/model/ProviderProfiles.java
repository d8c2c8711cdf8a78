package io.mlestar.adapter.model;

import io.mlestar.adapter.model.provider.ProviderProfile;
import io.mlestar.adapter.model.provider.RequestPart;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.LruCache;
import io.mlestar.core.base.Sha256;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.store.Store;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;

/// The profiles of a run's models, kept with the run as one object for each refused part:
/// `runs/<run>/refused-<part>-<digest of the model's name>.json`. So a run that is resumed, or that
/// several processes work on, asks for each part once, and one warning says that it goes on
/// without.
final class ProviderProfiles {
    private static final Logger LOG = Logger.getLogger("mle_star.llm");
    private static final int MOST = 1_000;
    private static final int DIGITS = 12;

    private final Store store;
    private final Map<String, StoredProfile> known = LruCache.of(MOST);

    ProviderProfiles(Store store) {
        this.store = store;
    }

    /// @param step of the run; a call outside runs has a profile of its own
    /// @param model as `provider:name`
    LearnedProfile of(Optional<StepPath> step, String model) {
        if (step.isEmpty()) {
            return new StoredProfile(Optional.empty(), model, ProviderProfile.UNKNOWN);
        }
        String run = step.get().run();
        StoredProfile before = known.get(run + " " + model);
        if (before != null) {
            return before;
        }
        StoredProfile read = new StoredProfile(Optional.of(run), model, read(run, model));
        StoredProfile other = known.putIfAbsent(run + " " + model, read);
        return other == null ? read : other;
    }

    private ProviderProfile read(String run, String model) {
        List<String> names = store.list("runs/" + run);
        ProviderProfile profile = ProviderProfile.UNKNOWN;
        for (RequestPart part : RequestPart.values()) {
            if (names.contains(name(part, model))) {
                profile = profile.without(part);
            }
        }
        return profile;
    }

    private static String name(RequestPart part, String model) {
        String digest = Sha256.hex(model.getBytes(StandardCharsets.UTF_8)).substring(0, DIGITS);
        return "refused-" + part.id() + "-" + digest + ".json";
    }

    /// The profile of one model in one run.
    private final class StoredProfile implements LearnedProfile {
        private final Optional<String> run;
        private final String model;
        private volatile ProviderProfile profile;

        StoredProfile(Optional<String> run, String model, ProviderProfile profile) {
            this.run = run;
            this.model = model;
            this.profile = profile;
        }

        @Override
        public ProviderProfile now() {
            return profile;
        }

        @Override
        public void goOnWithout(RequestPart part, String said) {
            synchronized (this) {
                profile = profile.without(part);
            }
            byte[] refusal = ChecksummedJson.bytes(
                    Json.object().put("model", model).put("part", part.id()).put("said", said));
            boolean isNews =
                    run.map(id -> store.create(Records.key(id, name(part, model)), refusal))
                            .orElse(true);
            if (isNews) {
                String todo = part == RequestPart.SEARCH
                        ? "; a search engine helps, and provider_search: false saves the try"
                        : "";
                LOG.warnf("%s (%s)%s",
                        part.sentence(model, run.isPresent() ? "the run" : "this call"), said,
                        todo);
            }
        }
    }
}
