package io.mlestar.app.program;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.mlestar.Requirement;
import io.mlestar.adapter.model.Models;
import io.mlestar.app.http.Role;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.Records;
import io.mlestar.core.store.ForwardingStore;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.StoreUnavailable;
import module java.base;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/// The checks before a program begins, and what a pod then says of itself.
class HealthTest {
    private static HealthCheckResponse model(Map<String, String> environment, String export) {
        return new Health(Role.of(Optional.ofNullable(export), Optional.empty()))
                .model(new CompositionRoot(environment), new Models(environment)).call();
    }

    private static HealthCheckResponse ready(String service, String export, String sink) {
        return new Health(Role.of(Optional.ofNullable(export), Optional.empty()))
                .broker(Optional.ofNullable(service), Optional.ofNullable(sink)).call();
    }

    @Test
    void aFunctionInAPodIsNotReadyWithoutABrokerAndSaysWhy() {
        HealthCheckResponse answer = ready("planner", "planner", null);
        assertThat(answer.getStatus()).isEqualTo(HealthCheckResponse.Status.DOWN);
        assertThat(answer.getData()).hasValueSatisfying(
                data -> assertThat(data.get("reason").toString()).contains("K_SINK", "planner", "SinkBinding"));
        assertThat(ready("planner", "planner", "http://broker").getStatus()).isEqualTo(HealthCheckResponse.Status.UP);
    }

    @Test
    void whatNeedsNoBrokerIsReadyWithoutOne() {
        assertThat(ready("mlestar", null, null).getStatus()).as("the whole program as one Service")
                .isEqualTo(HealthCheckResponse.Status.UP);
        assertThat(ready(null, null, null).getStatus()).as("one machine").isEqualTo(HealthCheckResponse.Status.UP);
        assertThat(ready(null, "planner", null).getStatus()).as("one function on one machine")
                .isEqualTo(HealthCheckResponse.Status.UP);
    }

    /// Else Kubernetes calls all of it ready, and the first run fails.
    @Test
    void theKeyOfTheModelIsAskedForWhenAPodIsToBeReady() {
        assertThat(Stream.of(Health.class.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Readiness.class)).map(Method::getName))
                .containsExactlyInAnyOrder("broker", "model");
    }

    @Test
    void anAgentWithoutItsKeyIsNotReadyAndSaysWhichAndOthersGoOn() {
        HealthCheckResponse agent = model(Map.of("MLE_STAR_MODEL", "sonnet"), "planner");
        assertThat(agent.getStatus()).isEqualTo(HealthCheckResponse.Status.DOWN);
        assertThat(agent.getData()).hasValueSatisfying(
                data -> assertThat(data.get("missing").toString()).contains("ANTHROPIC_API_KEY is not set"));
        HealthCheckResponse server = model(Map.of("MLE_STAR_MODEL", "sonnet"), null);
        assertThat(server.getStatus()).isEqualTo(HealthCheckResponse.Status.UP);
        assertThat(server.getData()).hasValueSatisfying(data -> assertThat(data).containsKey("missing"));
        assertThat(model(Map.of("MLE_STAR_MODEL", "sonnet"), "ensemble").getData()).as("a phase asks no model")
                .isEmpty();
        HealthCheckResponse whole =
                model(Map.of("MLE_STAR_MODEL", "sonnet", "ANTHROPIC_API_KEY", "secret-key"), "planner");
        assertThat(whole.getStatus()).isEqualTo(HealthCheckResponse.Status.UP);
        assertThat(whole.getData().toString()).doesNotContain("secret-key");
    }

    @Test
    void aStoreThatDoesNotAnswerIsSaidAndLookedAtAgainLater() {
        boolean[] away = {true};
        Instant[] now = {Instant.EPOCH};
        HealthCheck health =
                new Health(new Role.Everything()).store(new Records(new ForwardingStore(new MemoryStore()) {
                    @Override
                    public Optional<byte[]> read(String key) {
                        if (away[0]) {
                            throw new StoreUnavailable("bucket secret-name is away");
                        }
                        return super.read(key);
                    }
                }), () -> now[0]);
        assertThat(health.call().getStatus()).isEqualTo(HealthCheckResponse.Status.DOWN);
        assertThat(health.call().getData().toString()).contains("out of reach").doesNotContain("secret-name");
        away[0] = false;
        assertThat(health.call().getStatus()).as("it is not asked again").isEqualTo(HealthCheckResponse.Status.DOWN);
        now[0] = now[0].plusSeconds(6);
        assertThat(health.call().getStatus()).isEqualTo(HealthCheckResponse.Status.UP);
    }

    private static void check(Map<String, String> environment) {
        CompositionRoot root = new CompositionRoot(environment);
        new StartupCheck(root).check(root.config(Json.object()));
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/cases/wrong-variables.csv", numLinesToSkip = 1, delimiter = '|', quoteCharacter = '\'')
    @Requirement("REQ-OR-046")
    void aVariableWithAWrongValueIsRefusedByItsNameBeforeAnythingIsBegun(String variable, String value) {
        refusal(() -> check(Map.of(variable, value, "PATH", "/usr/bin:/bin"))).contains(variable);
    }

    @Test
    void whatIsRightIsTaken() {
        Map<String, String> right = Map.of("MLE_STAR_SCRIPTS_AT_ONCE", "2", "MLE_STAR_PATIENCE", "PT1M",
                "MLE_STAR_ROLE", "status",
                "MLE_STAR_HOST_NAMES", "here.example,there", "MLE_STAR_APPROVER", "sh", "MLE_STAR_MCP_COMMANDS", "true",
                "MLE_STAR_MCP_URLS", "https://a/mcp, http://b", "PATH", "/usr/bin:/bin", "MLE_STAR_SANDBOX",
                "preferred");
        assertThatCode(() -> check(right)).doesNotThrowAnyException();
    }

    @Test
    void anEmptyVariableCountsAsNoneButNoDevicesAreNoGpu() {
        Map<String, String> set =
                Map.of("MLE_STAR_STORE", "", "MLE_STAR_PYTHON", "python3", "CUDA_VISIBLE_DEVICES", "");
        assertThat(new CompositionRoot(set).environment())
                .isEqualTo(Map.of("MLE_STAR_PYTHON", "python3", "CUDA_VISIBLE_DEVICES", ""));
    }
}
