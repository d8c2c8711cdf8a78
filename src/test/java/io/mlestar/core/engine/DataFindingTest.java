package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.step.Answer.DataLook;
import io.mlestar.core.step.Answer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What agents are told of the looks of others at the data.
class DataFindingTest {
    private static Map<String, List<String>> told(int looks) {
        Map<String, List<String>> told = new LinkedHashMap<>();
        OneEngine one = new OneEngine(new World(7, 0).asking(question -> {
            told.put(question.step().inside(), question.context().findings());
            Answer answer = question.answer(text -> text);
            return !question.agent().name().equals("init") ? answer
                    : new Answer(answer.text(), answer.usage(), answer.shortfall(), answer.system(), answer.prompt(),
                            List.of(new DataLook("print(1)", "days in both:\n```12\n" + "x".repeat(900)),
                                    new DataLook("pass", " "),
                                    new DataLook("fail()", "Error: exit code 1\nTraceback")));
        }));
        one.engine.start(World.header("r",
                "{\"search\": \"strong\", \"num_retrieved_models\": 2, \"num_parallel_solutions\": 1, \"attempts\": 2, \"agents_look\": "
                        + looks + "}"));
        while (!one.events.isEmpty()) {
            one.deliver(one.engine);
        }
        assertThat(one.records.hasEnded("r")).isTrue();
        return told;
    }

    @Test
    void whatOneSawIsAFactForThoseWhoAreAskedLater() {
        Map<String, List<String>> told = told(3);
        assertThat(told.get("phase2/leg0/path0-attempt1/coder-script")).hasSize(2)
                .allMatch(line -> line.matches("- candidate[01]: days in both:\n    '''12\n    x+…")
                        && line.length() < 710);
        assertThat(told.get("phase2/leg0/path0-attempt0/coder-script")).hasSize(2);
        assertThat(told.get("phase1/retriever")).isEmpty();
        assertThat(told(0).values()).containsOnly(List.of());
    }
}
