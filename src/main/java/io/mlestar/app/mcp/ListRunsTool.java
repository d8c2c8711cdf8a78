package io.mlestar.app.mcp;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.tool.RecordTool;
import io.mlestar.adapter.tool.ToolRefused;
import io.mlestar.app.web.LiveRunCache;
import io.mlestar.core.base.Json;
import io.mlestar.show.render.Formats;
import io.mlestar.show.view.RunFigures;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// `list_runs`: what there is.
record ListRunsTool(LiveRunCache cache) implements RecordTool<ListRunsTool.Range> {
    private static final int MOST = 50;
    private static final int LONGEST_ERROR = 300;

    /// @param from number of the first run, from 0
    @RegisterForReflection
    record Range(@JsonPropertyDescription("how many runs to leave out, the newest first; 0 if left out") Optional<Integer> from) {}

    @Override
    public String name() {
        return "list_runs";
    }

    @Override
    public String description() {
        return "Lists the runs of the store, the newest first, at most " + MOST + ": status, phase, best score, cost.";
    }

    @Override
    public Class<Range> arguments() {
        return Range.class;
    }

    @Override
    public String use(Range range) {
        int from = range.from().orElse(0);
        if (from < 0) {
            throw new ToolRefused("from must be 0 or more");
        }
        List<String> all = cache.newestFirst();
        ObjectNode answer = Json.object().put("count", all.size());
        ArrayNode runs = answer.putArray("runs");
        all.stream().skip(from).limit(MOST).map(cache::figures).flatMap(Optional::stream).map(ListRunsTool::row).forEach(runs::add);
        return Json.line(answer);
    }

    private static ObjectNode row(RunFigures run) {
        return Json.object().put("run_id", run.runId()).put("competition_id", Formats.line(run.competitionId(), LONGEST_ERROR))
                .put("status", run.state().toString())
                .put("current_phase", run.currentPhase()).put("best_score_so_far", run.bestScoreSoFar()).put("accumulated_cost_usd", run.accumulatedCostUsd())
                .put("elapsed_seconds", run.elapsedSeconds(Instant.now())).put("error", run.error() == null ? null : Formats.line(run.error(), LONGEST_ERROR));
    }
}
