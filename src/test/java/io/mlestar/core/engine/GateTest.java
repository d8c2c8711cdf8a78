package io.mlestar.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.base.Json;
import io.mlestar.core.phase.InitialSolution;
import io.mlestar.core.phase.Merge;
import io.mlestar.core.records.CurrentLimits;
import io.mlestar.core.records.Ledger;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Totals;
import io.mlestar.core.records.Walk;
import io.mlestar.core.steering.Extension;
import io.mlestar.core.steering.Extensions;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.ModelUnavailable;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.Window;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/// The rules of what may begin, until when, and at what cost.
class GateTest {
    private static final SolutionScript SCRIPT =
            SolutionScript.unscored("x = 1", SolutionPhase.INIT).scored(Score.printed(0.5));

    private final Records records = new Records(new MemoryStore());
    private final Gate gate = new Gate(new Ledger(records));
    private int scripts;
    private final Window window = new Window(World.NOW.plusSeconds(55), World.NOW.plusSeconds(60));

    private static CurrentLimits limits(String config) {
        return CurrentLimits.of(World.header("r", config));
    }

    /// The refusal of a step of a phase that was asked for at the beginning of the run, and has a
    /// share of the time.
    private Optional<String> refusal(CurrentLimits run, String path, double secondsIn, long shareSeconds) {
        Instant deadline = World.NOW.plusSeconds(shareSeconds).isBefore(run.finalizeAt())
                ? World.NOW.plusSeconds(shareSeconds) : run.finalizeAt();
        return gate.refusal(run, records.marks("r"), new StepPath("r", path), request(path, deadline),
                World.NOW.plusMillis((long) (secondsIn * 1000)));
    }

    /// The request of a step, which is essential if it is part of finalization.
    private static StepRequest request(String path, Instant deadline) {
        return new StepRequest("type", Json.object(), "parent", World.NOW, deadline, path.startsWith("finalization"));
    }

    @ParameterizedTest
    @CsvSource({
        // limit, kept for finalization: 10 % or five minutes, but of the five minutes at most half
        // the limit; the least time before it in which a step could be of use
        "86400, 8640, 5", "1000, 300, 5", "600, 300, 5", "400, 200, 5", "60, 30, 3", "10, 5, 0.5"
    })
    @Requirement({"REQ-OR-034", "REQ-OR-024"})
    void theEndOfTheTimeLimitIsKeptForFinalizationWhateverKindOfStepItIs(int limit, long reserve, double least) {
        CurrentLimits run = limits("{\"time_limit_seconds\": " + limit + "}");
        scored(limit);
        for (String path : List.of("phase1/merge1", "phase1/x/coder", "phase2-path0/block0/attempt0/evaluation/script",
                "phase3")) {
            assertThat(refusal(run, path, limit - reserve - least - 0.1, limit)).as(path).isEmpty();
            assertThat(refusal(run, path, limit - reserve - least + 0.1, limit)).as(path)
                    .hasValueSatisfying(why -> assertThat(why).contains("kept for finalization"));
        }
        assertThat(refusal(run, "finalization/test", limit - 1, limit)).isEmpty();
    }

    /// For six answers and two scripts, but no less than a tenth of the limit, and no more than
    /// five minutes or half of it.
    @ParameterizedTest
    @CsvFileSource(resources = "/cases/kept-time.csv", delimiter = '|', numLinesToSkip = 1)
    @Requirement({"REQ-OR-034", "REQ-OR-024"})
    void asMuchTimeIsKeptAsTheRunMeasuredAndNoneWhileNothingHasScored(int limit, double answer, Double script,
            double kept, double inCluster) {
        CurrentLimits cluster = limits("{\"time_limit_seconds\": " + limit + "}");
        CurrentLimits run = CurrentLimits.of(World.here(cluster.run()));
        answered("phase1/retriever", 0.0, answer * 1.5);
        answered("phase1/candidate0/init", 0.0, answer * 0.5);
        answered("phase1/candidate1/init", 0.0, answer * 0.25);
        if (script != null) {
            scored(script);
            scored(script / 2);
        }
        StepRequest root = new StepRequest("type", Json.object(), null, World.NOW, run.deadline(), false);
        assertThat(gate.deadline(cluster, root, new Merge(1, SCRIPT, SCRIPT), World.NOW))
                .isEqualTo(run.deadline().minusMillis((long) (inCluster * 1000)));
        Instant end = gate.deadline(run, root, new Merge(1, SCRIPT, SCRIPT), World.NOW);
        assertThat(end).isEqualTo(run.deadline().minusMillis((long) (kept * 1000)));
        assertThat(gate.deadlineReason(run, request("phase1", end), end.minusMillis(1)))
                .contains(script == null ? "too little is left" : "kept for finalization");
        assertThat(gate.deadlineReason(run, request("phase1", end), World.NOW)).contains("share");
        assertThat(gate.deadline(run, request("phase1", World.NOW.plusSeconds(10)), new Merge(1, SCRIPT, SCRIPT),
                World.NOW)).as("no more than the parent's").isEqualTo(World.NOW.plusSeconds(10));
    }

    @Test
    @Requirement("REQ-OR-024")
    void afterTheDeadlineNothingBeginsButFinalization() {
        CurrentLimits run = limits("{\"time_limit_seconds\": 60}");
        assertThat(refusal(run, "phase2-path0/x/coder", 60, 60))
                .hasValueSatisfying(why -> assertThat(why).contains("60 s"));
        assertThat(refusal(run, "finalization/test", 74, 60)).isEmpty();
        assertThat(refusal(run, "finalization/test", 76, 60)).isPresent();
    }

    /// The refusal, for its cost, of an answer whose attempt is on record.
    private Optional<String> tooDear(CurrentLimits run, String path, double estimate) {
        StepPath step = new StepPath("r", path);
        Ledger.Account account = new Ledger(records).of(StepPath.root("r"));
        double mayCost = account.mayCost(step.plainName(), estimate);
        asked(path, "agent/coder");
        return gate.exceedsBudget(run, account.usd(), mayCost,
                gate.kept(run.run(), step, request(path, World.NOW), account.measured()));
    }

    @Test
    @Requirement({"REQ-OR-028", "REQ-OR-029"})
    void whatACallMayCostCountsFromItsBeginningUntilItsCostIsKnown() {
        CurrentLimits run = limits("{\"max_budget_usd\": 1.0}");
        StepPath first = begun("phase1/candidate0/init", 0.6);
        begun("phase1/candidate1/init", 0.6);
        assertThat(tooDear(run, "phase1/candidate1/init", 0.6))
                .hasValueSatisfying(why -> assertThat(why).contains("$0.6000 spent or being spent", "$0.6000"));
        records.invocations().abort(first, 1, World.NOW, "connection refused", 0.0);
        assertThat(tooDear(run, "phase1/candidate1/init", 0.6)).as("the other call cost nothing after all").isEmpty();
        answered("phase1/candidate0/init", 0.1, 1);
        assertThat(tooDear(run, "phase1/candidate1/init", 0.6))
                .as("it cost less than it might, but what it shows is kept for finalization")
                .hasValueSatisfying(why -> assertThat(why).contains("$0.1000 spent or being spent",
                        "$0.4000 is kept for finalization"));
        assertThat(tooDear(run, "finalization/test", 0.6)).as("which may spend that").isEmpty();
    }

    /// The cost that an answer is thought to have before anything is known is too little for a
    /// model that thinks.
    @Test
    @Requirement({"REQ-OR-028", "REQ-OR-029"})
    void whatTheAnswersOfARunCostTellsWhatTheNextOnesMay() {
        Ledger ledger = new Ledger(records);
        spend("phase1/retriever", 0.2);
        begun("phase1/candidate0/init", 0.01);
        assertThat(ledger.of(StepPath.root("r")).usd()).as("of an agent that has not answered: as the others")
                .isEqualTo(0.4);
        spend("phase1/candidate1/init", 0.06);
        spend("phase1/candidate2/init", 0.03);
        assertThat(ledger.of(StepPath.root("r")).mayCost("init", 0.01)).as("the dearest of its own").isEqualTo(0.06);
        assertThat(ledger.of(StepPath.root("r")).mayCost("init", 0.08)).as("no less than its question lets think")
                .isEqualTo(0.08);
        assertThat(ledger.of(StepPath.root("r")).mayCost("leakage", 0.01)).as("the mean of the dearest")
                .isEqualTo(0.13);
        assertThat(ledger.of(StepPath.root("r")).measured().lastUsd()).as("four answers").isEqualTo(0.52);
    }

    private StepPath begun(String path, double estimate) {
        StepPath agent = asked(path, "agent/init");
        records.invocations().begin(agent, World.NOW, "here", estimate);
        return agent;
    }

    /// With the phases that it is in.
    private StepPath asked(String path, String work) {
        StepPath step = new StepPath("r", path);
        for (StepPath phase = step.parent().orElseThrow(); !phase.inside().isEmpty(); phase =
                phase.parent().orElseThrow()) {
            records.create(phase, new StepRequest("phase/merge", Json.tree(new Merge(1, SCRIPT, SCRIPT)), "p",
                    World.NOW, World.NOW, false));
        }
        records.create(step, new StepRequest(work, Json.object(), "p", World.NOW, World.NOW, false));
        return step;
    }

    private void scored(double seconds) {
        EvaluationResult result = new EvaluationResult(Score.printed(0.5), "", "", 0, seconds, false, null);
        records.create(asked("phase1/candidate" + scripts++ + "/evaluation/script", "script"), StepResult.of(
                new Outcome.Done<>(new Execution.Scored(result, null)), World.NOW,
                World.NOW.plusMillis((long) (seconds * 1000)), 0.0));
    }

    private void answered(String path, Double usd, double seconds) {
        records.create(asked(path, "agent/coder"),
                StepResult.of(
                        new Outcome.Done<>(new Answer("", new Answer.Usage("a:b", 1, 1, 0, usd, 1), null, "", "")),
                        World.NOW, World.NOW.plusMillis((long) (seconds * 1000)), usd));
    }

    @Test
    void aRunThatWasGivenMoreGoesOnWithWhatWasAskedForBefore() {
        CurrentLimits run = limits("{\"time_limit_seconds\": 600, \"max_budget_usd\": 1.0}");
        scored(600);
        StepRequest path = request("phase2-path0", World.NOW.plusSeconds(200));
        CurrentLimits longer = new Extensions(records.store()).add(run.run(), new Extension(World.NOW, "ann", 60, 0.5));
        assertThat(Gate.end(longer, path)).isEqualTo(World.NOW.plusSeconds(3_800));
        assertThat(refusal(run, "phase2-path0/block0", 250, 200)).isPresent();
        assertThat(refusal(longer, "phase2-path0/block0", 3_700, 200)).isEmpty();
        assertThat(refusal(longer, "phase2-path0/block0", 3_899, 300))
                .hasValueSatisfying(why -> assertThat(why).contains("kept for finalization"));
        assertThat(refusal(longer, "phase2-path0/block0", 4_201, 300))
                .hasValueSatisfying(why -> assertThat(why).contains("4200 s"));

        Instant child = gate.deadline(longer, path, new Merge(1, SCRIPT, SCRIPT), World.NOW.plusSeconds(1_000));
        assertThat(child).as("recorded without what was given").isEqualTo(path.deadline());
        spend("phase1/coder", 1.2);
        assertThat(tooDear(run, "phase1/coder", 0)).isPresent();
        assertThat(tooDear(longer, "finalization/test", 0)).isEmpty();
    }

    /// Until the share of Phase 1 ends, or the share anew, or as long as twice what the later
    /// phases need, and what finalization needs, is left.
    @ParameterizedTest
    @CsvFileSource(resources = "/cases/time-of-a-merge.csv", delimiter = '|', numLinesToSkip = 1)
    @Requirement({"REQ-OR-025", "REQ-OR-026"})
    void aStepOfPhase1MayTakeTheShareAnewIfTheLaterPhasesDoNotNeedTheTime(int passed, double answer, Double script,
            long left) {
        CurrentLimits run = limits("{\"time_limit_seconds\": 90000}");
        answered("phase1/retriever", 0.0, answer);
        if (script != null) {
            scored(script);
        }
        StepRequest root = new StepRequest("type", Json.object(), null, World.NOW, run.deadline(), false);
        StepRequest phase1 = root.asking(new InitialSolution(), World.NOW,
                gate.deadline(run, root, new InitialSolution(), World.NOW));
        Instant now = World.NOW.plusSeconds(passed);
        assertThat(Duration.between(now, gate.deadline(run, phase1, new Merge(1, SCRIPT, SCRIPT), now)).toSeconds())
                .isEqualTo(left);
    }

    @Test
    @Requirement("REQ-OR-032")
    void whatWasSpentIsCountedFromTheStoreInOpenPhasesTooAndBesideUnknownPrices() {
        spend("phase1/coder", 0.25);
        spend("phase2-path0/coder", 0.5);
        spend("phase2-path0/planner", null);
        records.create(StepPath.parse("r/phase2-path0"),
                StepResult.of(new Outcome.Done<>(Json.object()), World.NOW, World.NOW, null));
        spend("phase2-path1/coder", 7.0);
        records.create(StepPath.parse("r/phase2-path1"),
                StepResult.of(new Outcome.Done<>(Json.object()), World.NOW, World.NOW, 1.0)
                        .with(Totals.NOTHING.costing(1.0)));
        assertThat(new Ledger(records).spent("r")).as("a finished phase with a sum is not walked through")
                .isEqualTo(1.75);
    }

    /// One answer that was paid for, in a phase of its own.
    private void spend(String path, Double usd) {
        answered(path, usd, 1);
    }

    /// Three candidates and a merge take longer than a tenth of four hours; the whole run does not.
    @Test
    @Requirement({"REQ-OR-025", "REQ-P1-030"})
    void aPhaseGoesOnBeyondItsShareIfTheOthersHaveTimeEnough() {
        OneEngine run = new OneEngine().taking(Duration.ofSeconds(30), Duration.ofSeconds(350));
        run.runToTheEnd(
                """
                        {"time_limit_seconds": 14400, "num_retrieved_models": 3, "outer_loop_steps": 2, "inner_loop_steps": 2, "num_parallel_solutions": 2,
                         "ensemble_rounds": 2}""");
        assertThat(Walk.READABLE.steps(run.records, "r").filter(step -> step.result().orElseThrow().isStopped()))
                .isEmpty();
        assertThat(Walk.READABLE.steps(run.records, "r").map(step -> step.path().inside()))
                .contains("phase1/merge1/evaluation/script", "phase1/data");
        assertThat(Json.parse(run.store.read("runs/r/result.json").orElseThrow()).path("phases_completed")).hasSize(4);
    }

    @Test
    void aModelThatSaysNothingIsTheCauseThatIsTold() {
        OneEngine run = new OneEngine();
        run.world.asking(question -> {
            if (question.step().plainName().equals("retriever")) {
                return question.answer();
            }
            run.clock.now = run.clock.now.plus(question.timeout());
            throw new ModelUnavailable("the model did not answer");
        });
        run.runToTheEnd("{\"time_limit_seconds\": 600, \"num_retrieved_models\": 1, \"num_parallel_solutions\": 1}");
        assertThat(run.end("r").reason()).startsWith("the model did not answer").contains("600 s");
        assertThat(run.clock.now).isBetween(World.NOW.plusSeconds(590), World.NOW.plusSeconds(630));
    }

    @Test
    @Requirement("REQ-OR-024")
    void aStepMayBeginUntilItWouldBeOfNoUse() {
        assertThat(window.isOpen(World.NOW.plusSeconds(55))).isTrue();
        assertThat(window.isOpen(World.NOW.plusMillis(55_001))).isFalse();
        assertThat(window.left(World.NOW.plusSeconds(59))).isEqualTo(Duration.ofSeconds(1));
        assertThat(window.left(World.NOW.plusSeconds(61))).isZero();
    }

    @Test
    @Requirement("REQ-OR-026")
    void thoseWhoContendForSlotsShareWhatIsLeft() {
        assertThat(window.share(World.NOW, 1, 4)).isEqualTo(Duration.ofSeconds(15));
        assertThat(window.share(World.NOW, 2, 3)).isEqualTo(Duration.ofSeconds(40));
        assertThat(window.share(World.NOW, 4, 3)).as("a slot for each").isEqualTo(Duration.ofSeconds(60));
        assertThat(window.share(World.NOW, 1, 1)).isEqualTo(Duration.ofSeconds(60));
    }
}
