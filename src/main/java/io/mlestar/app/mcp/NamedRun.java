package io.mlestar.app.mcp;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.mlestar.adapter.tool.ToolRefused;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.step.StepPath;
import io.quarkus.runtime.annotations.RegisterForReflection;

/// The argument of a tool that is about one run.
@RegisterForReflection
record NamedRun(@JsonPropertyDescription("id of a run in the store") String runId) {
    /// @throws ToolRefused if there is no such run
    RunHeader header(Records records) {
        return header(records, runId);
    }

    /// A run that takes what is said to it.
    ///
    /// @throws ToolRefused if there is no such run, or it has ended
    String openToSteer(Records records) {
        String run = header(records).runId();
        records.refusal(run).ifPresent(why -> {
            throw new ToolRefused(why);
        });
        return run;
    }

    static RunHeader header(Records records, String run) {
        return records.header(StepPath.root(run).run()).orElseThrow(() -> new ToolRefused("there is no run \"" + run + "\"; list_runs lists them"));
    }
}
