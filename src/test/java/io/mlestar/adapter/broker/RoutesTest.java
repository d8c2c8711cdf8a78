package io.mlestar.adapter.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.step.StepPath;
import org.junit.jupiter.api.Test;

class RoutesTest {
    @Test
    void everyEventOfARunHasExactlyOneSubscriber() {
        Routes routes = Routes.toFunctions();
        assertThat(routes.of(Event.work(Event.agentType("ens_planner"), StepPath.parse("r/phase1/x"), "asked")))
                .extracting(trigger -> trigger.subscriber().name()).containsExactly("ens-planner");
        assertThat(routes.of(Event.work(Event.SCRIPT, StepPath.parse("r/phase1/script"), "asked"))).hasSize(1);
        assertThat(routes.of(new Event(Event.RUN_COMPLETED, "r#end", "r", Json.object()))).isEmpty();
        assertThat(routes.triggers()).extracting(Routes.Trigger::filter).doesNotHaveDuplicates();
        assertThat(routes.triggers()).allSatisfy(trigger -> {
            assertThat(trigger.delivery().retries()).as(trigger.filter().toString()).isPositive();
            assertThat(trigger.delivery().deadLetters())
                    .isEqualTo(new Routes.Subscriber("dead-letter", "/dead-letter"));
        });
    }
}
