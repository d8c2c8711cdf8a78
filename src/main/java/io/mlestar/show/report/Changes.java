package io.mlestar.show.report;

import io.mlestar.core.agent.Data;
import io.mlestar.core.agent.Debugger;
import io.mlestar.core.agent.Leakage;
import io.mlestar.core.agent.LeakageCorrection;
import io.mlestar.core.phase.Evaluation;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.Step;
import io.mlestar.show.render.Diffs;
import io.mlestar.show.render.Formats;
import io.mlestar.show.view.StepView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the leakage and data agents changed in scripts (Section 3.4). Takes in the steps of a run in the order in which each phase asked
/// for them.
public final class Changes {
    private static final int MOST = 20;
    private static final int MOST_ROWS = 150;
    private static final int REASON_SHOWN = 500;

    private final List<Change> changes = new ArrayList<>();
    private int more;
    private @Nullable StepView agent;

    /// @param agent who changed the script
    /// @param reason what leaked; empty if the agent did not say
    /// @param rows side by side; empty if the correction was not used
    public record Change(String agent, String step, String reason, List<Diffs.DiffRow> rows) {}

    void add(StepView step) {
        String whole = script(step.step());
        if (agent != null && !whole.isEmpty() && step.path().parent().equals(agent.path().parent())) {
            add(agent, whole);
            agent = null;
        }
        if (step.step() instanceof LeakageCorrection || step.step() instanceof Data) {
            agent = step;
        }
    }

    /// The data agent is asked once and mostly changes nothing, which is left out.
    private void add(StepView agent, String after) {
        String before = script(agent.step());
        boolean data = agent.step() instanceof Data;
        if (data && after.equals(before)) {
            return;
        }
        if (changes.size() == MOST) {
            more++;
        } else {
            String reason = agent.step() instanceof LeakageCorrection correction ? Formats.line(correction.reason(), REASON_SHOWN) : "";
            changes.add(new Change(data ? "Data agent" : "Leakage agent", agent.path().inside(), reason, Diffs.sideBySide(before, after, MOST_ROWS)));
        }
    }

    /// The whole script that a step is about; empty if it is about none.
    private static String script(Step<?> step) {
        return switch (step) {
            case Data data -> data.initialSolution();
            case Leakage leakage -> leakage.code();
            case LeakageCorrection correction -> correction.code();
            case Debugger debugger -> debugger.code();
            case RunScript script -> script.content();
            case Evaluation evaluation -> evaluation.script().content();
            default -> "";
        };
    }

    public List<Change> list() {
        return changes;
    }

    /// How many changes are not in the list.
    public int more() {
        return more;
    }
}
