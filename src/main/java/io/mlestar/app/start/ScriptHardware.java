package io.mlestar.app.start;

import io.mlestar.adapter.script.Machine;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.DataModality;
import io.mlestar.core.task.PipelineConfig;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// The kind of machine on which the scripts of a run go. In a cluster other machines than this one
/// run them: the operator describes the one without a GPU by `MLE_STAR_HARDWARE`, and each kind
/// with one by a variable of its own, `MLE_STAR_HARDWARE_GPU` for the kind `gpu`,
/// `MLE_STAR_HARDWARE_A100` for the kind `a100`. What is not described is not offered.
///
/// @param kind never `auto`
/// @param description what agents read about it (REQ-OR-004)
public record ScriptHardware(String kind, String description) {
    static final String CPU = "cpu";
    static final String GPU = "gpu";
    private static final String VARIABLE = "MLE_STAR_HARDWARE";

    /// @param wanted the setting `hardware`; `auto` takes a GPU, if one is offered, unless the data
    ///   are a table
    /// @throws Invalid if it is not offered
    static ScriptHardware of(
            String wanted,
            DataModality modality,
            Map<String, String> environment,
            Machine machine) {
        Map<String, String> offered = offered(environment, machine);
        String suited = modality != DataModality.TABULAR && offered.containsKey(GPU) ? GPU : CPU;
        String kind = wanted.equals(PipelineConfig.AUTO) ? suited : wanted;
        String description = offered.get(kind);
        if (description == null) {
            throw new Invalid(
                    "hardware " + kind + " is not offered here; offered are "
                            + String.join(", ", offered.keySet())
                            + (isCluster(environment)
                                    ? " (" + VARIABLE + "_"
                                            + kind.toUpperCase(Locale.ROOT).replace('-', '_')
                                            + " would describe it)"
                                    : ""));
        }
        return new ScriptHardware(kind, description);
    }

    private static Map<String, String> offered(Map<String, String> environment, Machine machine) {
        String told = environment.getOrDefault(VARIABLE, "").strip();
        Map<String, String> offered = new TreeMap<>();
        String here = told.isEmpty() ? machine.describe() : told;
        offered.put(CPU, here);
        if (!isCluster(environment)) {
            if (machine.cudaAvailable()) {
                offered.put(GPU, here);
            }
            return offered;
        }
        environment.forEach((variable, description) -> {
            if (variable.startsWith(VARIABLE + "_") && !description.isBlank()) {
                offered.put(variable.substring(VARIABLE.length() + 1)
                        .toLowerCase(Locale.ROOT)
                        .replace('_', '-'), description.strip());
            }
        });
        return offered;
    }

    /// Tells the broker where a script goes: a Trigger for each kind leads to the JobSink of that
    /// kind.
    ///
    /// @return the event, with the extension `hardware` if it asks for a script
    public static Event placed(Event event, Records records) {
        return event.type().equals(Event.SCRIPT)
                ? event.with(Map.of(Event.HARDWARE,
                        records.header(StepPath.parse(event.subject()).run())
                                .map(run -> run.config().hardware())
                                .orElse(CPU)))
                : event;
    }

    /// True if a cluster's broker delivers the events.
    public static boolean isCluster(Map<String, String> environment) {
        return !environment.getOrDefault("K_SINK", "").isBlank();
    }
}
