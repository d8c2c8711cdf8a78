package io.mlestar.core.phase;

import io.mlestar.core.agent.Coder;
import io.mlestar.core.agent.Planner.GainOfPlan;
import io.mlestar.core.agent.Planner;
import io.mlestar.core.agent.Reply;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport.PhaseText;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.Scheduling;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.Blocks;
import io.mlestar.core.task.Decision;
import io.mlestar.core.task.Results.RefinementAttempt;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.Validation;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Algorithm 2, lines 9 to 15 or 17 to 24: one plan carried out on the block and scored. The coder and the replacement
/// always start from the original block and the original script.
///
/// @param k number of the attempt, from 0
/// @param solution s_t, which holds `block`
/// @param block c_t
/// @param plan the extractor's for k = 0, or one that was asked for with others of its batch, empty if its planner failed; null if the
///     planner is asked here
/// @param plans plans tried before, failed ones included (REQ-P2I-035)
/// @param scores their scores; null where they failed
/// @param repairs of their scripts; null where one ran as it was written
/// @param gains of their scripts over `solution`; null where one is not known
/// @param best the script with h_best before this attempt; of attempts side by side, before all of them
public record Attempt(
        int k, SolutionScript solution, String block, @Nullable String plan, List<String> plans, List<Double> scores,
        List<String> repairs, List<GainOfPlan> gains, Decision.Rival best) implements Phase<Attempt.Attempted> {
    private static final String NAME = "attempt";
    private static final Pattern PATH_NAME = Pattern.compile("(path[0-9]+-)?" + NAME + "[0-9]+");
    private static final String PLANNER_FAILED = "[planner failed]";

    /// @param script the scored script; null unless the attempt was an improvement, or may become part of a blend
    /// @param validation how the harness computed the score; null if it did not
    /// @param skipped why nothing was evaluated; null if something was
    public record Attempted(RefinementAttempt record, @Nullable SolutionScript script, @Nullable Validation validation,
            @Nullable String skipped) implements PhaseResult {}

    @Override
    public Attempted run(Steps steps) {
        String chosen = plan != null ? plan
                : steps.attempt(new Planner(block, solution.trial(), plans, scores, repairs, List.of(), solution.content(), gains)).map(Reply.Plan::plan)
                        .orElse(""); // line 17
        if (chosen.isEmpty()) {
            return skipped(PLANNER_FAILED, "", "the planner failed");
        }
        Optional<String> refined = steps.attempt(new Coder(block, chosen, solution.trial(), solution.content())).map(Reply.Block::codeBlock); // lines 9, 18
        if (refined.isEmpty()) {
            return skipped(chosen, "", "the coder failed");
        }
        SolutionScript candidate;
        try {
            candidate = solution.replaceBlock(block, Blocks.fitted(block, refined.get())).as(SolutionPhase.REFINED);        // lines 10, 19
        } catch (Invalid e) {
            return skipped(chosen, refined.get(), "replacement failed: " + e.getMessage());
        }
        Optional<Evaluation.Evaluated> evaluated = steps.attempt(new Evaluation(candidate, Kind.SOLUTION, best)); // lines 11, 20
        SolutionScript scored = evaluated.map(Evaluation.Evaluated::script).orElse(candidate.failed());
        boolean better = Acceptance.of(steps.context()).takesPlace(scored, best, solution.score() == null ? best : Decision.Rival.of(solution)); // lines 12, 21
        boolean keeps = better || scored.score() != null && GreedyEnsemble.isWanted(steps.context());
        return new Attempted(new RefinementAttempt(chosen, scored.score(), refined.get(), better,
                evaluated.map(Evaluation.Evaluated::remark).orElse(null)), keeps ? scored : null, scored.validation(), null);
    }

    private static Attempted skipped(String plan, String code, String why) {
        return new Attempted(new RefinementAttempt(plan, null, code, false, null), null, null, why);
    }

    /// True if the attempt itself decides whether it is accepted. Of attempts that run side by side, their block decides.
    private boolean decides() {
        return k == 0 || plan == null;
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
        return PATH_NAME.matcher(step.name()).matches() ? Optional.of(step) : step.parent().flatMap(Attempt::of);
    }

    @Override
    public Scheduling scheduling(RunContext context) {
        return Scheduling.beside(context.config().loop().attemptsAtOnce());
    }

    @Override
    public String title() {
        return title(k);
    }

    public static String title(int k) {
        return "Attempt " + k;
    }

    @Override
    public PhaseReport report(Attempted result) {
        return PhaseReport.ofScore(result.record().score(), result.validation()).required()
                .comparedWith(best, decides() ? Boolean.valueOf(result.record().wasImprovement()) : null).saying(result.record().plan())
                .revising(block, result.record().codeBlock()).with(PhaseText.PLAN, result.record().plan()).with(PhaseText.BLOCK, result.record().codeBlock())
                .with(PhaseText.SCRIPT, result.script() == null ? "" : result.script().content());
    }
}
