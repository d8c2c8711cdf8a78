package io.mlestar.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.junit.jupiter.api.Test;

class SinkReadinessTest {
    private static HealthCheckResponse ready(String service, String export, String sink) {
        return new SinkReadiness(Optional.ofNullable(service), Optional.ofNullable(export), Optional.ofNullable(sink)).call();
    }

    @Test
    void aFunctionInAPodIsNotReadyWithoutABrokerAndSaysWhy() {
        HealthCheckResponse answer = ready("planner", "planner", null);
        assertThat(answer.getStatus()).isEqualTo(HealthCheckResponse.Status.DOWN);
        assertThat(answer.getData()).hasValueSatisfying(data -> assertThat(data.get("reason").toString()).contains("K_SINK", "planner", "SinkBinding"));
        assertThat(ready("planner", "planner", "http://broker").getStatus()).isEqualTo(HealthCheckResponse.Status.UP);
    }

    @Test
    void whatNeedsNoBrokerIsReadyWithoutOne() {
        assertThat(ready("mlestar", null, null).getStatus()).as("the whole program as one Service").isEqualTo(HealthCheckResponse.Status.UP);
        assertThat(ready(null, null, null).getStatus()).as("one machine").isEqualTo(HealthCheckResponse.Status.UP);
        assertThat(ready(null, "planner", null).getStatus()).as("one function on one machine").isEqualTo(HealthCheckResponse.Status.UP);
    }
}
