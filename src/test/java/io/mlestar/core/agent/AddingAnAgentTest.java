package io.mlestar.core.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.MetricDirection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// A made-up agent: a record, a prompt (`prompts/planner-critic.md` of the tests), a row. The
/// fourth edit, the name of a type of its own in `core/task/AgentType.java`, is asked for by the
/// compiler; what `make manifests interfaces` writes by `ManifestsTest` and `InterfacesTest`.
class AddingAnAgentTest {
    private static final Agents WITH_CRITIC =
            new Agents(with(Agents.variant(AgentType.PLANNER, "critic", Critic.class, List.of("Read"), null,
                    "Says what is wrong with a plan")));

    /// Finds fault with a plan.
    record Critic(String plan) implements Agent<Reply.Plan> {
        Critic {
            Invalid.text("plan", plan);
        }

        @Override
        public AgentType type() {
            return AgentType.PLANNER;
        }

        @Override
        public Optional<String> variant() {
            return Optional.of("critic");
        }

        @Override
        public Map<String, String> variables(RunContext context) {
            return Map.of("plan", plan);
        }

        @Override
        public Reply.Plan read(String answer) {
            return new Reply.Plan(Reading.prose(answer));
        }
    }

    private static List<Agents.AgentRow> with(Agents.AgentRow row) {
        List<Agents.AgentRow> rows = new ArrayList<>(Agents.ALL.rows());
        rows.add(row);
        return rows;
    }

    @Test
    void aStepOfItsNameIsItsRecord() {
        assertThat(WITH_CRITIC.byName()).containsEntry("planner-critic", Critic.class)
                .hasSize(Agents.BY_NAME.size() + 1);
    }

    @Test
    void aUserAsksItByItsVariant() {
        assertThat(
                WITH_CRITIC.fromUser(AgentType.PLANNER, Json.parse("{\"plan\": \"Stack.\", \"variant\": \"critic\"}")))
                .isEqualTo(new Critic("Stack."));
    }

    @Test
    void itsPromptIsFoundAndFilled() {
        assertThat(Prompts.load(Map.of(), WITH_CRITIC.prompts())
                .render(new Critic("Stack."), Given.context(MetricDirection.MAXIMIZE), Abilities.NONE).text())
                .isEqualTo("What is wrong with this plan?\n\nStack.");
    }
}
