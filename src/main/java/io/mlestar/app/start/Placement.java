package io.mlestar.app.start;

import io.mlestar.core.event.Event;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.PipelineConfig;
import java.util.Map;

/// Tells the broker on which kind of machine a script goes: a Trigger for each kind leads to the JobSink of that kind.
public record Placement(Records records) {
    /// The event, with the extension `hardware` if it asks for a script.
    public Event of(Event event) {
        return event.type().equals(Event.SCRIPT) ? event.with(Map.of(Event.HARDWARE, kind(StepPath.parse(event.subject()).run()))) : event;
    }

    /// A run that was begun before there was a choice has made none.
    private String kind(String run) {
        return records.header(run).map(header -> header.config().hardware()).filter(kind -> !kind.equals(PipelineConfig.AUTO)).orElse(ScriptHardware.CPU);
    }
}
