package io.mlestar.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.step.StepPath;
import io.mlestar.task.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoutesTest {
    private static final String BROKER = """
            kind: Broker
            spec:
              delivery: {retry: 10, backoffPolicy: exponential, backoffDelay: PT0.2S,
                deadLetterSink: {ref: {kind: Service, name: dead-letter}, uri: /dead-letter}}
            """;

    private static Routes routes(String... documents) throws IOException {
        return Routes.of(Routes.parse(new ByteArrayInputStream(String.join("---\n", documents).getBytes(StandardCharsets.UTF_8))));
    }

    private static String trigger(String filter, String more) {
        return "kind: Trigger\nmetadata: {name: one}\nspec:\n  " + filter + "\n  subscriber: {ref: {kind: JobSink, name: gpu}}\n" + more;
    }

    @Test
    void everyEventOfARunHasExactlyOneSubscriberInTheCommittedManifests() {
        Routes routes = Routes.load();
        assertThat(routes.of(Event.work(Event.agentType("ens_planner"), StepPath.parse("r/phase1/x"), "asked")))
                .extracting(trigger -> trigger.subscriber().name()).containsExactly("ens-planner");
        assertThat(routes.of(Event.work(Event.SCRIPT, StepPath.parse("r/phase1/script"), "asked")))
                .allMatch(trigger -> trigger.subscriber().isJobSink()).hasSize(1);
        assertThat(routes.of(new Event(Event.RUN_COMPLETED, "r#end", "r", Json.object()))).isEmpty();
        assertThat(routes.triggers()).allSatisfy(trigger -> {
            assertThat(trigger.delivery().retries()).as(trigger.name()).isPositive();
            assertThat(trigger.delivery().deadLetters()).isEqualTo(new Routes.Subscriber("Service", "dead-letter", "/dead-letter"));
        });
    }

    @Test
    void allAttributesOfAFilterMustBeEqual() throws IOException {
        Routes routes = routes(BROKER, trigger("filter: {attributes: {type: io.mlestar.script.run, source: mlestar}}", ""));
        StepPath step = StepPath.parse("r/script");
        assertThat(routes.of(Event.work(Event.SCRIPT, step, "asked"))).hasSize(1);
        assertThat(routes.of(Event.work(Event.agentType("test"), step, "asked"))).isEmpty();
        assertThat(routes(BROKER, trigger("filter: {attributes: {type: io.mlestar.script.run, source: other}}", ""))
                .of(Event.work(Event.SCRIPT, step, "asked"))).isEmpty();
        assertThat(routes(BROKER, trigger("filter: {}", "")).of(Event.work(Event.SCRIPT, step, "asked"))).hasSize(1);
    }

    @Test
    void aTriggerHasTheBrokersDeliveryUnlessItHasItsOwn() throws IOException {
        assertThat(routes(BROKER, trigger("filter: {}", "")).triggers().getFirst().delivery()).isEqualTo(new Routes.Delivery(
                10, Duration.ofMillis(200), true, Duration.ofMinutes(10), new Routes.Subscriber("Service", "dead-letter", "/dead-letter")));
        Routes.Delivery own = routes(BROKER, trigger("filter: {}", "  delivery: {retry: 2, backoffPolicy: linear, backoffDelay: PT1S, timeout: PT5S}\n"))
                .triggers().getFirst().delivery();
        assertThat(own.retries()).isEqualTo(2);
        assertThat(own.timeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(own.deadLetters().name()).as("dead letters are the broker's").isEqualTo("dead-letter");
        assertThat(List.of(own.pause(1), own.pause(2), own.pause(3))).containsExactly(
                Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(3));
    }

    @Test
    void exponentialPausesDouble() throws IOException {
        Routes.Delivery delivery = routes(BROKER, trigger("filter: {}", "")).triggers().getFirst().delivery();
        assertThat(List.of(delivery.pause(1), delivery.pause(2), delivery.pause(4))).containsExactly(
                Duration.ofMillis(200), Duration.ofMillis(400), Duration.ofMillis(1600));
    }

    @Test
    void filtersThatThisBrokerDoesNotKnowAreRefusedInsteadOfIgnored() {
        assertThatThrownBy(() -> routes(BROKER, trigger("filters: [{prefix: {type: io.mlestar}}]", "")))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("one").hasMessageContaining("filters");
    }
}
