package io.mlestar.app.mcp;

import io.mlestar.adapter.tool.RecordTool;
import io.mlestar.core.records.Records;

/// `cancel`: lets a run finish now.
record CancelTool(Records records) implements RecordTool<NamedRun> {
    @Override
    public String name() {
        return "cancel";
    }

    @Override
    public String description() {
        return "Lets a run finish now, with the best so far. What was found is kept, but the run cannot go on afterwards.";
    }

    @Override
    public Class<NamedRun> arguments() {
        return NamedRun.class;
    }

    @Override
    public String use(NamedRun run) {
        String id = run.openToSteer(records);
        records.cancel(id);
        return "run " + id + " finishes with the best so far";
    }
}
