package io.mlestar.app.function;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.event.Event;
import io.mlestar.core.event.Functions;
import io.mlestar.core.phase.Phases;
import io.mlestar.core.task.AgentType;
import io.quarkus.funqy.Funq;
import io.quarkus.funqy.knative.events.CloudEventMapping;
import module java.base;
import org.junit.jupiter.api.Test;

/// Funqy loses one of two functions of the same name in silence, so the names are checked here.
class FunctionsTest {
    private static List<Method> functions(Class<?>... classes) {
        return Stream.of(classes).flatMap(type -> Stream.of(type.getDeclaredMethods()))
                .filter(method -> method.isAnnotationPresent(Funq.class)).toList();
    }

    @Test
    void theListOfFunctionsIsWhatTheDoorsDeclare() {
        List<Method> all = functions(AgentFunctions.class, PhaseFunctions.class, RunFunctions.class);
        assertThat(Functions.ALL).extracting(function -> function.export() + " " + function.type())
                .containsExactlyInAnyOrderElementsOf(
                        all.stream().map(method -> method.getAnnotation(Funq.class).value() + " "
                                + method.getAnnotation(CloudEventMapping.class).trigger()).toList());
        assertThat(Functions.ALL).extracting(Functions.Spec::kubernetesName).doesNotHaveDuplicates()
                .allSatisfy(name -> assertThat(name).matches("[a-z]([a-z-]{0,61}[a-z])?"));
    }

    @Test
    @Requirement({"REQ-OR-006", "REQ-OR-057"})
    void thereIsOneFunctionPerAgentWithItsNameInTheTrigger() {
        each(AgentFunctions.class, Stream.of(AgentType.values()).map(AgentType::id).toList(), Event::agentType);
    }

    @Test
    void thereIsOneFunctionPerKindOfPhase() {
        each(PhaseFunctions.class, Phases.BY_KIND.keySet(), Event::phaseType);
    }

    private static void each(Class<?> type, Collection<String> names, UnaryOperator<String> trigger) {
        List<Method> functions = functions(type);
        assertThat(functions).extracting(method -> method.getAnnotation(Funq.class).value())
                .containsExactlyInAnyOrderElementsOf(names);
        assertThat(functions).allSatisfy(method -> assertThat(method.getAnnotation(CloudEventMapping.class).trigger())
                .isEqualTo(trigger.apply(method.getAnnotation(Funq.class).value())));
    }
}
