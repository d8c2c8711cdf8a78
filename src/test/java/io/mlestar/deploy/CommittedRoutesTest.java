package io.mlestar.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.ProjectFiles;
import io.mlestar.adapter.broker.Routes;
import io.mlestar.core.base.Backoff;
import io.mlestar.core.event.Event;
import io.mlestar.core.step.StepPath;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CommittedRoutesTest {
    private static final String TYPE = "filter: {attributes: {type: io.mlestar.script.run}}";
    private static final String BROKER = """
            kind: Broker
            spec:
              delivery: {retry: 10, backoffPolicy: exponential, backoffDelay: PT0.2S,
                deadLetterSink: {ref: {kind: Service, name: dead-letter}, uri: /dead-letter}}
            """;

    private static Routes routes(String filter, String more) {
        return CommittedRoutes.of(ProjectFiles.documents(BROKER + "---\nkind: Trigger\nmetadata: {name: one}\nspec:\n  " + filter
                + "\n  subscriber: {ref: {kind: JobSink, name: gpu}}\n" + more));
    }

    @Test
    void theBrokerOfOneMachineDeliversAsTheManifestsSay() {
        // On one machine there is one kind of machine, and a function in place of the Jobs.
        List<Routes.Trigger> committed = CommittedRoutes.read().triggers().stream().filter(trigger -> !trigger.subscriber().name().equals("script-gpu"))
                .map(trigger -> trigger.subscriber().name().equals("script-cpu")
                        ? new Routes.Trigger(Event.SCRIPT, new Routes.Subscriber("script", "/"), trigger.delivery()) : trigger)
                .toList();
        assertThat(committed).containsExactlyInAnyOrderElementsOf(Routes.toFunctions().triggers());
    }

    @Test
    void aScriptGoesToTheMachineThatItsEventNames() {
        Event script = Event.work(Event.SCRIPT, StepPath.parse("run/evaluation/script"), "asked");
        for (String machine : List.of("cpu", "gpu")) {
            assertThat(CommittedRoutes.read().of(script.with(Map.of(Event.HARDWARE, machine)))).singleElement()
                    .satisfies(trigger -> assertThat(trigger.subscriber().name()).isEqualTo("script-" + machine));
        }
        assertThat(CommittedRoutes.read().of(script)).as("so each says which").isEmpty();
    }

    @Test
    void aTriggerHasTheBrokersDeliveryUnlessItHasItsOwn() {
        assertThat(routes(TYPE, "").triggers().getFirst().delivery()).isEqualTo(new Routes.Delivery(
                10, new Backoff(Duration.ofMillis(200), CommittedRoutes.LONGEST_PAUSE), Duration.ofMinutes(10),
                new Routes.Subscriber("dead-letter", "/dead-letter")));
        Routes.Delivery own = routes(TYPE, "  delivery: {retry: 2, backoffPolicy: exponential, backoffDelay: PT1S, timeout: PT5S}\n")
                .triggers().getFirst().delivery();
        assertThat(own.retries()).isEqualTo(2);
        assertThat(own.timeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(own.deadLetters().name()).as("dead letters are the broker's").isEqualTo("dead-letter");
    }

    @Test
    void whatTheBrokerOfOneMachineDoesNotKnowIsRefusedInsteadOfIgnored() {
        for (String filter : List.of("filters: [{prefix: {type: io.mlestar}}]", "filter: {}",
                "filter: {attributes: {source: mlestar}}")) {
            assertThatThrownBy(() -> routes(filter, "")).as(filter).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("one");
        }
        assertThatThrownBy(() -> routes(TYPE, "  delivery: {retry: 2, backoffPolicy: linear}\n")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("exponential");
    }
}
