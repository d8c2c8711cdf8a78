package io.mlestar.core.phase;

import io.mlestar.core.agent.Ablation;
import io.mlestar.core.agent.Extractor;
import io.mlestar.core.agent.Reply;
import io.mlestar.core.agent.Summarize;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport.PhaseText;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.Answers.ExtractorOutput;
import io.mlestar.core.task.Answers.RefinePlan;
import io.mlestar.core.task.Blocks;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.Results.RefinementAttempt;
import io.mlestar.core.task.Results.StepRecord;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Algorithm 2, lines 5 to 25: finds by ablation which block matters, and refines it.
///
/// @param path number of the refinement that it is part of
/// @param t number of the outer step, from 0
/// @param solution s_t, whose score is h_best
/// @param summaries T_abl of the steps before
/// @param blocks c of the steps before, those of skipped steps left out
public record OuterStep(
        int path,
        int t,
        SolutionScript solution,
        List<String> summaries,
        List<String> blocks) implements Phase<OuterStep.Result> {
    private static final String NAME = "block";
    private static final int RAW_OUTPUT_SHOWN = 20_000;
    private static final int RAW_OUTPUT_AS_SUMMARY = 2_000;
    private static final int MOST_MISSES = 3;

    /// @param solution best script after the step
    /// @param studyFailure why there is no ablation summary; null if there is one
    /// @param skipped why no block was refined; null if one was
    public record Result(
            StepRecord record,
            SolutionScript solution,
            @Nullable String studyFailure,
            @Nullable String skipped) implements PhaseResult {
        /// Number of the attempt that is kept: the last that was better; -1 if none was.
        public int winner() {
            return record.innerLoopAttempts()
                    .stream()
                    .map(RefinementAttempt::wasImprovement)
                    .toList()
                    .lastIndexOf(true);
        }
    }

    /// @param block and its plan; empty if there is none
    private record Target(Optional<RefinePlan> block, String missing) {
        static final Target UNREADABLE =
                new Target(Optional.empty(), "the extractor gave no readable answer");
    }

    @Override
    public Result run(Steps steps) {
        Outcome<String> study = study(steps);                                                  // lines 5-7
        String failure = study instanceof Outcome.NoResult<String> failed ? failed.reason() : null;
        String summary = study.done().orElse("");
        Target target = target(study.done().orElseGet(this::earlier), steps);                         // line 8
        if (target.block().isEmpty()) {
            String known = target.equals(Target.UNREADABLE) ? "" : summary;                           // REQ-P2O-022, REQ-P2O-034
            return new Result(StepRecord.skipped(t, known, solution.score().known(), false),
                    solution, failure, target.missing());
        }
        String block = target.block().get().codeBlock();
        String plan = target.block().get().plan();
        RefineBlock.Result inner =
                new RefineBlock(Refinement.name(path) + "/" + name(), solution, block, plan)
                        .run(steps);                    // lines 9-25
        return new Result(
                new StepRecord(t, summary, block, plan, inner.attempts(),
                        inner.bestSolution().score().known(), false, false, inner.improved(),
                        inner.decisions()),
                inner.bestSolution(), failure, null);
    }

    /// The findings of earlier steps, on which the extractor leans if the study failed
    /// (REQ-P2O-021).
    private String earlier() {
        List<String> known = summaries.stream().filter(summary -> !summary.isBlank()).toList();
        return known.isEmpty()
                ? ""
                : "The ablation study failed for this step. Earlier studies found:\n\n"
                        + String.join("\n\n", known);
    }

    /// T_abl^t, or what stands for it.
    private Outcome<String> study(Steps steps) {
        Optional<Reply.Code> study =
                steps.attempt(new Ablation(solution.content(), summaries, solution.trial()));      // line 5
        if (study.isEmpty()) {
            return new Outcome.Failed<>("no ablation study was written");
        }
        int timeout = steps.context().config().ablationTimeoutSeconds();
        DebugLoop.Result ran =
                DebugLoop.run(SolutionScript.unscored(study.get().code(), SolutionPhase.REFINED),
                        Kind.ABLATION,
                        timeout, steps);   // line 6
        String output = ran.stdout();
        // A study that ran out of time after it printed is worth as much as if it had ended there.
        if (ran.execution() instanceof Execution.Failed failed
                && !(failed instanceof Execution.TimedOut && !output.isBlank())) {
            return new Outcome.Failed<>(
                    "the ablation study failed: " + failed.reason(Kind.ABLATION));
        }
        return new Outcome.Done<>(
                steps.attempt(new Summarize(ran.script().content(), tail(output, RAW_OUTPUT_SHOWN)))   // line 7
                        .map(Reply.Summary::summary)
                        .orElseGet(() -> "[Auto-summary from raw output] "
                                + tail(output, RAW_OUTPUT_AS_SUMMARY)));
    }

    /// The block c_t as it stands in the script, and its plan p_0 (REQ-P2O-018, REQ-P2O-034); none
    /// skips the step.
    private Target target(String summary, Steps steps) {
        int unreadable = 0;
        int misses = 0;
        while (unreadable < 2) {
            Optional<ExtractorOutput> output =
                    steps.attempt(new Extractor(solution.content(), summary, blocks, misses > 0,
                            solution.trial()));
            if (output.isEmpty()) {
                unreadable++;
                continue;
            }
            misses++;
            // After the last try, any of the plans will do.
            List<RefinePlan> plans = misses < MOST_MISSES
                    ? output.get().plans().subList(0, 1)
                    : output.get().plans();
            Optional<RefinePlan> found =
                    plans.stream()
                            .flatMap(plan -> Blocks.locate(plan.codeBlock(), solution.content())
                                    .map(block -> new RefinePlan(block, plan.plan()))
                                    .stream())
                            .findFirst();
            if (found.isPresent() || misses == MOST_MISSES) {
                return new Target(found,
                        "no block that the extractor named is in the script");
            }
        }
        return Target.UNREADABLE;
    }

    private static String tail(String text, int length) {
        return text.length() <= length ? text : text.substring(text.length() - length);
    }

    @Override
    public String name() {
        return name(t);
    }

    /// Its name in the path of its refinement.
    static String name(int t) {
        return NAME + t;
    }

    /// True for names that only outer steps have.
    public static boolean isName(String step) {
        return step.startsWith(NAME);
    }

    @Override
    public String title() {
        return "Block " + t;
    }

    @Override
    public PhaseReport report(Result result) {
        StepRecord record = result.record();
        return PhaseReport.of(result.solution())
                .comparedWith(Rival.of(solution), record.improved())
                .deciding(record.decisions())
                .saying(record.wasSkipped() ? "skipped: no code block was found" : record.plan())
                .revising(solution.content(), result.solution().content())
                .with(PhaseText.PLAN, record.plan())
                .with(PhaseText.STUDY, record.ablationSummary())
                .with(PhaseText.BLOCK, record.codeBlock());
    }
}
