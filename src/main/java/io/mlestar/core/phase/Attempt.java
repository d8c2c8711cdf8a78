package io.mlestar.core.phase;

import io.mlestar.core.agent.Coder;
import io.mlestar.core.agent.Planner;
import io.mlestar.core.agent.Reply;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport.PhaseText;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.Blocks;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.Results.RefinementAttempt;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Algorithm 2, lines 9 to 15 or 17 to 24: one plan carried out on the block and scored. The coder
/// and the replacement always start from the original block and the original script.
///
/// @param k number of the attempt, from 0
/// @param solution s_t, which holds `block`
/// @param block c_t
/// @param plan the extractor's, for k = 0; null: the planner is asked
/// @param plans plans tried before, failed ones included (REQ-P2I-035)
/// @param scores their scores; null where they failed
/// @param repairs of their scripts; null where one ran as it was written
/// @param best the script with h_best before this attempt
public record Attempt(
        int k,
        SolutionScript solution,
        String block,
        @Nullable String plan,
        List<String> plans,
        List<Double> scores,
        List<String> repairs,
        Rival best) implements Phase<Attempt.Result> {
    private static final String NAME = "attempt";
    private static final Pattern PATH_NAME = Pattern.compile("(path[0-9]+-)?" + NAME + "[0-9]+");
    private static final String PLANNER_FAILED = "[planner failed]";

    /// @param record says whether the script takes the place of `best`; the block goes by that
    /// @param script the scored script; null unless it takes that place
    /// @param skipped why nothing was evaluated; null if something was
    public record Result(
            RefinementAttempt record,
            @Nullable SolutionScript script,
            @Nullable String skipped) implements PhaseResult {}

    @Override
    public Result run(Steps steps) {
        String chosen = plan != null
                ? plan
                : steps.attempt(new Planner(block, solution.trial(), plans, scores, repairs,
                        solution.content()))
                        .map(Reply.Plan::plan)
                        .orElse(""); // line 17
        if (chosen.isEmpty()) {
            return skipped(PLANNER_FAILED, "", "the planner failed");
        }
        Optional<String> refined =
                steps.attempt(new Coder(block, chosen, solution.trial(), solution.content()))
                        .map(Reply.Block::codeBlock); // lines 9, 18
        if (refined.isEmpty()) {
            return skipped(chosen, "", "the coder failed");
        }
        SolutionScript candidate;
        try {
            candidate = solution.replaceBlock(block, Blocks.fitted(block, refined.get()))
                    .as(SolutionPhase.REFINED);        // lines 10, 19
        } catch (Invalid e) {
            return skipped(chosen, refined.get(), "replacement failed: " + e.getMessage());
        }
        Evaluation.Result evaluated = new Evaluation(candidate, Kind.SOLUTION).by(steps); // lines 11, 20
        SolutionScript scored = evaluated.script();
        boolean better = Acceptance.of(steps.context()).takesPlace(scored, best); // lines 12, 21
        RefinementAttempt record = new RefinementAttempt(chosen, scored.score().value(),
                refined.get(), better, evaluated.repaired());
        return new Result(record, better ? scored : null, null);
    }

    static Result skipped(String plan, String code, String why) {
        return new Result(RefinementAttempt.failed(plan, code), null, why);
    }

    @Override
    public String name() {
        return name(k);
    }

    /// Its name in the path of its block.
    public static String name(int k) {
        return NAME + k;
    }

    /// The attempt that a step is, or is part of; empty if it is of none.
    public static Optional<StepPath> of(StepPath step) {
        return PATH_NAME.matcher(step.name()).matches()
                ? Optional.of(step)
                : step.parent().flatMap(Attempt::of);
    }

    @Override
    public String title() {
        return title(k);
    }

    public static String title(int k) {
        return "Attempt " + k;
    }

    @Override
    public PhaseReport report(Result result) {
        RefinementAttempt record = result.record();
        return PhaseReport.ofScore(Score.printed(record.score()))
                .required()
                .comparedWith(best, record.wasImprovement())
                .saying(record.plan())
                .revising(block, record.codeBlock())
                .with(PhaseText.PLAN, record.plan())
                .with(PhaseText.BLOCK, record.codeBlock())
                .with(PhaseText.SCRIPT, result.script() == null ? "" : result.script().content());
    }
}
