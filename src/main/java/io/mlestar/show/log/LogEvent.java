package io.mlestar.show.log;

import java.util.Locale;
import org.jboss.logging.Logger.Level;

/// All events of the log: the rows of the requirements' log tables, and the warnings that single requirements ask for. They are made in [AgentLines], [ScriptLines], [PhaseLines] and [FinalLines].
enum LogEvent {
    // A step of any kind that did not finish.
    STEP_FAILED(Level.WARN),
    STEP_STOPPED(Level.WARN),
    // An answer that cannot be read: the requirements' "parse failure", "unparseable response", "empty response", "extraction failure".
    UNREADABLE(Level.WARN),

    // An agent or a phase without a row of its own.
    AGENT_START(Level.INFO),
    AGENT_COMPLETE(Level.INFO),
    PHASE_COMPLETE(Level.INFO),

    // What was found out about the machine before any agent was asked.
    SURVEY_COMPLETE(Level.INFO),
    SURVEY_WARNING(Level.WARN),

    // REQ-EX-039
    SCRIPT_WRITTEN(Level.DEBUG),
    EXECUTION_START(Level.INFO),
    EXECUTION_COMPLETE(Level.INFO),
    EXECUTION_TIMEOUT(Level.WARN),
    EXECUTION_ERROR(Level.WARN),
    RETRY(Level.INFO),

    // REQ-SF-041, REQ-SF-010
    DEBUG_START(Level.INFO),
    DEBUG_RESULT(Level.INFO),
    SCORE_LINE_ADDED(Level.WARN),
    DEBUG_FALLBACK(Level.WARN),
    LEAKAGE_START(Level.INFO),
    LEAKAGE_RESULT(Level.INFO),
    CORRECTION_START(Level.INFO),
    CORRECTION_CALL(Level.INFO),
    CORRECTION_RESULT(Level.INFO),
    CORRECTION_SKIPPED(Level.WARN),
    LEAKAGE_COMPLETE(Level.INFO),
    DATA_START(Level.INFO),
    DATA_RESULT(Level.INFO),

    // REQ-P1-038, REQ-P1-005, REQ-P1-006
    PHASE1_START(Level.INFO),
    RETRIEVAL_START(Level.INFO),
    RETRIEVAL_COMPLETE(Level.INFO),
    RETRIEVAL_SHORT(Level.WARN),
    MODEL_DROPPED(Level.WARN),
    CANDIDATE_START(Level.INFO),
    INIT_START(Level.INFO),
    CANDIDATE_COMPLETE(Level.INFO),
    CANDIDATE_EVALUATED(Level.INFO),
    CANDIDATE_SKIPPED(Level.WARN),
    ALL_CANDIDATES_FAILED(Level.ERROR),
    CANDIDATES_SORTED(Level.INFO),
    MERGE_START(Level.INFO),
    MERGER_START(Level.INFO),
    MERGER_COMPLETE(Level.INFO),
    MERGE_END(Level.INFO),
    MERGES_ENDED(Level.INFO),
    PHASE1_COMPLETE(Level.INFO),

    // REQ-P2O-037
    OUTER_STEP_START(Level.INFO),
    ABLATION_START(Level.INFO),
    ABLATION_COMPLETE(Level.INFO),
    STUDY_FAILED(Level.WARN),
    SUMMARIZE_START(Level.INFO),
    SUMMARIZE_COMPLETE(Level.INFO),
    EXTRACTOR_START(Level.INFO),
    EXTRACTOR_COMPLETE(Level.INFO),
    BLOCK_VALID(Level.INFO),
    BLOCK_INVALID(Level.WARN),
    INNER_LOOP_HANDOFF(Level.INFO),
    INNER_LOOP_RETURN(Level.INFO),
    OUTER_STEP_COMPLETE(Level.INFO),
    OUTER_STEP_SKIPPED(Level.WARN),
    OUTER_LOOP_COMPLETE(Level.INFO),

    // REQ-P2I-043
    INNER_LOOP_START(Level.INFO),
    CODER_START(Level.INFO),
    CODER_COMPLETE(Level.INFO),
    PLANNER_START(Level.INFO),
    PLANNER_COMPLETE(Level.INFO),
    REPLACEMENT_SUCCESS(Level.DEBUG),
    REPLACEMENT_FAILURE(Level.WARN),
    EVALUATION_START(Level.INFO),
    EVALUATION_COMPLETE(Level.INFO),
    BEST_UPDATED(Level.INFO),
    ATTEMPT_SKIPPED(Level.WARN),
    ATTEMPT_COMPLETE(Level.INFO),
    INNER_LOOP_COMPLETE(Level.INFO),

    // REQ-P3-039, REQ-P3-026, REQ-P3-015
    PHASE3_START(Level.INFO),
    PHASE3_SKIPPED(Level.INFO),
    ROUND_START(Level.INFO),
    ENS_PLANNER_START(Level.INFO),
    ENS_PLANNER_COMPLETE(Level.INFO),
    ENSEMBLER_START(Level.INFO),
    ENSEMBLER_COMPLETE(Level.INFO),
    ENSEMBLE_SUBMISSION(Level.INFO),
    ROUND_FAILED(Level.WARN),
    ROUND_COMPLETE(Level.INFO),
    BEST_SELECTION(Level.INFO),
    ALL_ROUNDS_FAILED(Level.WARN),
    PHASE3_COMPLETE(Level.INFO),

    // REQ-FN-042, REQ-FN-022, REQ-FN-032, REQ-FN-039
    FINALIZATION_START(Level.INFO),
    EXTRACTION_START(Level.INFO),
    EXTRACTION_RESULT(Level.INFO),
    EXTRACTED_BLOCK_MISSING(Level.WARN),
    REMOVAL_START(Level.INFO),
    REMOVAL_RESULT(Level.INFO),
    REPLACEMENT_RESULT(Level.INFO),
    TEST_START(Level.INFO),
    TEST_RESULT(Level.INFO),
    SUBMISSION_RETRY(Level.WARN),
    SUBMISSION_VERIFIED(Level.INFO),
    SUBMISSION_WITHOUT_ROWS(Level.WARN),
    FALLBACK(Level.WARN),
    CONTAMINATION_START(Level.INFO),
    CONTAMINATION_CALL(Level.INFO),
    CONTAMINATION_VERDICT(Level.INFO),
    CONTAMINATION_RESULT(Level.INFO),
    CONTAMINATION_SKIPPED(Level.INFO),
    FINALIZATION_COMPLETE(Level.INFO),
    FINAL_RESULT(Level.INFO),

    // REQ-OR-037, REQ-OR-038, REQ-OR-039, REQ-OR-042
    PIPELINE_START(Level.INFO),
    PIPELINE_COMPLETE(Level.INFO),
    COST_BREAKDOWN(Level.INFO),
    DURATION_BREAKDOWN(Level.INFO),
    LINEAGE(Level.INFO),
    NO_SUBMISSION(Level.WARN),
    INVALID_SUBMISSION(Level.WARN),
    RUN_FAILED(Level.ERROR);

    final Level level;

    LogEvent(Level level) {
        this.level = level;
    }

    String words() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
