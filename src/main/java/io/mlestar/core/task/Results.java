package io.mlestar.core.task;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.task.Answers.RetrievedModel;
import io.mlestar.core.task.Decision.Source;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Results of the phases (REQ-DM-022 to REQ-DM-025, REQ-DM-042, REQ-DM-043, REQ-P2I-036).
public final class Results {
    private Results() {}

    /// One plan tried on a code block (REQ-DM-042).
    ///
    /// @param score null if the attempt failed, or was stopped after the first fold
    /// @param codeBlock the refined block; empty if the coder gave none
    /// @param wasImprovement equal to or better than the best before it (REQ-P2I-025)
    /// @param repaired how often the debugger changed the script that has the score, and why; or
    ///   why it was stopped after the first fold, without a score. Null if it ran as it was written
    /// @param script the whole script, where Phase 3 may blend it; else null
    /// @param finding what it was, of an attempt on a whole script; null for one on a block
    public record RefinementAttempt(
            String plan,
            @Nullable Double score,
            String codeBlock,
            boolean wasImprovement,
            @Nullable String repaired,
            @Nullable SolutionScript script,
            @Nullable AttemptRecord finding) {
        public RefinementAttempt {
            Objects.requireNonNull(plan, "plan");
            Objects.requireNonNull(codeBlock, "codeBlock");
        }

        /// An attempt without a script to blend.
        public RefinementAttempt(
                String plan,
                @Nullable Double score,
                String codeBlock,
                boolean wasImprovement,
                @Nullable String repaired) {
            this(plan, score, codeBlock, wasImprovement, repaired, null, null);
        }

        /// An attempt whose script was not run.
        public static RefinementAttempt failed(String plan, String codeBlock) {
            return new RefinementAttempt(plan, null, codeBlock, false, null);
        }
    }

    /// One ensemble plan tried (REQ-DM-043).
    ///
    /// @param failure why there is no score; null if there is one
    /// @param repaired as in [RefinementAttempt]
    /// @param members of a greedy blend, with their weights, or of the round that combines them;
    ///   none in another round
    public record EnsembleAttempt(
            String plan,
            @Nullable Double score,
            SolutionScript solution,
            @Nullable String failure,
            @Nullable String repaired,
            List<Source> members) {
        /// An attempt of a round, with the score of its script.
        public EnsembleAttempt(
                String plan,
                SolutionScript solution,
                @Nullable String failure,
                @Nullable String repaired) {
            this(plan, solution.score().value(), solution, failure, repaired, List.of());
        }

        public static List<SolutionScript> solutions(List<EnsembleAttempt> attempts) {
            return attempts.stream().map(EnsembleAttempt::solution).toList();
        }

        public EnsembleAttempt of(List<Source> sources) {
            return new EnsembleAttempt(plan, score, solution, failure, repaired, sources);
        }

        public EnsembleAttempt {
            members = List.copyOf(members);
            Objects.requireNonNull(plan, "plan");
            Objects.requireNonNull(solution, "solution");
        }
    }

    /// A leak that was found in a script, and whether it was corrected (REQ-SF-020, REQ-SF-021).
    ///
    /// @param block that leaks
    /// @param reason what leaks; empty if the agent did not say
    /// @param uncorrected why the script stays as it was; null if it was corrected
    public record Leak(String block, String reason, @Nullable String uncorrected) {
        public static final String NOT_FOUND = "the block is not in the script";
    }

    /// Outcome of Algorithm 1 (REQ-DM-022).
    ///
    /// @param candidateScores same order as the candidates; null for one that failed
    /// @param merges how many candidates were merged into the initial solution
    /// @param mergesEnded why merging ended before all were tried; null if it did not
    /// @param leaks what became of the leaks that the last check found
    /// @param decisions on the candidates, in the order of their ranks, then on the merges and what
    ///   the checks made of the last one
    /// @param study what compared kinds of models before; null if nothing did
    public record Phase1Result(
            List<RetrievedModel> retrievedModels,
            List<SolutionScript> candidateSolutions,
            List<Double> candidateScores,
            SolutionScript initialSolution,
            double initialScore,
            int merges,
            @Nullable String mergesEnded,
            List<Leak> leaks,
            List<Decision> decisions,
            @Nullable AttemptRecord study) {
        public Phase1Result {
            decisions = List.copyOf(decisions);
            leaks = Invalid.optional(leaks);
            retrievedModels = List.copyOf(retrievedModels);
            candidateSolutions = List.copyOf(candidateSolutions);
            candidateScores = Invalid.optionalElements(candidateScores);
        }

        /// The candidates that have a score, as the run ranked them: it began with the first, its
        /// best single model.
        public List<SolutionScript> ranked() {
            return decisions.stream()
                    .filter(decision -> decision.score().isKnown())
                    .flatMap(decision -> candidateSolutions.stream()
                            .filter(candidate -> decision.step().equals(candidate.step())))
                    .toList();
        }
    }

    /// One outer step of Algorithm 2 (REQ-P2O-030).
    ///
    /// @param failed marks the single record of a path that failed as a whole (REQ-OR-040)
    /// @param improved whether its script is better than the one that it began with
    /// @param decisions on the attempts, in their order
    public record StepRecord(
            int outerStep,
            String ablationSummary,
            String codeBlock,
            String plan,
            List<RefinementAttempt> innerLoopAttempts,
            Double bestScoreAfterStep,
            boolean wasSkipped,
            boolean failed,
            boolean improved,
            List<Decision> decisions) {
        public StepRecord {
            innerLoopAttempts = List.copyOf(innerLoopAttempts);
            decisions = List.copyOf(decisions);
        }

        /// The record of a step that tried nothing.
        ///
        /// @param score of the script that it began with
        public static StepRecord skipped(
                int outerStep,
                String ablationSummary,
                double score,
                boolean failed) {
            return new StepRecord(outerStep, ablationSummary, "", "", List.of(), score, true,
                    failed, false, List.of());
        }
    }

    /// Outcome of Algorithm 2 on one path (REQ-DM-023).
    public record Phase2Result(
            List<String> ablationSummaries,
            List<CodeBlock> refinedBlocks,
            SolutionScript bestSolution,
            double bestScore,
            List<StepRecord> stepHistory) {
        public Phase2Result {
            ablationSummaries = List.copyOf(ablationSummaries);
            refinedBlocks = List.copyOf(refinedBlocks);
            stepHistory = List.copyOf(stepHistory);
        }

        public boolean failed() {
            return stepHistory.stream().anyMatch(StepRecord::failed);
        }

        /// The decisions on all attempts, in their order.
        public List<Decision> decisions() {
            return stepHistory.stream().flatMap(step -> step.decisions().stream()).toList();
        }
    }

    /// Outcome of Algorithm 3 (REQ-DM-024).
    ///
    /// @param bestEnsembleScore null only if a fallback has no score
    /// @param attempts one record per round (REQ-P3-033)
    /// @param decisions on them, in their order; each is compared with the best input
    public record Phase3Result(
            List<SolutionScript> inputSolutions,
            List<String> ensemblePlans,
            List<Double> ensembleScores,
            SolutionScript bestEnsemble,
            @Nullable Double bestEnsembleScore,
            List<EnsembleAttempt> attempts,
            List<Decision> decisions) {
        public Phase3Result {
            decisions = List.copyOf(decisions);
            inputSolutions = List.copyOf(inputSolutions);
            ensemblePlans = List.copyOf(ensemblePlans);
            ensembleScores = Invalid.optionalElements(ensembleScores);
            attempts = Invalid.optional(attempts);
        }
    }

    /// Cost in USD and wall clock in seconds by phase (REQ-OR-037, REQ-OR-038); null where a phase
    /// did not run.
    public record PhaseSummary(@Nullable Double costUsd, @Nullable Double durationSeconds) {}

    /// A script that took the place of the one before it, from the best model as it came to the
    /// final solution.
    ///
    /// @param step path within the run of the phase that made it; null if it is not known
    /// @param standardError of the score; null if a script printed it
    /// @param gain over the one before, in units of the metric, positive if better; null for the
    ///   first
    /// @param errorOfGain standard error of the gain, paired; null if a script printed one of the
    ///   scores
    public record Gain(
            @Nullable String step,
            double score,
            @Nullable Double standardError,
            @Nullable Double gain,
            @Nullable Double errorOfGain) {}

    /// A single script that scored better than the one that was chosen.
    ///
    /// @param step path within the run of the phase whose best it is
    public record BetterScript(String step, double score) {}

    /// The result of the whole run (REQ-DM-025), with what a user asks next.
    ///
    /// @param bestPath number of the path whose script is the best single one
    /// @param phase3 null if L = 1, or Phase 3 failed or was skipped
    /// @param chosen the script that was finalized, as it was before
    /// @param submissionPath where `submission.csv` lies; empty if there is none (REQ-OR-043)
    /// @param totalCostUsd null if a model without a known price was used
    /// @param phasesCompleted names of the phases that ended as planned (REQ-OR-030)
    /// @param stopReason why phases were cut short; null if none was
    /// @param phases summary by `phase1`, `phase2`, `phase2-path0`, …, `phase3`, `finalization`
    /// @param lineage where the final script comes from, oldest first (REQ-OR-039)
    /// @param contamination verdict against the reference discussions; null if there is none
    /// @param contaminationNote why there is no verdict; null if there is one
    /// @param submissionSource what wrote the submission: `finalization`, or the path of the step
    ///   whose script did; null without one
    /// @param submissionFailure why there is no submission, or what is wrong with the form of the
    ///   one that there is; null if all is well
    /// @param submissionReplaced why the submission is not the last script's, but one that the step
    ///   of `submissionSource` wrote when it was scored; null if it is, or there is none
    /// @param baselineScore of s_0
    /// @param betterScript null if none scored better than the chosen one
    /// @param gains what the run gained on its way to the chosen script, oldest first
    public record FinalResult(
            String runId,
            TaskDescription task,
            PipelineConfig config,
            Phase1Result phase1,
            List<Phase2Result> phase2Results,
            int bestPath,
            @Nullable Phase3Result phase3,
            SolutionScript chosen,
            SolutionScript finalSolution,
            @Nullable Double bestScore,
            String submissionPath,
            double totalDurationSeconds,
            @Nullable Double totalCostUsd,
            List<String> phasesCompleted,
            @Nullable String stopReason,
            Map<String, PhaseSummary> phases,
            List<String> lineage,
            @Nullable ContaminationVerdict contamination,
            @Nullable String contaminationNote,
            @Nullable String submissionSource,
            @Nullable String submissionFailure,
            @Nullable String submissionReplaced,
            Double baselineScore,
            @Nullable BetterScript betterScript,
            List<Gain> gains,
            Instant startedAt) {
        public static final String FINALIZATION = "finalization";

        public FinalResult {
            gains = Invalid.optional(gains);
            phase2Results = List.copyOf(phase2Results);
            phasesCompleted = List.copyOf(phasesCompleted);
            phases = Collections.unmodifiableMap(new LinkedHashMap<>(phases));
            lineage = List.copyOf(lineage);
        }
    }
}
