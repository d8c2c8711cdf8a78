package io.mlestar.app.mcp;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.tool.RecordTool;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.show.view.RunState;
import java.time.Instant;

/// `run_status`: where a run stands (REQ-OR-050).
record RunStatusTool(Records records) implements RecordTool<NamedRun> {
    private static final int MOST_UNDER_WAY = 40;

    @Override
    public String name() {
        return "run_status";
    }

    @Override
    public String description() {
        return "Says where a run stands: phase, best score so far, cost, which steps are under way, and why it failed if it did.";
    }

    @Override
    public Class<NamedRun> arguments() {
        return NamedRun.class;
    }

    @Override
    public String use(NamedRun run) {
        RunHeader header = run.header(records);
        ObjectNode state = (ObjectNode) Json.tree(RunState.of(records, header, Instant.now()));
        ArrayNode underWay = state.withArray("under_way");
        int more = underWay.size() - MOST_UNDER_WAY;
        while (underWay.size() > MOST_UNDER_WAY) {
            underWay.remove(underWay.size() - 1);
        }
        return Json.line(more > 0 ? state.put("more_under_way", more) : state);
    }
}
