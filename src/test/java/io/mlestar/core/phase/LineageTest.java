package io.mlestar.core.phase;

import static io.mlestar.core.phase.Texts.solution;
import static io.mlestar.core.task.MetricDirection.MAXIMIZE;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Requirement;
import io.mlestar.core.step.Execution;
import io.mlestar.core.task.Decision;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.Results.EnsembleAttempt;
import io.mlestar.core.task.Results.Phase1Result;
import io.mlestar.core.task.Results.Phase2Result;
import io.mlestar.core.task.Results.Phase3Result;
import io.mlestar.core.task.Results.RefinementAttempt;
import io.mlestar.core.task.Results.StepRecord;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineageTest {
    private static final SolutionScript CANDIDATE = solution("fit()", 0.8).from("lightgbm");
    private static final SolutionScript BROKEN =
            SolutionScript.unscored("", SolutionPhase.INIT).from("tabnet").failed();
    private static final Finalization.Result SUBMITTED =
            new Finalization.Result(solution("submit()", 0.9), new Execution.Submission("kept.csv", 10, 1), true, -4,
                    null, null, null);

    private static Phase1Result phase1(SolutionScript s0) {
        return new Phase1Result(List.of(), List.of(CANDIDATE, BROKEN), Arrays.asList(0.8, null), s0, s0.score().known(),
                0, null, null, List.of(), null);
    }

    private static Phase2Result path(int path, double score) {
        StepRecord skipped = StepRecord.skipped(0, "", 0.8, false);
        StepRecord step = new StepRecord(1, "", "", "",
                List.of(new RefinementAttempt("a", 0.1, "", false, null),
                        new RefinementAttempt("b", score, "", true, null)),
                score, false, false, true,
                List.of(decision(path, 0, 0.1, false), decision(path, 1, score, true)));
        return new Phase2Result(List.of(), List.of(), solution("path()", score), score, List.of(skipped, step));
    }

    private static Decision decision(int path, int k, double score, boolean accepted) {
        return new Decision("phase2-path" + path + "/block1/attempt" + k, Score.printed(score), List.of(), null,
                accepted);
    }

    private static Phase3Result phase3(double... rounds) {
        List<EnsembleAttempt> attempts = Arrays.stream(rounds)
                .mapToObj(score -> new EnsembleAttempt("plan", solution("mean()", score), null, null)).toList();
        SolutionScript best = attempts.isEmpty() ? solution("path()", 0.9) : attempts.getLast().solution();
        List<SolutionScript> inputs = List.of(solution("path()", 0.85), solution("path()", 0.9));
        return new Phase3Result(inputs, List.of(), List.of(), best, best.score().value(), attempts, List.of());
    }

    private static List<String> lineage(MetricDirection direction, Phase3Result phase3) {
        return Lineage.of(direction, phase1(CANDIDATE), List.of(path(0, 0.85), path(1, 0.9)),
                direction == MAXIMIZE ? 1 : 0,
                phase3,
                phase3 == null ? solution("path()", 0.85) : phase3.bestEnsemble(), SUBMITTED);
    }

    @Test
    @Requirement("REQ-OR-039")
    void finalScriptIsTracedBackThroughAllPhases() {
        assertThat(lineage(MAXIMIZE, phase3(0.5, 0.95))).containsExactly(
                "phase1: candidate lightgbm: score 0.8",
                "phase1: candidate tabnet: no score",
                "phase1: initial solution, from lightgbm: score 0.8",
                "phase2-path0: block1, attempt1: score 0.85",
                "phase2-path1: block1, attempt1: score 0.9",
                "phase2: best solution, of path1: score 0.9",
                "phase3: round1 combined 2 solutions: score 0.95",
                "finalization: subsampling removed; submission written by a script of 20 characters, made of one of 19");
    }

    @Test
    @Requirement({"REQ-OR-039", "REQ-OR-040"})
    void mergedStartFailedPathAndMissingSubmissionAreSaid() {
        SolutionScript merged = solution("fit_both()", 0.82);

        assertThat(Lineage.of(MAXIMIZE, phase1(merged), List.of(Refinement.failed(merged)), 0, null, merged,
                new Finalization.Result(merged, null, false, 0, null, null, "ValueError: broken"))).containsSubsequence(
                        "phase1: initial solution, merged: score 0.82",
                        "phase2-path0: failed; the initial solution stands for it",
                        "phase2: best solution, of path0: score 0.82",
                        "finalization: subsampling not found; no submission: ValueError: broken");
    }
}
