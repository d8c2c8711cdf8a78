package io.mlestar.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.ProjectFiles;
import io.mlestar.adapter.bucket.S3Server;
import io.mlestar.app.cli.Program;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.Walk;
import io.mlestar.core.step.StepPath;
import io.mlestar.deploy.Kustomize;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Knative keeps no sender from a Service (docs/security.md): what any pod of the cluster may send
/// past the broker does nothing that a run has not asked for.
@Tag("deployed")
class ForgedEventsIT {
    @TempDir
    private Path folder;

    private final Map<String, Integer> answers = new TreeMap<>();

    private int forge(Cluster cluster, String path, String type, StepPath step)
            throws IOException, InterruptedException {
        return cluster.post(path, type, "forged-" + answers.size() + step,
                Json.object().put("run_id", step.run()).put("step", step.toString()));
    }

    private static String serviceOf(StepRequest request) {
        return request.isScript() ? "/jobs/script-cpu" : request.isPhase() ? "/services/phases/" : "/services/agents/";
    }

    @Test
    void eventsPastTheBrokerChangeNothingThatARunDoes() throws Exception {
        JsonNode wanted = ClusterIT.inOneProcess(folder, Program.MINI, ClusterIT.SMALLEST);
        try (S3Server bucket = S3Server.start()) {
            String store = bucket.freshAddress();
            Records records = new Records(bucket.store(store));
            Map<StepPath, Integer> begun = new HashMap<>();
            try (Cluster cluster =
                    new Cluster(ProjectFiles.documents(Kustomize.overlay("dev", "small")), folder.resolve("pods"),
                            List.of(ClusterIT.settings(store, bucket.endpoint())), Cluster.Fates.KIND, new Random(1))) {
                Event end =
                        cluster.run(ClusterIT.request("forged", Program.MINI, ClusterIT.SMALLEST), ClusterIT.STANDSTILL,
                                ProfilesIT.TICK, (forged, asked) -> {
                                    for (KnownStep step : Walk.READABLE.steps(records, "forged")
                                            .filter(known -> records.result(known.path()).isPresent()).toList()) {
                                        // A step that is done, and one below it that nobody has
                                        // asked for.
                                        if (begun.putIfAbsent(step.path(),
                                                records.invocations().of(step.path()).size()) == null) {
                                            String service = serviceOf(step.request());
                                            String type = step.request().event(step.path(), "forged").type();
                                            assertThat(forge(forged, service, type, step.path()))
                                                    .as("%s again", step.path()).isBetween(200, 299);
                                            StepPath unknown = step.path().child("made-up");
                                            int answer = forge(forged, service, type, unknown);
                                            answers.put(service, answer);
                                            assertThat(records.request(unknown)).isEmpty();
                                        }
                                    }
                                });
                ClusterIT.assertSame(bucket.store(store), "forged", end, wanted);
            }
            assertThat(begun).hasSizeGreaterThan(15).allSatisfy(
                    (step, times) -> assertThat(records.invocations().of(step)).as("%s", step).hasSize(times));
            assertThat(answers).containsOnlyKeys("/jobs/script-cpu", "/services/agents/", "/services/phases/")
                    .containsEntry("/services/agents/", 422).containsEntry("/services/phases/", 422);
        }
    }
}
