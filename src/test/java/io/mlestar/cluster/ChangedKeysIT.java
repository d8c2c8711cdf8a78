package io.mlestar.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.ProjectFiles;
import io.mlestar.adapter.bucket.S3Server;
import io.mlestar.adapter.model.AnthropicServer;
import io.mlestar.app.cli.Program;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.Walk;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.StoreUnavailable;
import io.mlestar.deploy.Kustomize;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How keys are changed (docs/operating/days.md): both are good, the Secret is changed, the pods
/// that have the old one are deleted, the old one is revoked.
@Tag("deployed")
class ChangedKeysIT {
    private static final String NEW = "the-new-key";
    private static final String OLD_OF_THE_MODEL = "the-old-key-of-the-model";
    private static final int FIRST_CALLS = 3;

    @TempDir
    private Path folder;

    /// The recipe, one line after the other.
    private static final class Recipe implements Cluster.Disturbance {
        private final S3Server bucket;
        private final AnthropicServer model;
        private final Records records;
        private List<StepPath> begun = List.of();
        private boolean changed;
        private long shownWhenRevoked;
        private boolean revoked;

        Recipe(S3Server bucket, AnthropicServer model, Records records) {
            this.bucket = bucket;
            this.model = model;
            this.records = records;
        }

        @Override
        public void happen(Cluster cluster, int asked) throws Exception {
            if (!changed && model.shown(OLD_OF_THE_MODEL) >= FIRST_CALLS) {
                bucket.accept(S3Server.ACCESS_KEY, NEW);
                model.accept(OLD_OF_THE_MODEL, NEW);
                cluster.change(Map.of("AWS_ACCESS_KEY_ID", NEW, "ANTHROPIC_API_KEY", NEW));
                begun = Walk.READABLE.steps(records, "keys").filter(step -> step.request().isScript())
                        .map(KnownStep::path).toList();
                changed = true;
                model.accept(NEW);
                shownWhenRevoked = model.shown(OLD_OF_THE_MODEL);
            } else if (changed && !revoked && begun.stream().allMatch(script -> records.result(script).isPresent())) {
                bucket.accept(NEW);
                revoked = true;
            }
        }
    }

    @Test
    void aRunLosesNothingWhileItsKeysAreChanged() throws Exception {
        JsonNode wanted = ClusterIT.inOneProcess(folder, Program.MINI, ClusterIT.SMALLEST);
        try (S3Server bucket = S3Server.start();
                AnthropicServer model = AnthropicServer.recording(Program.MINI.resolve("answers"))) {
            String store = bucket.freshAddress();
            Map<String, String> settings = ClusterIT.settings(store, bucket.endpoint());
            settings.put("ANTHROPIC_API_KEY", OLD_OF_THE_MODEL);
            settings.put("ANTHROPIC_BASE_URL", model.url() + "/v1/");
            settings.put("MLE_STAR_MODEL", "anthropic:made-up");
            model.accept(OLD_OF_THE_MODEL);
            ObjectNode request =
                    ClusterIT.request("keys", Program.MINI, ClusterIT.SMALLEST).put("model", "anthropic:made-up");
            // A recorded run does not ask for them either.
            request.withObject("/config").put("needs_libraries", false);
            Recipe recipe = new Recipe(bucket, model, new Records(bucket.store(store)));
            try (Cluster cluster = new Cluster(ProjectFiles.documents(Kustomize.overlay("dev", "small")),
                    folder.resolve("pods"), List.of(settings),
                    Cluster.Fates.KIND, new Random(1))) {
                Event end = cluster.run(request, ClusterIT.STANDSTILL, ProfilesIT.TICK, recipe);
                assertThat(end.type()).as(end.data().toString()).isEqualTo(Event.RUN_COMPLETED);
            }
            assertThat(recipe.revoked).as("the bucket knows the new key only").isTrue();
            assertThatThrownBy(() -> bucket.store(store).read("runs/keys/result.json"))
                    .isInstanceOf(StoreUnavailable.class);
            assertThat(model.shown(OLD_OF_THE_MODEL)).as("calls with the old key after it was revoked")
                    .isEqualTo(recipe.shownWhenRevoked).isPositive();
            assertThat(model.shown(NEW)).isPositive();
            bucket.accept(S3Server.ACCESS_KEY);
            assertThat(Walk.READABLE.steps(recipe.records, "keys").filter(step -> step.done().isEmpty())
                    .map(KnownStep::path)).as("steps that failed")
                    .isEmpty();
            assertThat(Program.solution(Json.parse(bucket.store(store).read("runs/keys/result.json").orElseThrow())))
                    .isEqualTo(Program.solution(wanted));
        }
    }
}
