package io.mlestar.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.adapter.broker.Routes;
import io.mlestar.core.event.Event;
import io.mlestar.core.step.StepPath;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CommittedRoutesTest {
    @Test
    void theBrokerOfOneMachineDeliversAsTheManifestsSay() {
        // On one machine there is one kind of machine, and a function in place of the Jobs.
        List<Routes.Trigger> committed = CommittedRoutes.read().triggers().stream()
                .filter(trigger -> !trigger.subscriber().name().equals("script-gpu"))
                .map(trigger -> trigger.subscriber().name().equals("script-cpu")
                        ? new Routes.Trigger(Event.SCRIPT, new Routes.Subscriber("script", "/"), trigger.delivery())
                        : trigger)
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
}
