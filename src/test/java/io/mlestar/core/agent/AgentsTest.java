package io.mlestar.core.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.Requirement;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Agent;
import io.mlestar.core.task.AgentType;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class AgentsTest {
    static Stream<Agent<?>> agents() {
        return Given.agents().stream();
    }

    private static Agent<?> fromUser(String type, String input) {
        return Agents.ALL.fromUser(AgentType.of(type).orElseThrow(), Json.parse(input));
    }

    @Test
    @Requirement({"REQ-DM-013", "REQ-OR-057"})
    void theCatalogueHoldsEveryRecordByTheNameOfItsStep() {
        assertThat(Agents.BY_NAME).hasSameSizeAs(Given.agents());
        assertThat(Given.agents())
                .allSatisfy(agent -> assertThat(Agents.BY_NAME.get(agent.name())).isEqualTo(agent.getClass()));
        assertThat(Given.agents()).extracting(Agent::type).contains(AgentType.values());
        assertThat(Agents.BY_NAME.keySet())
                .allSatisfy(name -> assertThat(AgentType.of(name.split("-")[0])).isPresent());
    }

    @ParameterizedTest
    @MethodSource("agents")
    void aRecordIsItsOwnJson(Agent<?> agent) {
        assertThat(Json.read(Json.parse(Json.text(agent)), agent.getClass())).isEqualTo(agent);
    }

    @ParameterizedTest
    @MethodSource("agents")
    void aUserGivesTheFieldsAndTheVariant(Agent<?> agent) {
        ObjectNode input = (ObjectNode) Json.tree(agent);
        agent.variant().ifPresent(variant -> input.put("variant", variant));
        ObjectNode before = input.deepCopy();

        assertThat(Agents.ALL.fromUser(agent.type(), input)).isEqualTo(agent);
        assertThat(input).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~',
            textBlock = """
                    retriever | {"task_description": "t"}                                          | M
                    retriever | {"task_description": "t", "M": 0}                                  | M must be at least 1
                    retriever | {"task_description": " ", "M": 1}                                  | task_description
                    coder     | {"plan": "p"}                                                      | code_block is required
                    coder     | {"code_block": "c", "plan": ["p"]}                                 | plan
                    coder     | {"code_block": "c", "plan": "p", "plans": []}                      | unknown field plans; did you mean plan?
                    planner   | {"code_block": "c", "plans": ["p"]}                                | scores is required
                    planner   | {"code_block": "c", "plans": ["p"], "scores": ["x"]}               | scores
                    planner   | {"code_block": "c", "plans": ["p"], "scores": ["NaN"]}             | scores.[0] must be a number, but is "NaN"
                    planner   | {"code_block": "c", "plans": ["p"], "scores": [1e999]}             | scores.[0] must be a number
                    planner   | {"code_block": "c", "plans": ["p"], "scores": [1], "trial": {"score": "-Infinity"}} | trial.score must be a number
                    planner   | {"code_block": "c", "plans": ["p"], "scores": [1], "trial": {"score": "NaN"}} | trial.score must be a number
                    ens_planner | {"solutions": ["a", "b"], "plans": ["p"], "scores": ["INF"]}     | scores.[0] must be a number
                    ensembler | {"solutions": ["a", "b"], "trials": [{"score": 1, "seconds": "NaN"}, null], "ensemble_plan": "p"} | trials.[0].seconds must be a number
                    debugger  | {"code": "c", "bug": "b", "kind": "OTHER"}                         | kind
                    test      | {"task_description": "t", "final_solution": "s", "variant": "no"}  | variant must be one of
                    planner   | {"code_block": "c", "plans": ["p"], "scores": [1], "variant": "detection"} | variant must be one of
                    planner   | [1]                                                                | must be a JSON object
                    """)
    void badInputIsRefusedByTheNameOfTheField(String type, String input, String named) {
        assertThatThrownBy(() -> fromUser(type, input)).isInstanceOf(Invalid.class).hasMessageContaining(named);
    }
}
