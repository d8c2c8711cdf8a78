package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Facts;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The first thing that a run does, and what comes of it.
class SurveyTest extends OneEngine {
    private static final String CONFIG = "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 1}";
    private static final StepPath PROBE = StepPath.parse("r/survey/machine");

    private final Map<StepPath, RunContext> contexts = new ConcurrentHashMap<>();
    /// What the probe prints.
    private String printed = "{\"python\": \"3.12.1\", \"processors\": 6}";

    private final Engine surveyed = engineOf();

    private Engine engineOf() {
        return process(world.asking(question -> {
            contexts.put(question.step(), question.context());
            return question.answer();
        }).running(job -> {
            Execution ran = job.execution();
            return job.script().kind().isProbe() ? World.execution(null, printed, null, null) : ran;
        }));
    }

    private StepResult.Status ends(String run, RunHeader header) {
        surveyed.start(header);
        deliverAll(surveyed);
        return end(run).status();
    }

    @Test
    void everyAgentKnowsWhatTheSurveyFound() {
        assertThat(ends("r", World.header("r", CONFIG))).isEqualTo(StepResult.Status.DONE);
        assertThat(contexts).hasSizeGreaterThan(10)
                .allSatisfy((step, context) -> assertThat(context.facts().machine().processors()).isEqualTo(6));
        assertThat(records.request(PROBE).orElseThrow().isScript()).isTrue();
        assertThat(RunContexts.facts(records, "r"))
                .hasValueSatisfying(facts -> assertThat(facts.machine().python()).isEqualTo("3.12.1"));
    }

    @Test
    void aProcessThatComesToTheRunLaterKnowsItToo() {
        surveyed.start(World.header("r", CONFIG));
        untilAsked("r/phase1/retriever");
        deliverAll(engineOf());
        assertThat(contexts).isNotEmpty()
                .allSatisfy((step, context) -> assertThat(context.facts().machine().processors()).isEqualTo(6));
    }

    @ParameterizedTest
    @ValueSource(strings = {"r/survey", "r/survey/machine"})
    void aSurveyThatCannotBeDoneLeavesTheRunAsItWas(String gone) {
        surveyed.start(World.header("r", CONFIG));
        deliverAllBut(step -> step.toString().equals(gone), "no node");
        assertThat(end("r").status()).isEqualTo(StepResult.Status.DONE);
        assertThat(contexts).isNotEmpty()
                .allSatisfy((step, context) -> assertThat(context.facts()).isEqualTo(Facts.NONE));
    }

    /// What is paid for answers would be lost. A library may be there all the same, or the answers
    /// cost nothing.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            "numpy", "pandas", "scikit-learn" | true  | FAILED
            "numpy", "pandas", "scikit-learn" | false | DONE
            "pandas", "scikit-learn", "torch" | true  | DONE
            """)
    void aRunWhoseScriptsHaveNoneOfTheUsualLibrariesStopsBeforeItsFirstCall(String missing, boolean needed,
            StepResult.Status end) {
        printed = "{\"python\": \"3.11.7\", \"missing\": [" + missing + "]}";
        assertThat(ends("r", World.header("r", CONFIG.replaceFirst("\\{", "{\"needs_libraries\": " + needed + ", "))))
                .isEqualTo(end);
        assertThat(contexts.isEmpty()).isEqualTo(end == StepResult.Status.FAILED);
        if (end == StepResult.Status.FAILED) {
            assertThat(end("r").reason()).contains("(3.11.7) has none of numpy, pandas, scikit-learn",
                    "needs_libraries=false");
        }
    }

    /// The other run may have been on another machine.
    @Test
    void aRunThatComesFromAnotherLooksForItself() {
        clock.tick = Duration.ofMillis(1);
        assertThat(ends("r", World.header("r", CONFIG))).isEqualTo(StepResult.Status.DONE);
        contexts.clear();
        printed = "{\"python\": \"3.13.0\", \"processors\": 64}";
        RunHeader fork = World.header("f", CONFIG)
                .from(new RunHeader.Origin("r", "finalization",
                        records.request(StepPath.parse("r/finalization")).orElseThrow().askedAt(), null));
        assertThat(ends("f", fork)).isEqualTo(StepResult.Status.DONE);
        assertThat(records.result(StepPath.parse("f/survey")).orElseThrow().sharedWith()).isNull();
        assertThat(world.paid).containsEntry(StepPath.parse("f/survey/machine"), 1);
        assertThat(contexts).isNotEmpty()
                .allSatisfy((step, context) -> assertThat(context.facts().machine().processors()).isEqualTo(64));
        assertThat(records.result(StepPath.parse("f/phase1")).orElseThrow().sharedWith())
                .as("what was paid for is taken over").isEqualTo("r/phase1");
    }

    /// A tenth of the limit, and not more than a minute.
    @ParameterizedTest
    @CsvSource({"5, 1", "60, 6", "600, 60", "86400, 60"})
    void theSurveyTakesASmallPartOfTheTime(int limit, int seconds) {
        engine.start(World.header("r", "{\"time_limit_seconds\": " + limit + "}"));
        engine.work(StepPath.root("r"));
        engine.work(StepPath.parse("r/survey"));
        assertThat(records.request(PROBE).orElseThrow().step("machine")).isInstanceOfSatisfying(RunScript.class,
                probe -> assertThat(probe.timeoutSeconds()).isEqualTo(seconds));
    }
}
