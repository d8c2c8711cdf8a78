package io.mlestar.app.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.grade.Grade;
import io.mlestar.adapter.grade.Table;
import io.mlestar.adapter.tool.ListFilesTool;
import io.mlestar.adapter.tool.ParseScoreTool;
import io.mlestar.adapter.tool.ToolRefused;
import io.mlestar.app.program.RunSupervisor;
import io.mlestar.app.start.Caller;
import io.mlestar.app.start.Launch;
import io.mlestar.app.start.RunRequest;
import io.mlestar.app.web.LiveRunCache;
import io.mlestar.core.base.Controls;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.Unavailable;
import io.mlestar.core.engine.Engine;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.steering.Steering;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.DamagedRecord;
import io.mlestar.show.render.Formats;
import io.mlestar.show.report.RunGrade;
import io.mlestar.show.view.MisplacedAnswers;
import io.mlestar.show.view.RunFigures;
import io.mlestar.show.view.RunState;
import io.mlestar.show.view.StepDetail;
import io.quarkiverse.mcp.server.RawMessage;
import io.quarkiverse.mcp.server.Tool;
import io.quarkiverse.mcp.server.Tool.Annotations;
import io.quarkiverse.mcp.server.Tool.InputSchema;
import io.quarkiverse.mcp.server.ToolArg;
import io.quarkiverse.mcp.server.ToolCallException;
import io.quarkiverse.mcp.server.ToolGuardrails;
import jakarta.inject.Singleton;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.InvocationContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// The tools that the program offers over MCP, at `/mcp`: two that help with a script (REQ-OR-010),
/// and runs from their start to their grade. A caller names a run, never a folder, so the tools
/// show only what the store has of runs. Every failure is an answer of the tool: an assistant can
/// mend its request.
@Singleton
class RunTools {
    private static final Logger LOG = Logger.getLogger("mle_star.http");
    private static final String RUN = "id of a run in the store";
    private static final int MOST_RUNS = 50;
    private static final int LONGEST_LINE = 300;
    private static final int MOST_UNDER_WAY = 40;
    private static final int MOST_PROBLEMS = 20;

    private final Records records;
    private final LiveRunCache cache;
    private final Launch launch;
    private final RunSupervisor supervisor;
    private final Steering steering;
    private final Engine engine;

    RunTools(
            Records records,
            LiveRunCache cache,
            Launch launch,
            RunSupervisor supervisor,
            Engine engine) {
        this.records = records;
        this.cache = cache;
        this.launch = launch;
        this.supervisor = supervisor;
        this.steering = new Steering(records);
        this.engine = engine;
    }

    /// Bounds what each tool says, and turns each failure into an answer.
    @AroundInvoke
    Object answer(InvocationContext tool) throws Exception {
        try {
            return Controls.shown((String) tool.proceed());
        } catch (ToolRefused | Invalid | Unavailable | DamagedRecord e) {
            throw new ToolCallException(Controls.shown(String.valueOf(e.getMessage())));
        } catch (RuntimeException e) {
            LOG.error("unexpected failure of tool " + tool.getMethod().getName(), e);
            throw new ToolCallException("unexpected failure; the log says more");
        }
    }

    @Tool(name = "ParseScore", description = ParseScoreTool.DESCRIPTION,
            annotations = @Annotations(title = "ParseScore", readOnlyHint = true,
                    destructiveHint = false, idempotentHint = true, openWorldHint = false))
    @ToolGuardrails(input = ToolArguments.class)
    String parseScore(@ToolArg(description = "what the script printed") String output) {
        return ParseScoreTool.tool().call(Json.object().put("output", output));
    }

    @Tool(name = "ListFiles", description = ListFilesTool.DESCRIPTION,
            annotations = @Annotations(title = "ListFiles", readOnlyHint = true,
                    destructiveHint = false, idempotentHint = true, openWorldHint = false))
    @ToolGuardrails(input = ToolArguments.class)
    String listFiles(@ToolArg(name = "run_id", description = RUN) String run) {
        Path data = Path.of(engine.header(run).task().dataDir());
        return new ListFilesTool(() -> data).tool().call(Json.object());
    }

    @Tool(name = "list_runs",
            description = "Lists the runs of the store, the newest first, at most " + MOST_RUNS
                    + ": status, phase, best score, cost.",
            annotations = @Annotations(title = "list_runs", readOnlyHint = true,
                    destructiveHint = false, idempotentHint = true, openWorldHint = false))
    @ToolGuardrails(input = ToolArguments.class)
    String listRuns(
            @ToolArg(description = "how many runs to leave out, the newest first; 0 if left out",
                    required = false, defaultValue = "0") int from) {
        if (from < 0) {
            throw new ToolRefused("from must be 0 or more");
        }
        List<String> all = cache.newestFirst("");
        ObjectNode answer = Json.object().put("count", all.size());
        ArrayNode runs = answer.putArray("runs");
        all.stream()
                .skip(from)
                .limit(MOST_RUNS)
                .map(cache::figures)
                .flatMap(Optional::stream)
                .map(RunTools::row)
                .forEach(runs::add);
        return Json.line(answer);
    }

    private static ObjectNode row(RunFigures run) {
        return Json.object()
                .put("run_id", run.runId())
                .put("competition_id", Formats.line(run.competitionId(), LONGEST_LINE))
                .put("status", run.state().toString())
                .put("current_phase", run.currentPhase())
                .put("best_score_so_far", run.bestScoreSoFar())
                .put("accumulated_cost_usd", run.accumulatedCostUsd())
                .put("elapsed_seconds", run.elapsedSeconds(Instant.now()))
                .put("error", run.error() == null ? null : Formats.line(run.error(), LONGEST_LINE));
    }

    /// Returns the [RunState] of a run, with its first steps in flight (REQ-OR-050).
    @Tool(name = "run_status",
            description = "Says where a run stands: phase, best score so far, cost, which steps are running, and why it failed if it did.",
            annotations = @Annotations(title = "run_status", readOnlyHint = true,
                    destructiveHint = false, idempotentHint = true, openWorldHint = false))
    @ToolGuardrails(input = ToolArguments.class)
    String runStatus(@ToolArg(name = "run_id", description = RUN) String run) {
        ObjectNode state = (ObjectNode) Json.tree(RunState.of(records, header(run), Instant.now()));
        ArrayNode underWay = state.withArray("under_way");
        int more = underWay.size() - MOST_UNDER_WAY;
        while (underWay.size() > MOST_UNDER_WAY) {
            underWay.remove(underWay.size() - 1);
        }
        return Json.line(more > 0 ? state.put("more_under_way", more) : state);
    }

    @Tool(name = "step",
            description = "Shows a step of a run: what it was, how it ended, its score and cost, the beginnings of its texts, and the steps below it. "
                    + "With text, one of the texts, " + StepAnswer.PIECE + " characters at a time.",
            annotations = @Annotations(title = "step", readOnlyHint = true, destructiveHint = false,
                    idempotentHint = true, openWorldHint = false))
    @ToolGuardrails(input = ToolArguments.class)
    String step(
            @ToolArg(name = "run_id", description = RUN) String run,
            @ToolArg(
                    description = "path of the step in the run, e.g. phase2-path0/block0/attempt1/coder; empty or left out for the run itself",
                    required = false, defaultValue = "") String step,
            @ToolArg(
                    description = "prompt, answer, script, output, traceback or another text of the step, to be shown whole",
                    required = false) @Nullable String text,
            @ToolArg(description = "from which character on, if the text is long", required = false,
                    defaultValue = "0") int from) {
        header(run);
        StepPath path = step.isBlank() ? StepPath.root(run) : new StepPath(run, step);
        StepDetail detail = StepDetail.of(records, path)
                .orElseThrow(() -> new ToolRefused("there is no step " + path));
        StepAnswer answer = new StepAnswer(records, detail.step().known(), detail.texts());
        return text == null ? answer.inShort() : answer.piece(text, from);
    }

    /// Takes what the event `io.mlestar.run.requested` takes, by the same rules.
    @Tool(name = "start_run",
            description = "Starts a run of the whole pipeline, which asks models (that costs money) and trains scripts for minutes to hours; "
                    + "run_status follows it. With a run_id, asking again starts nothing new. Either task or fork is needed.",
            annotations = @Annotations(title = "start_run", destructiveHint = false,
                    idempotentHint = true),
            inputSchema = @InputSchema(generator = StartRunSchema.class))
    String startRun(RawMessage message) {
        Instant now = Instant.now();
        JsonNode wish = Json.parse(message.asString()).path("params").path("arguments");
        RunRequest request = launch.request(wish.isMissingNode() ? Json.object() : wish);
        RunHeader run = launch.prepare(records, request, new Caller.Sender("mcp " + now), now);
        supervisor.start(run);
        return Json.line(Json.object()
                .put("run_id", run.runId())
                .put("page", "/runs/" + run.runId())
                .put("model", run.config().models().model())
                .put("deadline", run.deadline().toString()));
    }

    /// The labels come with the question; the server opens no file of its machine for them.
    @Tool(name = "grade",
            description = "Grades the submission of a run on hidden labels, or tells the grade that it has.",
            annotations = @Annotations(title = "grade", destructiveHint = false,
                    idempotentHint = true, openWorldHint = false))
    @ToolGuardrails(input = ToolArguments.class)
    String grade(
            @ToolArg(name = "run_id",
                    description = "id of a run in the store that has ended") String id,
            @ToolArg(
                    description = "hidden labels as CSV text with the submission's ids, may have a column weight; the grade is kept with the run. "
                            + "Left out: the grade that the run has, or whether its submission is well formed",
                    required = false) @Nullable String labels) {
        RunHeader run = header(id);
        Optional<Grade> kept = labels == null ? RunGrade.of(records, id) : Optional.empty();
        if (kept.isPresent()) {
            return Json.line(kept.get());
        }
        Table submission = RunGrade.submission(records, engine.header(id))
                .orElseThrow(() -> new ToolRefused("run " + id + " has no submission"));
        List<String> problems = submission.problems();
        if (!problems.isEmpty()) {
            throw new ToolRefused(String.join("\n",
                    problems.subList(0, Math.min(problems.size(), MOST_PROBLEMS))));
        }
        if (labels == null) {
            return submission.what() + ": well formed, " + submission.rows().size()
                    + " rows; it has no grade yet";
        }
        MisplacedAnswers misplaced = MisplacedAnswers.of(records, id);
        if (misplaced.submission()) {
            throw new ToolRefused(misplaced.said().orElseThrow());
        }
        Grade grade = Grade.of(run.task().evaluationMetric(), submission, Table.of("labels",
                labels.getBytes(StandardCharsets.UTF_8), submission.format().keys()));
        RunGrade.keep(records, id, grade);
        return Json.line(grade);
    }

    @Tool(name = "cancel",
            description = "Lets a run finish now, with the best so far. What was found is kept, but the run cannot go on afterwards.",
            annotations = @Annotations(title = "cancel", idempotentHint = true,
                    openWorldHint = false))
    @ToolGuardrails(input = ToolArguments.class)
    String cancel(@ToolArg(name = "run_id", description = RUN) String run) {
        return steering.cancel(header(run)).orThrow(ToolRefused::new);
    }

    private RunHeader header(String run) {
        return records.header(StepPath.root(run).run())
                .orElseThrow(() -> new ToolRefused(
                        "there is no run \"" + run + "\"; list_runs lists them"));
    }
}
