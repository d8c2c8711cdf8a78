package io.mlestar.app.mcp;

import io.mlestar.adapter.tool.ListFilesTool;
import io.mlestar.adapter.tool.RecordTool;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.Records;
import java.nio.file.Path;

/// `ListFiles` of a run's data (REQ-OR-010).
record RunFilesTool(Records records) implements RecordTool<NamedRun> {
    @Override
    public String name() {
        return "ListFiles";
    }

    @Override
    public String description() {
        return ListFilesTool.DESCRIPTION;
    }

    @Override
    public Class<NamedRun> arguments() {
        return NamedRun.class;
    }

    @Override
    public String use(NamedRun run) {
        return new ListFilesTool(() -> Path.of(run.header(records).task().dataDir())).call(Json.object());
    }
}
