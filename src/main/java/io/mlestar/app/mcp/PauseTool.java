package io.mlestar.app.mcp;

import io.mlestar.adapter.tool.RecordTool;
import io.mlestar.core.records.Records;
import io.mlestar.core.steering.Pauses;
import java.time.Instant;

/// `pause`: lets a run begin nothing new.
record PauseTool(Records records) implements RecordTool<NamedRun> {
    /// As whom the run notes it.
    static final String WHO = "an assistant";

    @Override
    public String name() {
        return "pause";
    }

    @Override
    public String description() {
        return "Lets a run begin nothing new until it is resumed: no model is asked and no script is run. What is under way ends, and the time limit waits.";
    }

    @Override
    public Class<NamedRun> arguments() {
        return NamedRun.class;
    }

    @Override
    public String use(NamedRun run) {
        String id = run.openToSteer(records);
        return "run " + id + (new Pauses(records.store()).begin(id, Instant.now(), WHO) ? " is paused; resume lets it go on" : " was paused already");
    }
}
