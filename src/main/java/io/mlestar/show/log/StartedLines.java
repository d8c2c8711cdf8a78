package io.mlestar.show.log;

import io.mlestar.core.agent.Ablation;
import io.mlestar.core.agent.Coder;
import io.mlestar.core.agent.ContaminationCheck;
import io.mlestar.core.agent.Data;
import io.mlestar.core.agent.Debugger;
import io.mlestar.core.agent.EnsPlanner;
import io.mlestar.core.agent.Ensembler;
import io.mlestar.core.agent.Extractor;
import io.mlestar.core.agent.Init;
import io.mlestar.core.agent.Leakage;
import io.mlestar.core.agent.LeakageCorrection;
import io.mlestar.core.agent.Merger;
import io.mlestar.core.agent.Planner;
import io.mlestar.core.agent.Retriever;
import io.mlestar.core.agent.SubsamplingExtract;
import io.mlestar.core.agent.SubsamplingRemove;
import io.mlestar.core.agent.Summarize;
import io.mlestar.core.agent.TestSubmission;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.Step;
import io.mlestar.core.step.StepPath;
import java.util.Locale;

/// What the log tells when an agent is asked or a script is run: with what.
final class StartedLines {
    private StartedLines() {}

    static LogLine of(RunHeader run, StepPath path, Step<?> step) {
        return switch (step) {
            case RunScript script -> LogLine.of(LogEvent.EXECUTION_START).with("path", script.filename())
                    .with("kind", script.kind().name().toLowerCase(Locale.ROOT))
                    .with("content_length", script.content().length()).with("timeout", script.timeoutSeconds());
            case Retriever retriever -> LogLine.of(LogEvent.RETRIEVAL_START).with("M", retriever.models());
            case Init init -> LogLine.of(LogEvent.INIT_START).with("model", init.modelName());
            case Merger merger -> LogLine.of(LogEvent.MERGER_START).with("base_length", merger.baseCode().length())
                    .with("reference_length", merger.referenceCode().length());
            case Data data -> LogLine.of(LogEvent.DATA_START).with("phase", phase(path)).with("competition", run.task().competitionId())
                    .with("content_length", data.initialSolution().length());
            case Leakage leakage -> LogLine.of(LogEvent.LEAKAGE_START).with("phase", phase(path))
                    .with("content_length", leakage.code().length());
            case LeakageCorrection correction -> LogLine.of(LogEvent.CORRECTION_CALL).with("content_length", correction.code().length());
            case Debugger debugger -> LogLine.of(LogEvent.DEBUG_START).with("phase", phase(path))
                    .with("attempt", AskedLines.number(path)).with("error", Execution.lastLine(debugger.bug()));
            case Ablation ablation -> LogLine.of(LogEvent.ABLATION_START).with("solution_length", ablation.solutionScript().length())
                    .with("previous_summaries", ablation.previousAblations().size());
            case Summarize summarize -> LogLine.of(LogEvent.SUMMARIZE_START).with("ablation_length", summarize.ablationCode().length())
                    .with("output_length", summarize.rawResult().length());
            case Extractor extractor -> LogLine.of(LogEvent.EXTRACTOR_START).with("summary_length", extractor.ablationSummary().length())
                    .with("solution_length", extractor.solutionScript().length())
                    .with("previous_blocks", extractor.previousCodeBlocks().size());
            case Coder coder -> LogLine.of(LogEvent.CODER_START).with("plan", coder.plan());
            case Planner planner -> LogLine.of(LogEvent.PLANNER_START).with("history", planner.plans().size());
            case EnsPlanner planner -> LogLine.of(LogEvent.ENS_PLANNER_START).with("history", planner.plans().size());
            case Ensembler ensembler -> LogLine.of(LogEvent.ENSEMBLER_START).with("plan", ensembler.plan());
            case SubsamplingExtract extract -> LogLine.of(LogEvent.EXTRACTION_START)
                    .with("content_length", extract.finalSolution().length());
            case SubsamplingRemove remove -> LogLine.of(LogEvent.REMOVAL_START)
                    .with("block_length", remove.codeBlockWithSubsampling().length());
            case TestSubmission test -> LogLine.of(LogEvent.TEST_START).with("competition", run.task().competitionId())
                    .with("content_length", test.finalSolution().length());
            case ContaminationCheck check -> LogLine.of(LogEvent.CONTAMINATION_CALL).with("reference", AskedLines.number(path));
            default -> throw new IllegalStateException("nothing is told of the beginning of " + step.getClass());
        };
    }

    /// Which phase of the pipeline the step is part of.
    private static String phase(StepPath path) {
        int slash = path.inside().indexOf('/');
        return slash < 0 ? path.inside() : path.inside().substring(0, slash);
    }
}
