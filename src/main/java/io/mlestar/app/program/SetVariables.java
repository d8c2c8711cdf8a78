package io.mlestar.app.program;

import io.mlestar.adapter.script.Machine;
import java.util.HashMap;
import java.util.Map;

/// The environment without empty variables: in Compose files and charts they stand for what is not
/// set. An empty list of devices stays: it means no GPU.
final class SetVariables {
    private SetVariables() {}

    static Map<String, String> of(Map<String, String> environment) {
        Map<String, String> set = new HashMap<>(environment);
        set.entrySet()
                .removeIf(variable -> variable.getValue().isEmpty()
                        && !variable.getKey().equals(Machine.DEVICES));
        return Map.copyOf(set);
    }
}
