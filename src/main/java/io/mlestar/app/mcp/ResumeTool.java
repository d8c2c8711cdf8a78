package io.mlestar.app.mcp;

import io.mlestar.adapter.tool.RecordTool;
import io.mlestar.core.records.Records;
import io.mlestar.core.steering.Pauses;
import java.time.Instant;

/// `resume`: lets a paused run go on.
record ResumeTool(Records records) implements RecordTool<NamedRun> {
    @Override
    public String name() {
        return "resume";
    }

    @Override
    public String description() {
        return "Lets a paused run go on, with all the time that it had left.";
    }

    @Override
    public Class<NamedRun> arguments() {
        return NamedRun.class;
    }

    @Override
    public String use(NamedRun run) {
        String id = run.openToSteer(records);
        return "run " + id + (new Pauses(records.store()).lift(id, Instant.now(), PauseTool.WHO) ? " goes on" : " was not paused");
    }
}
