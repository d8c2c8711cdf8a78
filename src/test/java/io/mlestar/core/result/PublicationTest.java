package io.mlestar.core.result;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.Requirement;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.DamagedRunTest;
import io.mlestar.core.engine.World;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.store.Store;
import io.mlestar.show.log.LoggedRun.Ran;
import io.mlestar.show.log.LoggedRun;
import module java.base;
import org.junit.jupiter.api.Test;

/// The files that a run leaves in its folder, above all where finalization gave no submission.
class PublicationTest {
    private static final String NO_CODE = "Sorry, I cannot.";
    private static final String PATH0 = "phase2-path0/block0/attempt0/evaluation/script";
    private static final String PATH1 = "phase2-path1/block0/attempt0/evaluation/script";

    private static LoggedRun run() {
        return new LoggedRun(
                """
                        {"outer_loop_steps": 1, "inner_loop_steps": 1, "ensemble_rounds": 1, "max_debug_attempts": 1, "final_solution": "ensemble"}""");
    }

    private static LoggedRun withoutFinalScript() {
        return run().answer("finalization/test", NO_CODE).answer("finalization/test-2", NO_CODE);
    }

    private static Ran wrote(double score, long rows) {
        return new Ran(score, null, false, rows);
    }

    private static JsonNode read(LoggedRun run, String name) {
        return run.records.store().read("runs/r/" + name).map(Json::parse).orElseThrow();
    }

    private static boolean isSubmitted(LoggedRun run) {
        return run.records.store().read("runs/r/submission.csv").isPresent();
    }

    @Test
    @Requirement({"REQ-OR-036", "REQ-OR-043"})
    void submissionOfFinalizationIsNamedAsSuch() {
        JsonNode result = read(run().ran(PATH0, wrote(0.9, 5)).scores("phase3/round0/evaluation/script", 0.4).played(),
                "result.json");

        assertThat(result.path("submission_source").asText()).isEqualTo("finalization");
        assertThat(result.path("submission_failure").isNull()).isTrue();
        assertThat(result.path("baseline_score").asDouble())
                .isEqualTo(result.path("phase1").path("initial_score").asDouble());
        assertThat(result.path("better_script")).isEqualTo(Json.parse("{\"step\": \"phase2-path0\", \"score\": 0.9}"));
        assertThat(result.path("lineage")).extracting(JsonNode::asText)
                .noneMatch(line -> line.startsWith("submission:"));
    }

    @Test
    @Requirement({"REQ-OR-043", "REQ-FN-025", "REQ-P3-015"})
    void withoutItTheOneThatTheFinalScriptWroteIsTaken() {
        LoggedRun run = withoutFinalScript().ran(PATH0, wrote(0.9, 5))
                .ran("phase3/round0/evaluation/script", wrote(0.4, 3)).played();
        JsonNode result = read(run, "result.json");

        assertThat(isSubmitted(run)).isTrue();
        assertThat(result.path("submission_path").asText()).endsWith("runs/r/submission.csv");
        assertThat(result.path("submission_source").asText()).isEqualTo("phase3/round0/evaluation/script");
        assertThat(result.path("submission_failure").isNull()).isTrue();
        assertThat(result.path("submission_replaced").asText()).isEqualTo("the test agent gave no submission script");
        assertThat(result.path("phases_completed")).extracting(JsonNode::asText).doesNotContain("finalization");
        assertThat(result.path("lineage")).extracting(JsonNode::asText).last()
                .isEqualTo(
                        "submission: as a last resort the one that phase3/round0/evaluation/script wrote (score 0.4, 3 rows)");
    }

    @Test
    @Requirement("REQ-OR-043")
    void elseTheOneOfTheBestScriptThatWroteOneWithRows() {
        LoggedRun run = withoutFinalScript().ran(PATH0, wrote(0.5, 5)).ran(PATH1, wrote(0.6, 5))
                .ran("phase1/candidate0/evaluation/script", wrote(0.3, 5))
                .ran("phase1/candidate1/evaluation/script", wrote(0.55, 0))
                .scores("phase3/round0/evaluation/script", 0.95).played();

        assertThat(read(run, "result.json").path("submission_source").asText()).isEqualTo(PATH1);
        assertThat(isSubmitted(run)).isTrue();
    }

    @Test
    @Requirement({"REQ-OR-043", "REQ-FN-025"})
    void withoutAnySubmissionTheResultSaysWhy() {
        LoggedRun run = withoutFinalScript().played();
        JsonNode result = read(run, "result.json");

        assertThat(isSubmitted(run)).isFalse();
        assertThat(result.path("submission_path").asText("missing")).isEmpty();
        assertThat(result.path("submission_source").isNull()).isTrue();
        assertThat(result.path("submission_failure").asText()).isEqualTo(
                "no script wrote ./final/submission.csv; finalization: the test agent gave no submission script");
        assertThat(run.lines).anyMatch(
                line -> line.startsWith("WARN event=published step=r what=no-submission reason=\"no script wrote"));
    }

    @Test
    @Requirement("REQ-OR-036")
    void theResultSaysWhatIsWrongWithTheFormOfASubmission() {
        LoggedRun run = run().ran("finalization/evaluation/script",
                new Ran(null, null, false, 5L, "not as sample_submission.csv: short")).played();
        JsonNode result = read(run, "result.json");

        assertThat(isSubmitted(run)).isTrue();
        assertThat(result.path("submission_source").asText()).isEqualTo("finalization");
        assertThat(result.path("submission_failure").asText()).isEqualTo("not as sample_submission.csv: short");
        assertThat(result.path("phases_completed")).extracting(JsonNode::asText).doesNotContain("finalization");
        assertThat(result.path("lineage")).extracting(JsonNode::asText).last()
                .isEqualTo("submission: not valid: not as sample_submission.csv: short");
        assertThat(run.lines).anyMatch(
                line -> line.startsWith("WARN event=published step=r what=invalid-submission reason=\"not as"));
    }

    @Test
    @Requirement("REQ-OR-043")
    void theLastResortIsOneOfTheRightFormIfThereIsOne() {
        LoggedRun run = withoutFinalScript().ran(PATH0, new Ran(0.9, null, false, 5L, "short"))
                .ran(PATH1, wrote(0.6, 5)).played();
        assertThat(read(run, "result.json").path("submission_source").asText()).isEqualTo(PATH1);

        run = withoutFinalScript().ran(PATH0, new Ran(0.9, null, false, 5L, "short")).played();
        assertThat(read(run, "result.json").path("submission_source").asText()).isEqualTo(PATH0);
        assertThat(read(run, "result.json").path("submission_failure").asText()).isEqualTo("short");
    }

    @Test
    @Requirement("REQ-OR-043")
    void aSubmissionThatTheStoreHasLostIsNotPublished() {
        LoggedRun run = run().ran(PATH0, wrote(0.9, 5)).played();
        RunHeader header = run.records.header("r").orElseThrow();
        Records lost = withoutEnd(run, false);

        JsonNode result = published(lost, header, lost.result(StepPath.root("r")).orElseThrow(), "result.json");

        assertThat(lost.store().read("runs/r/submission.csv")).isEmpty();
        assertThat(result.path("submission_source").isNull()).isTrue();
        assertThat(result.path("submission_failure").asText())
                .contains("finalization: the store does not hold its submission");
        StepResult failed = failed(header.startedAt(), header.startedAt().plusSeconds(60), 0.1);
        assertThat(published(lost, header, failed, "failed.json").has("submission")).isFalse();
    }

    @Test
    @Requirement({"REQ-OR-036", "REQ-OR-038"})
    void eachPhaseThatHasEndedHasItsTimeAndWhatItCostIfThatIsKnown() {
        Records records = new Records(new MemoryStore());
        RunHeader header = World.header("r", "{}");
        Records played = run().played().records;
        records.create(header);
        phase(records, played, "phase2-path0", 0, 30, 0.25);
        phase(records, played, "phase2-path1", 10, 90, null);
        phase(records, played, "phase3", 100, 101.5, 0.5);
        StepPath open = StepPath.parse("r/finalization");
        records.create(open, played.request(open).orElseThrow());

        JsonNode phases = published(records, header, played.result(StepPath.root("r")).orElseThrow(), "result.json")
                .path("phases");
        assertThat(phases.properties()).extracting(Map.Entry::getKey).containsExactly("phase2-path0", "phase2-path1",
                "phase3", "phase2");
        assertThat(phases.path("phase2")).isEqualTo(Json.parse("{\"cost_usd\": null, \"duration_seconds\": 90.0}"));
        assertThat(phases.path("phase2-path0"))
                .isEqualTo(Json.parse("{\"cost_usd\": 0.25, \"duration_seconds\": 30.0}"));
        assertThat(phases.path("phase3")).isEqualTo(Json.parse("{\"cost_usd\": 0.5, \"duration_seconds\": 1.5}"));
    }

    private static StepResult failed(Instant begin, Instant end, Double cost) {
        return StepResult.of(new Outcome.Failed<>("the program has changed"), begin, end, cost);
    }

    /// Records a phase as another run asked for it, at another time.
    private static void phase(Records records, Records played, String name, double begin, double end, Double cost) {
        StepPath path = StepPath.parse("r/" + name);
        records.create(path, StepRequest.of(played.request(path).orElseThrow().step(path.plainName()),
                after(begin), World.NOW));
        records.create(path, failed(after(begin), after(end), cost));
    }

    private static Instant after(double seconds) {
        return World.NOW.plusMillis((long) (seconds * 1000));
    }

    @Test
    @Requirement("REQ-OR-042")
    void failedRunSaysWhatEachCandidateDiedOf() {
        LoggedRun run = run().fail("phase1/candidate0/init").crashes("phase1/candidate1/evaluation/script")
                .crashes("phase1/candidate1/evaluation/script-2").answer("phase1/candidate2/init", NO_CODE).played();
        JsonNode failed = read(run, "failed.json");
        JsonNode diagnostics = failed.path("diagnostics");

        assertThat(failed.path("message").asText()).contains("none of the 3 candidates has a score",
                "a: init: made to fail");
        assertThat(diagnostics.path("retrieved_models")).extracting(JsonNode::asText).containsExactly("a", "b", "c");
        assertThat(diagnostics.path("candidates")).extracting(candidate -> candidate.path("model").asText())
                .containsExactly("a", "b", "c");
        assertThat(diagnostics.path("candidates")).extracting(candidate -> candidate.path("failure").asText())
                .satisfiesExactly(a -> assertThat(a).isEqualTo("init: made to fail"),
                        b -> assertThat(b).isEqualTo("ValueError: made to crash"),
                        c -> assertThat(c).startsWith("init: no code in the answer"));
        assertThat(failed.has("submission")).isFalse();
    }

    @Test
    @Requirement({"REQ-OR-042", "REQ-OR-043"})
    void failedRunStillPublishesWhatAScriptHadSubmitted() {
        LoggedRun run = run().ran("phase1/candidate0/evaluation/script", wrote(0.3, 5)).played();
        RunHeader header = run.records.header("r").orElseThrow();
        Records copy = withoutEnd(run, true);

        JsonNode failed = published(copy, header,
                failed(header.startedAt(), header.startedAt().plusSeconds(60), 0.1), "failed.json");

        assertThat(failed.path("submission_source").asText()).isEqualTo("phase1/candidate0/evaluation/script");
        assertThat(failed.path("score").asDouble()).isEqualTo(0.3);
        assertThat(failed.path("diagnostics").path("candidates").path(0).path("score").asDouble()).isEqualTo(0.3);
        assertThat(copy.store().read("runs/r/final_solution.py").map(String::new).orElseThrow())
                .contains("BLOCK = 'phase1/candidate0/init'");
        assertThat(copy.store().read("runs/r/submission.csv").map(String::new).orElseThrow()).startsWith("id,y");
    }

    @Test
    @Requirement("REQ-OR-042")
    void recordsOfAnotherProgramDoNotKeepARunFromFailing() {
        Records records = new Records(new MemoryStore());
        RunHeader header = World.header("r", "{}");
        records.create(StepPath.parse("r/phase1"),
                new StepRequest("phase/initial-solution", Json.object(), "p", World.NOW, World.NOW, false));
        for (String step : List.of("retriever", "script")) {
            StepPath path = StepPath.parse("r/phase1/" + step);
            records.create(path, new StepRequest(step.equals("script") ? "script" : "agent/retriever",
                    Json.object().put("from", "another program"), "p", World.NOW, World.NOW, false));
            records.create(path, StepResult.of(new Outcome.Done<>(Json.object()), World.NOW, World.NOW, 0.0));
        }

        StepResult failed = failed(World.NOW, World.NOW.plusSeconds(1), 0.0);
        assertThat(published(records, header, failed, "failed.json").path("message").asText())
                .isEqualTo("the program has changed");
    }

    /// The records of a run without the files that its end left.
    ///
    /// @param submissions whether what scripts submitted is still there
    private static Records withoutEnd(LoggedRun run, boolean submissions) {
        Store copy = new MemoryStore();
        DamagedRunTest.objects(run.records.store(), "runs").forEach((key, content) -> {
            if (key.contains("/steps")) {
                copy.create(key, content);
            }
        });
        if (submissions) {
            copy.create("kept", run.records.store().read("kept").orElseThrow());
        }
        return new Records(copy);
    }

    private static JsonNode published(Records records, RunHeader run, StepResult end, String file) {
        new Publication(records, event -> {}, new Watcher() {}).publish(run, end);
        return Json.parse(records.store().read("runs/r/" + file).orElseThrow());
    }
}
