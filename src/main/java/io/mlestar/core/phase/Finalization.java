package io.mlestar.core.phase;

import io.mlestar.core.agent.ContaminationCheck;
import io.mlestar.core.agent.Reply;
import io.mlestar.core.agent.SubsamplingExtract;
import io.mlestar.core.agent.SubsamplingRemove;
import io.mlestar.core.agent.TestSubmission;
import io.mlestar.core.step.Arithmetic.ComparePredictions;
import io.mlestar.core.step.Execution.Submission;
import io.mlestar.core.step.SubmissionComparison;
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
import io.mlestar.core.task.Validation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
    public record Result(
            SolutionScript solution,
            @Nullable Submission submission,
            boolean subsamplingRemoved,
            int contentChange,
            @Nullable ContaminationVerdict contamination,
            @Nullable String contaminationNote,
            @Nullable String failure) implements PhaseResult {
        /// The result in place of a finalization that did not come to its end.
        static Result missed(SolutionScript solution, String why) {
            return new Result(solution, null, false, 0, null, "skipped: " + why, why);
        }
    }

    @Override
    public Result run(Steps steps) {
        boolean isAsItIs = steps.context().scoresAreTrusted();
        SolutionScript full = isAsItIs ? solution : withoutSubsampling(steps);
        Optional<SolutionScript> script =
                isAsItIs
                        ? Optional.of(solution.as(SolutionPhase.FINAL))
                        : submissionScript(full, steps);
        Optional<Evaluation.Result> submitted =
                script.map(last -> new Evaluation(last, Kind.SUBMISSION).by(steps));
        String failure = submitted.map(ran -> failure(ran, steps))
                .orElse("the test agent gave no submission script");
        boolean isGood = failure.isEmpty();
        SolutionScript last = isGood ? scoredAs(submitted.orElseThrow().script()) : solution;
        Outcome<ContaminationVerdict> check = contamination(last, steps);
        ContaminationVerdict verdict =
                check instanceof Outcome.Done<ContaminationVerdict>(var done) ? done : null;
        String note =
                check instanceof Outcome.NoResult<ContaminationVerdict> none ? none.reason() : null;
        return new Result(last, isGood ? submitted.orElseThrow().submission() : null,
                !full.content().equals(solution.content()),
                full.content().length() - solution.content().length(), verdict, note,
                isGood ? null : failure);
    }

    /// The reason why the last script gave no submission that counts; empty if it gave one.
    private String failure(Evaluation.Result ran, Steps steps) {
        String failure = Objects.requireNonNullElse(ran.failure(), "");
        boolean isBlend = BlendedEnsemble.BLEND.equals(solution.step());
        String told = isBlend && !failure.isEmpty()
                ? "its members could not be trained again: " + failure
                : failure;
        return differs(ran.submission(), steps).orElse(told);
    }

    /// The reason why the score that the harness computed for the chosen script does not stand for
    /// the submission: an agent wrote another script than that, repaired it, or it does something
    /// else where no rows are hidden. Then the run hands in what was scored. Empty if the score
    /// stands, or nothing is known.
    private Optional<String> differs(@Nullable Submission submission, Steps steps) {
        Validation scored = solution.score().validation();
        String holdout = steps.context().hiddenRows();
        if (scored == null || submission == null || holdout == null) {
            return Optional.empty();
        }
        return switch (steps
                .outcome(new ComparePredictions(scored.predictions(), submission.key(), holdout))) {
            case Outcome.Done<SubmissionComparison>(SubmissionComparison compared) ->
                compared.differs();
            case Outcome.Failed<SubmissionComparison>(String reason, boolean _) ->
                Optional.of("the submission cannot be compared with what was scored: " + reason);
            case Outcome.Stopped<SubmissionComparison> _ -> Optional.empty();
        };
    }

    /// The last script sees all rows, so the score that the harness computed for the chosen one
    /// stands for it.
    private SolutionScript scoredAs(SolutionScript last) {
        return solution.score().validation() == null ? last : last.scored(solution.score());
    }

    /// REQ-FN-009; the solution itself if nothing is subsampled, or the block cannot be found or
    /// rewritten.
    private SolutionScript withoutSubsampling(Steps steps) {
        // Goes on also if no more answers may be paid for: scripts cost nothing.
        Optional<String> block = steps.outcome(new SubsamplingExtract(solution.content()))
                .done()
                .flatMap(Reply.Subsampling::codeBlock)
                .flatMap(claimed -> Blocks.locate(claimed, solution.content()));
        return block
                .flatMap(
                        found -> steps.outcome(new SubsamplingRemove(found))
                                .done()
                                .map(reply -> solution.replaceBlock(found,
                                        Blocks.fitted(found, reply.codeBlock()))))
                .orElse(solution);
    }

    /// Asks again where an answer held no code (REQ-FN-040). If no more answers may be paid for,
    /// the solution itself has to do.
    private static Optional<SolutionScript> submissionScript(SolutionScript full, Steps steps) {
        for (int ask = 0; ask <= steps.context().limits().maxDebugAttempts(); ask++) {
            Outcome<Reply.Code> reply =
                    steps.outcome(new TestSubmission(steps.context().task().description(),
                            full.content()));
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
    private static Outcome<ContaminationVerdict> contamination(SolutionScript last, Steps steps) {
        List<ContaminationCheck> checks = steps.context()
                .config()
                .referenceDiscussions()
                .stream()
                .map(reference -> new ContaminationCheck(reference, last.content()))
                .toList();
        if (checks.isEmpty()) {
            return new Outcome.Failed<>("skipped: there are no reference discussions");
        }
        List<ContaminationVerdict> verdicts = new ArrayList<>();
        for (Outcome<DataContaminationResult> outcome : steps.callAll(checks)) {
            outcome.done().ifPresent(result -> verdicts.add(result.verdict()));
        }
        if (verdicts.contains(ContaminationVerdict.SAME)) {
            return new Outcome.Done<>(ContaminationVerdict.SAME);
        }
        int unclear = checks.size() - verdicts.size();
        return unclear == 0
                ? new Outcome.Done<>(ContaminationVerdict.NOVEL)
                : new Outcome.Failed<>("inconclusive: " + unclear + " of " + checks.size()
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
        return PhaseReport.of(result.solution())
                .with(PhaseText.FAILURE, result.failure());
    }
}
