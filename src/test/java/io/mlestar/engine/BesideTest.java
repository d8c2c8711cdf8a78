package io.mlestar.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.agent.Leakage;
import io.mlestar.event.Event;
import io.mlestar.records.Watcher;
import io.mlestar.step.Agent;
import io.mlestar.step.Answer;
import io.mlestar.step.Brief;
import io.mlestar.step.Execution;
import io.mlestar.step.Outcome;
import io.mlestar.step.RunScript;
import io.mlestar.step.SecondAsk;
import io.mlestar.step.StepPath;
import io.mlestar.step.Window;
import io.mlestar.task.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Scripts that run beside their leakage check, of which those of the first candidate and of the first attempts leak.
class BesideTest {
    private static final class Lab extends OneEngine implements Performer {
        private final List<StepPath> ran = new ArrayList<>();
        private final Engine own = new Engine(records, this::take, this, clock, new Watcher() {});
        /// Whether the check has always found the leak while the script still runs.
        private final boolean quickCheck;

        Lab(boolean quickCheck) {
            this.quickCheck = quickCheck;
        }

        @Override
        public String promptsDigest() {
            return world.promptsDigest();
        }

        @Override
        public Answer ask(StepPath step, Agent<?> agent, Brief brief, Duration timeout, SecondAsk second) {
            Answer answer = world.ask(step, agent, brief, timeout, second);
            return agent instanceof Leakage(String code) && leaks(code)
                    ? new Answer(Json.line(Map.of("answers", List.of(Map.of("leakage_status", "Yes Data Leakage", "code_block", code)))),
                            answer.usage(), "", "")
                    : answer;
        }

        @Override
        public Execution run(StepPath step, RunScript script, Brief brief, Window window, Begin begin) {
            ran.add(step);
            Execution execution = world.run(step, script, brief, window, begin);
            if (quickCheck && leaks(script.content())) {
                while (records.result(step).isEmpty()) {
                    deliver(events.poll());
                }
            }
            return execution;
        }

        private static boolean leaks(String code) {
            return code.contains("candidate0/init") || code.contains("attempt0/coder");
        }

        private void deliver(Event event) {
            own.work(Event.stepOf(event.data()));
        }

        /// @return the result, without what differs from run to run
        JsonNode runs(String timing) {
            own.start(World.header("r", "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 2, \"leakage_check\": \"" + timing + "\"}"));
            while (!events.isEmpty()) {
                deliver(events.poll());
            }
            return store.read("runs/r/result.json").map(Json::parse).orElseThrow();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theResultIsThatOfCheckingBeforeAndWhatLeakedNeverCounts(boolean quickCheck) {
        Lab before = new Lab(false);
        JsonNode wanted = before.runs("before");
        Lab beside = new Lab(quickCheck);
        JsonNode got = beside.runs("beside");

        for (String part : List.of("best_score", "final_solution", "phase1", "phase2_results", "phase3", "submission_path", "lineage")) {
            assertThat(got.path(part)).as(part).isEqualTo(wanted.path(part));
        }
        assertThat(wanted.path("phase1").path("leaks")).isNotNull();
        List<StepPath> vain = beside.ran.stream().filter(step -> Lab.leaks(content(beside, step))).toList();
        assertThat(vain).as("scripts that were begun in vain").isNotEmpty();
        assertThat(beside.ran).hasSize(before.ran.size() + vain.size());
        assertThat(before.ran).noneMatch(step -> Lab.leaks(content(before, step)));
        for (StepPath step : vain) {
            RunScript script = (RunScript) beside.records.request(step).orElseThrow().step(step.plainName());
            Outcome<?> outcome = beside.records.result(step).orElseThrow().outcome(script);
            if (quickCheck) {
                assertThat(outcome).as("ended by the check").isInstanceOf(Outcome.Stopped.class);
            }
        }
    }

    private static String content(Lab lab, StepPath step) {
        return ((RunScript) lab.records.request(step).orElseThrow().step(step.plainName())).content();
    }
}
