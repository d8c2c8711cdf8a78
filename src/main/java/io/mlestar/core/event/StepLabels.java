package io.mlestar.core.event;

import io.mlestar.core.agent.Agents;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.StepPath;
import java.util.HashMap;
import java.util.Map;
import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

/// Says in every log line of a thread which step is being worked on: `run`, `step`, and where they
/// apply `path` (the refinement path, e.g. `path-0`) and `agent`.
public final class StepLabels {
    private static final String[] NAMES = {"run", "step", "path", "agent"};

    private StepLabels() {}

    /// Works with the labels of `step`; afterwards the thread has those from before.
    public static void during(StepPath step, Runnable work) {
        Map<String, Object> before = new HashMap<>();
        for (String name : NAMES) {
            before.put(name, MDC.get(name));
        }
        try {
            set("run", step.run());
            set("step", step.toString());
            set("path", step.refinementPath().orElse(null));
            String name = step.plainName();
            set("agent", Agents.BY_NAME.containsKey(name) ? name : null);
            work.run();
        } finally {
            before.forEach(StepLabels::set);
        }
    }

    /// Works with the labels of the step that an event is about, if it is about one.
    public static void during(Event event, Runnable work) {
        StepPath step;
        try {
            step = StepPath.parse(event.subject());
        } catch (Invalid e) {
            work.run();
            return;
        }
        during(step, work);
    }

    private static void set(String name, @Nullable Object value) {
        if (value == null) {
            MDC.remove(name);
        } else {
            MDC.put(name, value);
        }
    }
}
