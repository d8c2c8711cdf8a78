package io.mlestar.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.engine.Records;
import io.mlestar.step.StepPath;
import java.util.ArrayList;
import java.util.List;

/// What the leakage and data agents changed in scripts (Section 3.4).
///
/// @param more changes beyond those that are shown
record Changes(List<Change> list, int more) {
    private static final String DATA = "phase1/data";
    private static final int MOST = 20;
    private static final int MOST_ROWS = 150;

    /// @param agent who changed the script
    /// @param rows side by side; empty if the correction was not used
    record Change(String agent, String step, List<Diffs.Row> rows) {}

    /// Takes in the steps of a run in the order in which each phase asked for them.
    static final class Collector {
        private final List<Change> changes = new ArrayList<>();
        private int more;
        private StepPath agent;
        private String before;

        void add(Records.Known step) {
            String whole = script(step.request().input());
            if (agent != null && !whole.isEmpty() && step.path().parent().equals(agent.parent())) {
                add(agent.inside(), whole);
                agent = null;
            }
            if (step.path().name().startsWith("leakage-correction") || step.path().inside().equals(DATA)) {
                agent = step.path();
                before = whole;
            }
        }

        /// The data agent is asked once, and mostly finds nothing: then there is nothing to tell.
        private void add(String step, String after) {
            if (after.equals(before) && step.equals(DATA)) {
                return;
            }
            if (changes.size() == MOST) {
                more++;
            } else {
                changes.add(new Change(step.equals(DATA) ? "Data agent" : "Leakage agent", step, Diffs.sideBySide(before, after, MOST_ROWS)));
            }
        }

        /// The whole script that a step is about, by the field that holds it.
        private static String script(JsonNode input) {
            for (String place : List.of("/initial_solution", "/code", "/content", "/script/content")) {
                if (input.at(place).isTextual()) {
                    return input.at(place).asText();
                }
            }
            return "";
        }

        Changes changes() {
            return new Changes(List.copyOf(changes), more);
        }
    }
}
