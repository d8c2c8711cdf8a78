package io.mlestar.app.program;

import io.mlestar.adapter.script.Machine;
import java.util.HashMap;
import java.util.Map;

/// The environment without empty variables: Compose files and charts set those for what is not set. Only no devices mean no GPU.
final class SetVariables {
    private SetVariables() {}

    static Map<String, String> of(Map<String, String> environment) {
        Map<String, String> set = new HashMap<>(environment);
        set.entrySet().removeIf(variable -> variable.getValue().isEmpty() && !variable.getKey().equals(Machine.DEVICES));
        return Map.copyOf(set);
    }
}
