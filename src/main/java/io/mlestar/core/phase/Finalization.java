package io.mlestar.core.phase;

import io.mlestar.core.agent.ContaminationCheck;
import io.mlestar.core.agent.Reply;
import io.mlestar.core.agent.SubsamplingExtract;
import io.mlestar.core.agent.SubsamplingRemove;
import io.mlestar.core.agent.TestSubmission;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Arithmetic.ComparePredictions;
import io.mlestar.core.step.SubmissionComparison;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport.PhaseText;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.Answers.DataContaminationResult;
import io.mlestar.core.task.Blocks;
import io.mlestar.core.task.ContaminationVerdict;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Part 08: trains the best solution on all data and lets it write the submission. Where hidden
/// rows score submissions, a solution writes one already: then no agent is needed for that, and
/// where the script fails on all rows, the run hands in what it predicted when it was scored.
public record Finalization(SolutionScript solution) implements Phase<Finalization.Result> {
    public static final String NAME = "finalization";

    /// @param solution the submission script, or after a fallback the solution that came in
    /// @param submission null after a fallback
    /// @param subsamplingRemoved whether a block that subsamples was found and rewritten
    /// @param contentChange how many characters longer the script is with that block rewritten
    /// @param contamination null without references, or if the check was inconclusive
    /// @param contaminationNote why there is no verdict: skipped or inconclusive; null if there is
    ///   one
    /// @param failure why there is no submission; null if there is one
    public record Result(SolutionScript solution, Execution.@Nullable Submission submission, boolean subsamplingRemoved,
            int contentChange,
            @Nullable ContaminationVerdict contamination, @Nullable String contaminationNote,
            @Nullable String failure) implements PhaseResult {
        /// The result in place of a finalization that did not come to its end.
        static Result missed(SolutionScript solution, String why) {
            return new Result(solution, null, false, 0, null, "skipped: " + why, why);
        }
    }

    /// @param note why there is no verdict; null if there is one
    private record Contamination(@Nullable ContaminationVerdict verdict, @Nullable String note) {}

    @Override
    public Result run(Steps steps) {
        return steps.context().scoresAreTrusted() ? asItIs(steps) : rewritten(steps);
    }

    private Result asItIs(Steps steps) {
        Optional<Evaluation.Result> submitted =
                steps.attempt(new Evaluation(solution.as(SolutionPhase.FINAL), Kind.SUBMISSION));
        Optional<String> differs = submitted.flatMap(ran -> differs(solution, ran.submission(), steps));
        if (submitted.isEmpty() || submitted.get().failure() != null || differs.isPresent()) {
            return Result.missed(solution,
                    differs.orElseGet(() -> (BlendedEnsemble.BLEND.equals(solution.step())
                            ? "its members could not be trained again: " : "")
                            + submitted.map(Evaluation.Result::failure).orElse("the evaluation failed")));
        }
        SolutionScript last = scoredAs(solution, submitted.get().script());
        Contamination contamination = contamination(last, steps);
        return new Result(last, submitted.get().submission(), false, 0, contamination.verdict(), contamination.note(),
                null);
    }

    private Result rewritten(Steps steps) {
        SolutionScript full = withoutSubsampling(steps);
        Optional<Evaluation.Result> submitted =
                submissionScript(full, steps).flatMap(script -> steps.attempt(new Evaluation(script, Kind.SUBMISSION)));
        Optional<String> differs = submitted.flatMap(ran -> differs(solution, ran.submission(), steps));
        boolean good = submitted.isPresent() && submitted.get().failure() == null && differs.isEmpty();
        SolutionScript last = good ? scoredAs(solution, submitted.get().script()) : solution;
        String failure = good ? null : differs.or(() -> submitted.map(Evaluation.Result::failure))
                .orElse("the test agent gave no submission script");
        Contamination contamination = contamination(last, steps);
        return new Result(last, good ? submitted.get().submission() : null, !full.content().equals(solution.content()),
                full.content().length() - solution.content().length(), contamination.verdict(), contamination.note(),
                failure);
    }

    /// Why the score that the harness computed for the chosen script does not stand for the
    /// submission: an agent wrote another script than that, repaired it, or it does something else
    /// where no rows are hidden. Then the run hands in what was scored. Empty if the score stands,
    /// or nothing is known.
    private static Optional<String> differs(SolutionScript choice, Execution.@Nullable Submission submission,
            Steps steps) {
        String holdout = steps.context().hiddenRows();
        if (choice.score().validation() == null || submission == null || holdout == null) {
            return Optional.empty();
        }
        return switch (steps
                .outcome(new ComparePredictions(choice.score().trusted().predictions(), submission.key(), holdout))) {
            case Outcome.Done<SubmissionComparison>(SubmissionComparison compared) -> compared.differs();
            case Outcome.Failed<SubmissionComparison>(String reason, boolean unreadable) ->
                Optional.of("the submission cannot be compared with what was scored: " + reason);
            case Outcome.Stopped<SubmissionComparison> late -> Optional.empty();
        };
    }

    /// The last script sees all rows, so the score that the harness computed for the chosen one
    /// stands for it.
    private static SolutionScript scoredAs(SolutionScript choice, SolutionScript last) {
        return choice.score().validation() == null ? last : last.scored(choice.score());
    }

    /// REQ-FN-009; the solution itself if nothing is subsampled, or the block cannot be found or
    /// rewritten.
    private SolutionScript withoutSubsampling(Steps steps) {
        Optional<String> block = answer(new SubsamplingExtract(solution.content()), steps)
                .map(Reply.Subsampling::codeBlock).flatMap(claimed -> Blocks.locate(claimed, solution.content()));
        return block.flatMap(found -> answer(new SubsamplingRemove(found), steps)
                .map(reply -> solution.replaceBlock(found, Blocks.fitted(found, reply.codeBlock())))).orElse(solution);
    }

    /// Empty also if no more answers may be paid for. Scripts cost nothing, so finalization goes
    /// on.
    private static <R> Optional<R> answer(Agent<R> agent, Steps steps) {
        return steps.outcome(agent) instanceof Outcome.Done<R>(R result) ? Optional.of(result) : Optional.empty();
    }

    /// Asks again where an answer held no code (REQ-FN-040). If no more answers may be paid for,
    /// the solution itself has to do.
    private static Optional<SolutionScript> submissionScript(SolutionScript full, Steps steps) {
        for (int ask = 0; ask <= steps.context().config().limits().maxDebugAttempts(); ask++) {
            Outcome<Reply.Code> reply =
                    steps.outcome(new TestSubmission(steps.context().task().description(), full.content()));
            if (reply instanceof Outcome.Done<Reply.Code>(Reply.Code given)) {
                return Optional.of(SolutionScript.unscored(given.code(), SolutionPhase.FINAL));
            }
            if (reply instanceof Outcome.Stopped) {
                return Optional.of(full.as(SolutionPhase.FINAL));
            }
        }
        return Optional.empty();
    }

    /// Any `Same` makes it the verdict; else an unreadable answer makes the check inconclusive
    /// (REQ-FN-031, REQ-FN-041).
    private static Contamination contamination(SolutionScript last, Steps steps) {
        List<ContaminationCheck> checks = steps.context().config().referenceDiscussions().stream()
                .map(reference -> new ContaminationCheck(reference, last.content())).toList();
        if (checks.isEmpty()) {
            return new Contamination(null, "skipped: there are no reference discussions");
        }
        List<Outcome<DataContaminationResult>> outcomes = steps.callAll(checks);
        List<ContaminationVerdict> verdicts = outcomes.stream()
                .flatMap(outcome -> outcome instanceof Outcome.Done<DataContaminationResult>(var result)
                        ? Optional.of(result.verdict()).stream() : Optional.<ContaminationVerdict>empty().stream())
                .toList();
        if (verdicts.contains(ContaminationVerdict.SAME)) {
            return new Contamination(ContaminationVerdict.SAME, null);
        }
        return verdicts.size() == checks.size() ? new Contamination(ContaminationVerdict.NOVEL, null)
                : new Contamination(null, "inconclusive: " + (checks.size() - verdicts.size()) + " of " + checks.size()
                        + " references got no verdict");
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String title() {
        return "Submission";
    }

    @Override
    public PhaseReport report(Result result) {
        return PhaseReport.of(result.solution()).with(PhaseText.FAILURE,
                result.failure() == null ? "" : result.failure());
    }
}
