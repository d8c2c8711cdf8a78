package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.agent.ScriptCoder;
import io.mlestar.core.base.Json;
import io.mlestar.core.phase.Pipeline;
import io.mlestar.core.phase.ScriptAttempt;
import io.mlestar.core.phase.ScriptSearch;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Walk;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.AttemptRecord;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Whole runs with attempts on whole scripts: deaths, forks and replays change nothing.
class SearchRunTest extends OneEngine {
    private static final String CONFIG =
            """
                    {"search": "strong", "num_retrieved_models": 3, "num_parallel_solutions": 2, "attempts": 24, "studies": 3, "agents_look": 0,
                     "max_debug_attempts": 1}""";

    private static List<ScriptAttempt> turns(OneEngine one, String run) {
        return Walk.OWN.steps(one.records, run).map(KnownStep::step).filter(ScriptAttempt.class::isInstance)
                .map(ScriptAttempt.class::cast).toList();
    }

    @Test
    void aWholeRunMakesItsStudiesAndAttemptsAndPaysForNoneTwice() {
        runToTheEnd(CONFIG);

        Pipeline.Result solved = ((StepResult.Done) end("r").ending()).of(new Pipeline());
        List<AttemptRecord> made = solved.phase2Results().stream()
                .flatMap(path -> path.stepHistory().getFirst().innerLoopAttempts().stream())
                .map(attempt -> attempt.finding()).toList();
        assertThat(made).as("it ends when neither path gains any more").hasSize(16).anyMatch(AttemptRecord::isStudy)
                .anyMatch(AttemptRecord::isKept)
                .anyMatch(one -> one.fusedWith() != null);
        assertThat(solved.completed()).contains("phase1", "phase2");
        assertThat(solved.phase1().study().table()).isEqualTo(CannedAnswers.OUTPUT);
        assertThat(world.paidTwice()).isZero();
        Map<StepPath, Integer> paid = Map.copyOf(world.paid);
        sweep(engine).run("r", Duration.ZERO);
        deliverAll();
        assertThat(world.paid).as("a replay asks nothing again").isEqualTo(paid);
    }

    @Test
    void whatALookFoundIsKnownToTheNextAttemptsOfAllPaths() {
        Map<String, List<String>> told = new LinkedHashMap<>();
        world.asking(question -> {
            told.put(question.step().inside(), question.context().findings());
            assertThat(question.context().timeUsed()).endsWith(" minutes");
            Answer made = question.answer();
            return question.agent() instanceof ScriptCoder && question.step().inside().contains("path0-attempt0")
                    ? new Answer(made.text(), made.usage(), null, "", "",
                            List.of(new Answer.DataLook("print(1)",
                                    "one plan:\n```12\n" + "x".repeat(900) + "\n[stderr]\nFutureWarning: old"),
                                    new Answer.DataLook("pass", " "),
                                    new Answer.DataLook("fail()", "Error: exit code 1\nTraceback")))
                    : made;
        });
        runToTheEnd(CONFIG.replace("\"agents_look\": 0", "\"agents_look\": 2"));

        assertThat(told.entrySet())
                .filteredOn(asked -> asked.getKey().matches("phase2/leg0/path1-attempt[1-9].*coder.*")).isNotEmpty()
                .allSatisfy(asked -> assertThat(asked.getValue()).singleElement().asString()
                        .matches("- path0-attempt0: one plan:\\n    '''12\\n    x+…").hasSizeLessThan(720));
        assertThat(told.get("phase1/retriever")).isEmpty();
    }

    @Test
    void anotherPathsBestIsComparedWithTheReadersOwn() {
        runToTheEnd(CONFIG);

        assertThat(turns(this, "r")).filteredOn(turn -> turn.number() >= 2).isNotEmpty()
                .allSatisfy(turn -> assertThat(turn.others())
                        .filteredOn(other -> other.gain() != null).as(turn.name())
                        .allSatisfy(other -> assertThat(other.step()).doesNotContain("path" + turn.path())));
        assertThat(turns(this, "r")).filteredOn(turn -> turn.best() != null).isNotEmpty()
                .allSatisfy(turn -> assertThat(turn.others())
                        .as("its own best is shown whole").extracting(AttemptRecord::step)
                        .doesNotContain(String.valueOf(turn.best().step())));
        assertThat(turns(this, "r")).filteredOn(turn -> turn.studiesLeft() == 0)
                .as("no study when nothing can be built on it").isNotEmpty();
    }

    /// With a gain each time, so that all attempts are made.
    @Test
    void inputsOfAnAttemptAreBounded() {
        AtomicInteger ran = new AtomicInteger();
        world.running(job -> job.script().kind() == Kind.SOLUTION
                ? World.execution(1 + ran.incrementAndGet() / 1_000.0, CannedAnswers.OUTPUT, null, null)
                : job.execution());
        runToTheEnd(CONFIG.replace("\"attempts\": 24", "\"attempts\": 60"));

        assertThat(turns(this, "r")).hasSize(61)
                .allSatisfy(turn -> assertThat(Json.bytes(turn).length).isLessThan(60_000));
        assertThat(records.request(StepPath.parse("r/phase2")).orElseThrow().step("phase2"))
                .isInstanceOf(ScriptSearch.class);
    }
}
