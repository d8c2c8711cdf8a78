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
import io.mlestar.core.agent.Reply;
import io.mlestar.core.agent.Retriever;
import io.mlestar.core.agent.SubsamplingExtract;
import io.mlestar.core.agent.SubsamplingRemove;
import io.mlestar.core.agent.Summarize;
import io.mlestar.core.agent.TestSubmission;
import io.mlestar.core.task.Blocks;
import io.mlestar.core.phase.DebugLoop;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.UnreadableAnswer;
import io.mlestar.core.task.Answers.ExtractorOutput;
import io.mlestar.core.task.Answers.LeakageAnswer;
import io.mlestar.core.task.Answers.RetrievedModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Writes the log lines of an agent: its question, its inputs when it is asked, and its answer.
final class AgentLines {
    private static final String UNREADABLE = "failed to parse";
    private static final int BLOCK_SHOWN = 100;

    private AgentLines() {}

    /// The lines before an agent is asked.
    static List<LogLine> asked(RunHeader run, StepPath path, Agent<?> agent) {
        return switch (agent) {
            case Debugger debugger ->
                List.of((debugger.kind() == Kind.SUBMISSION
                        ? LogLine.warn("submission-retry")
                        : LogLine.info("retry"))
                        .with("attempt",
                                path.use() + " of " + run.config().limits().maxDebugAttempts())
                        .with("error", Execution.lastLine(debugger.bug())));
            case ContaminationCheck check when path.use() == 1 ->
                List.of(LogLine.info("contamination-start")
                        .with("references", run.config().referenceDiscussions().size()));
            default -> List.of();
        };
    }

    static LogLine started(RunHeader run, StepPath path, Agent<?> agent) {
        return switch (agent) {
            case Retriever retriever ->
                LogLine.info("retrieval-start").with("M", retriever.models());
            case Init init -> LogLine.info("init-start").with("model", init.modelName());
            case Merger merger -> LogLine.info("merger-start")
                    .with("base_length", merger.baseCode().length())
                    .with("reference_length", merger.referenceCode().length());
            case Data data -> LogLine.info("data-start")
                    .with("phase", path.top().inside())
                    .with("competition", run.task().competitionId())
                    .with("content_length", data.initialSolution().length());
            case Leakage leakage -> LogLine.info("leakage-start")
                    .with("phase", path.top().inside())
                    .with("content_length", leakage.code().length());
            case LeakageCorrection correction ->
                LogLine.info("correction-call").with("content_length", correction.code().length());
            case Debugger debugger -> LogLine.info("debug-start")
                    .with("phase", path.top().inside())
                    .with("attempt", path.use())
                    .with("error", Execution.lastLine(debugger.bug()));
            case Ablation ablation ->
                LogLine.info("ablation-start")
                        .with("solution_length", ablation.solutionScript().length())
                        .with("previous_summaries", ablation.previousAblations().size());
            case Summarize summarize ->
                LogLine.info("summarize-start")
                        .with("ablation_length", summarize.ablationCode().length())
                        .with("output_length", summarize.rawResult().length());
            case Extractor extractor ->
                LogLine.info("extractor-start")
                        .with("summary_length", extractor.ablationSummary().length())
                        .with("solution_length", extractor.solutionScript().length())
                        .with("previous_blocks", extractor.previousCodeBlocks().size());
            case Coder coder -> LogLine.info("coder-start").with("plan", coder.plan());
            case Planner planner ->
                LogLine.info("planner-start").with("history", planner.plans().size());
            case EnsPlanner planner ->
                LogLine.info("ens-planner-start").with("history", planner.plans().size());
            case Ensembler ensembler ->
                LogLine.info("ensembler-start").with("plan", ensembler.plan());
            case SubsamplingExtract extract -> LogLine.info("extraction-start")
                    .with("content_length", extract.finalSolution().length());
            case SubsamplingRemove remove -> LogLine.info("removal-start")
                    .with("block_length", remove.codeBlockWithSubsampling().length());
            case TestSubmission test -> LogLine.info("test-start")
                    .with("competition", run.task().competitionId())
                    .with("content_length", test.finalSolution().length());
            case ContaminationCheck check ->
                LogLine.info("contamination-call").with("reference", path.use());
            default -> LogLine.info("agent-start");
        };
    }

    /// The lines for its answer, read as the phase reads it.
    static List<LogLine> answered(StepPath path, Agent<?> agent, Answer answer) {
        List<LogLine> lines = new ArrayList<>(switch (agent) {
            case Retriever retriever -> retrieved(retriever, answer);
            case Init init ->
                List.of(code("candidate-complete", agent, answer).with("model", init.modelName()));
            case Merger merger -> List.of(code("merger-complete", agent, answer));
            case Debugger debugger -> debugged(debugger, answer);
            case Leakage leakage -> leaks(leakage, answer);
            case LeakageCorrection correction -> List.of(code("correction-result", agent, answer));
            case Data data -> List.of(LogLine.info("data-result")
                    .with("verdict", read(data, answer).map(usage -> verdict(usage.code(), data))
                            .orElse(UNREADABLE)));
            case Ablation ablation -> List.of(code("ablation-complete", agent, answer));
            case Summarize summarize -> List.of(LogLine.info("summarize-complete")
                    .with("length",
                            read(summarize, answer)
                                    .map(reply -> String.valueOf(reply.summary().length()))
                                    .orElse(UNREADABLE)));
            case Extractor extractor -> extracted(extractor, path, answer);
            case Coder coder -> List.of(code("coder-complete", agent, answer));
            case Planner planner -> List.of(plan("planner-complete", planner, answer));
            case EnsPlanner planner -> List.of(plan("ens-planner-complete", planner, answer));
            case Ensembler ensembler -> List.of(code("ensembler-complete", agent, answer));
            case SubsamplingExtract extract -> subsampling(extract, answer);
            case SubsamplingRemove remove -> List.of(code("removal-result", agent, answer)
                    .with("old_length", remove.codeBlockWithSubsampling().length()));
            case TestSubmission test -> List.of(code("test-result", agent, answer));
            case ContaminationCheck check -> List.of(LogLine.info("contamination-verdict")
                    .with("reference", path.use())
                    .with("verdict", read(check, answer).<Object>map(result -> result.verdict())
                            .orElse(UNREADABLE)));
            default -> List.of(LogLine.info("agent-complete"));
        });
        lines.set(0, lines.getFirst().with("model_used", answer.usage().model()));
        return lines;
    }

    private static String verdict(Optional<String> code, Data data) {
        if (code.isEmpty()) {
            return "confirmed complete";
        }
        return code.get().equals(data.initialSolution()) ? "unchanged" : "modified";
    }

    private static <R> Optional<R> read(Agent<R> agent, Answer answer) {
        try {
            return Optional.of(answer.readBy(agent));
        } catch (UnreadableAnswer e) {
            return Optional.empty();
        }
    }

    /// The line of an agent whose answer is code.
    private static LogLine code(String what, Agent<?> agent, Answer answer) {
        return LogLine.info(what)
                .with("length", read(agent, answer).<Object>map(reply -> switch (reply) {
                    case Reply.Code(String code) -> code.length();
                    case Reply.Block(String block) -> block.length();
                    default -> throw new IllegalStateException(reply.getClass() + " is no code");
                }).orElse(UNREADABLE));
    }

    private static LogLine plan(String what, Agent<Reply.Plan> planner, Answer answer) {
        return LogLine.info(what)
                .with("plan", read(planner, answer).map(Reply.Plan::plan).orElse(UNREADABLE));
    }

    private static List<LogLine> retrieved(Retriever retriever, Answer answer) {
        List<RetrievedModel> models =
                read(retriever, answer).map(found -> found.models()).orElse(List.of());
        List<LogLine> lines = new ArrayList<>();
        lines.add(LogLine.info("retrieval-complete")
                .with("models", models.size())
                .with("names",
                        models.stream()
                                .map(RetrievedModel::modelName)
                                .collect(Collectors.joining(", "))));
        retriever.dropped(answer.said())
                .forEach(why -> lines.add(LogLine.warn("model-dropped").with("reason", why)));
        if (!models.isEmpty() && models.size() < retriever.models()) {
            lines.add(LogLine.warn("retrieval-short")
                    .with("models", models.size())
                    .with("M", retriever.models()));
        }
        return lines;
    }

    private static List<LogLine> debugged(Debugger debugger, Answer answer) {
        Optional<String> code = read(debugger, answer).map(Reply.Code::code);
        List<LogLine> lines = new ArrayList<>();
        lines.add(LogLine.info("debug-result")
                .yes("fix", code.filter(fixed -> !fixed.equals(debugger.code())).isPresent())
                .with("length_change",
                        code.map(fixed -> fixed.length() - debugger.code().length()).orElse(0)));
        if (debugger.kind() == Kind.SOLUTION
                && code.filter(fixed -> !DebugLoop.hasScoreLine(fixed)).isPresent()) {
            lines.add(LogLine.warn("score-line-added")
                    .with("says",
                            "the repaired script prints no score; the line that does was added"));
        }
        return lines;
    }

    private static List<LogLine> leaks(Leakage leakage, Answer answer) {
        Optional<List<LeakageAnswer>> answers = read(leakage, answer).map(found -> found.answers());
        List<LeakageAnswer> found =
                answers.orElse(List.of()).stream().filter(LeakageAnswer::leaks).toList();
        List<LogLine> lines = new ArrayList<>();
        LogLine result = LogLine.info("leakage-result")
                .with("answers", answers.map(all -> String.valueOf(all.size())).orElse(UNREADABLE))
                .yes("leakage", !found.isEmpty());
        lines.add(found.isEmpty()
                ? result
                : result.with("reason",
                        found.stream()
                                .map(LeakageAnswer::reason)
                                .collect(Collectors.joining(" "))));
        // The phase goes on with a correction for each block that it finds.
        found.stream()
                .flatMap(block -> Blocks.locate(block.codeBlock(), leakage.code()).stream())
                .forEach(block -> lines.add(
                        LogLine.info("correction-start").with("block_length", block.length())));
        return lines;
    }

    private static List<LogLine> extracted(Extractor extractor, StepPath path, Answer answer) {
        Optional<ExtractorOutput> output = read(extractor, answer);
        if (output.isEmpty()) {
            return List.of(LogLine.info("extractor-complete").with("plans", UNREADABLE));
        }
        String block = output.get().plans().getFirst().codeBlock();
        LogLine complete = LogLine.info("extractor-complete")
                .with("plans", output.get().plans().size())
                .with("block_length", block.length());
        if (Blocks.locate(block, extractor.solutionScript()).isPresent()) {
            return List.of(complete,
                    LogLine.info("block-valid")
                            .with("validation", "pass")
                            .with("match",
                                    extractor.solutionScript().contains(block)
                                            ? "exact"
                                            : "whitespace-normalized"));
        }
        return List.of(complete, LogLine.warn("block-invalid")
                .with("validation", "fail")
                .with("block",
                        block.length() > BLOCK_SHOWN ? block.substring(0, BLOCK_SHOWN) : block)
                .with("attempt", path.use()));
    }

    private static List<LogLine> subsampling(SubsamplingExtract extract, Answer answer) {
        String claimed = read(extract, answer).flatMap(Reply.Subsampling::codeBlock).orElse("");
        boolean found =
                !claimed.isEmpty() && Blocks.locate(claimed, extract.finalSolution()).isPresent();
        LogLine result = LogLine.info("extraction-result")
                .yes("found", found)
                .with("block_length", claimed.length());
        return found || claimed.isBlank()
                ? List.of(result)
                : List.of(result, LogLine.warn("extracted-block-missing").with("block", claimed));
    }
}
