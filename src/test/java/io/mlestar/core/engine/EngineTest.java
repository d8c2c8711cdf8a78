package io.mlestar.core.engine;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.core.base.Json;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.TaskDescription;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EngineTest extends OneEngine {
    private static final int MOST = 64 << 10;
    private static final int LONG = 4 * MOST;
    private static final int LONGEST_DESCRIPTION = 256 << 10;

    @Test
    @Requirement({"REQ-OR-001", "REQ-OR-036", "REQ-OR-037", "REQ-OR-038", "REQ-OR-039", "REQ-OR-027"})
    void aRunEndsWithAResultInItsFolderAndOneEvent() {
        keepSubmission();
        JsonNode result = runToTheEnd("{\"outer_loop_steps\": 1, \"inner_loop_steps\": 2}");
        assertThat(result.path("submission_path").asText()).endsWith("runs/r/submission.csv");
        assertThat(result.path("phase2_results")).hasSize(2);
        assertThat(result.path("phases_completed")).extracting(JsonNode::asText)
                .containsExactly("phase1", "phase2", "phase3", "finalization");
        assertThat(result.path("total_cost_usd").asDouble()).isEqualTo(world.paid.keySet().stream()
                .filter(step -> !RunScript.NAMES.contains(step.plainName())).count() * World.COST,
                org.assertj.core.data.Offset.offset(1e-9));
        assertThat(result.path("phases").path("phase2").path("cost_usd").asDouble()).isEqualTo(
                result.path("phases").path("phase2-path0").path("cost_usd").asDouble()
                        + result.path("phases").path("phase2-path1").path("cost_usd").asDouble());
        assertThat(result.path("lineage")).isNotEmpty();
        assertThat(store.read("runs/r/final_solution.py")).isPresent();
        assertThat(ends).extracting(Event::type).containsExactly(Event.RUN_COMPLETED);
        assertThat(ends.getFirst().data().path("score")).isEqualTo(result.path("best_score"));
    }

    @Test
    @Requirement({"REQ-OR-017", "REQ-OR-012", "REQ-OR-013", "REQ-OR-014", "REQ-OR-016", "REQ-OR-018", "REQ-OR-019",
        "REQ-OR-021", "REQ-OR-023"})
    void noPhaseBeginsBeforeTheOneBeforeItHasEnded() {
        clock.tick = Duration.ofMillis(1);
        runToTheEnd("{\"outer_loop_steps\": 1}");
        List<KnownStep> phases = records.below(StepPath.root("r"));
        assertThat(phases).extracting(phase -> phase.path().name())
                .containsExactly("survey", "phase1", "phase2-path0", "phase2-path1", "phase3", "finalization");
        Instant paths = phases.get(2).result().orElseThrow().endedAt();
        assertThat(phases.get(1).request().askedAt()).isAfter(phases.get(0).result().orElseThrow().endedAt());
        assertThat(phases.get(2).request().askedAt()).isAfter(phases.get(1).result().orElseThrow().endedAt());
        assertThat(phases.get(3).request().askedAt()).isBefore(paths);
        assertThat(phases.get(4).request().askedAt()).isAfter(paths)
                .isAfter(phases.get(3).result().orElseThrow().endedAt());
        assertThat(phases.get(5).request().askedAt()).isAfter(phases.get(4).result().orElseThrow().endedAt());
    }

    @Test
    @Requirement({"REQ-OR-029", "REQ-OR-030", "REQ-OR-043"})
    void whenTheMoneyIsGoneTheRunFinishesWithTheBestSoFar() {
        JsonNode result = runToTheEnd("{\"max_budget_usd\": 0.30}");
        assertThat(result.path("stop_reason").asText()).contains("budget");
        assertThat(result.path("phases_completed")).extracting(JsonNode::asText).contains("phase1", "finalization");
        assertThat(result.path("total_cost_usd").asDouble()).as("finalization included").isBetween(0.2599, 0.3);
        assertThat(result.path("best_score").asDouble())
                .isGreaterThanOrEqualTo(result.path("phase1").path("initial_score").asDouble());
    }

    @Test
    @Requirement({"REQ-OR-042", "REQ-OR-030"})
    void moneyThatDoesNotReachThroughPhase1FailsTheRunWithDiagnostics() {
        assertThat(runToTheEnd("{\"max_budget_usd\": 0.005}")).isNull();
        JsonNode failed = store.read("runs/r/failed.json").map(Json::parse).orElseThrow();
        assertThat(failed.path("error").asText()).isEqualTo("PipelineTimeoutError");
        assertThat(failed.path("diagnostics").path("cost_usd").asDouble()).isEqualTo(World.COST);
        assertThat(failed.path("diagnostics").path("last_successful_step").asText()).isEqualTo("r/phase1/retriever");
        assertThat(ends).extracting(Event::type).containsExactly(Event.RUN_FAILED);
    }

    @Test
    void aCancelledRunFinishesWithTheBestSoFar() {
        engine.start(World.header("r", "{}"));
        for (int i = 0; i < 60; i++) {
            deliver(engine);
        }
        assertThat(records.cancel("r")).isTrue();
        assertThat(records.cancel("r")).isFalse();
        JsonNode result = runToTheEnd("{}");
        assertThat(result.path("stop_reason").asText()).isEqualTo("the run was cancelled");
        assertThat(result.path("phases_completed")).extracting(JsonNode::asText).contains("finalization");
    }

    @Test
    void aStepThatIsKnownIsNotDoneAgainButItsPhaseIsWoken() {
        engine.start(World.header("r", "{}"));
        afterTheSurvey();
        engine.work(StepPath.parse("r/phase1"));
        StepPath retriever = StepPath.parse("r/phase1/retriever");
        engine.work(retriever);
        events.clear();
        engine.work(retriever);
        assertThat(world.paid).containsEntry(retriever, 1);
        assertThat(events).extracting(Event::subject).containsExactly("r/phase1");
    }

    @Test
    void eventsForWhatDoesNotExistAreRefusedForGood() {
        refusal(() -> engine.work(StepPath.parse("none/phase1"))).contains("no run");
        engine.start(World.header("r", "{}"));
        refusal(() -> engine.work(StepPath.parse("r/phase9"))).contains("never asked");
    }

    @Test
    void aDeadLetterFailsItsStepAndTheRunGoesOn() {
        engine.start(World.header("r", "{\"outer_loop_steps\": 1}"));
        deliverAllBut(step -> step.inside().equals("phase1/candidate1/init"), "the model was out of reach");
        JsonNode result = store.read("runs/r/result.json").map(Json::parse).orElseThrow();
        assertThat(result.path("phase1").path("candidate_scores").path(1).isNull()).isTrue();
        assertThat(result.path("phase1").path("candidate_scores").path(0).isNumber()).isTrue();
    }

    @Test
    void aRunThatWasWrittenByAnotherProgramStopsAndSaysWhere() {
        engine.start(World.header("r", "{}"));
        afterTheSurvey();
        StepRequest other =
                new StepRequest("agent/coder", Json.object(), "phase/initial-solution", World.NOW, World.NOW, false);
        records.create(StepPath.parse("r/phase1/retriever"), other);
        engine.work(StepPath.parse("r/phase1"));
        StepResult result = records.result(StepPath.root("r")).orElseThrow();
        assertThat(result.status()).isEqualTo(StepResult.Status.FAILED);
        assertThat(result.reason()).contains("r/phase1", "retriever", "agent/coder", "the program has changed");
    }

    /// All answers and outputs are longer than an event may be.
    private static World talkative(int faults) {
        return new World(7, faults).asking(question -> {
            try {
                return question.answer(text -> text.replace("\nBLOCK", "\n# " + "x".repeat(LONG) + "\nBLOCK"));
            } catch (StepFailed e) {
                throw new StepFailed("x".repeat(LONG));
            }
        }).running(job -> DrivenRun.saying(job.execution(), "x".repeat(LONG)));
    }

    private static List<Event> events(int faults) {
        RunHeader made =
                World.header("run", "{\"num_retrieved_models\": 2, \"outer_loop_steps\": 1, \"inner_loop_steps\": 1}");
        TaskDescription task = made.task();
        RunHeader header = new RunHeader("run",
                new TaskDescription(task.competitionId(), task.taskType(), task.dataModality(), task.evaluationMetric(),
                        task.metricDirection(), "x".repeat(LONGEST_DESCRIPTION), "/data", null),
                made.config(), "no GPU", "test", "digest", World.NOW, made.deadline(), null, null);
        OneEngine one = new OneEngine(talkative(faults));
        one.engine.start(header);
        one.deliverAll();
        assertThat(one.published).last().satisfies(end -> assertThat(end.endsRun()).isTrue());
        return one.published;
    }

    @ParameterizedTest
    @CsvSource({"30, false", "200, true"})
    void noEventOfARunHoldsWhatItsStepsHold(int faults, boolean fails) {
        List<Event> all = events(faults);
        assertThat(all.getLast().type().equals(Event.RUN_FAILED)).isEqualTo(fails);
        assertThat(all)
                .filteredOn(event -> Json.bytes(event.data()).length + event.headers().toString().length() >= MOST)
                .extracting(Event::id).isEmpty();
    }
}
