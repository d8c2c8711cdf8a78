package io.mlestar.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.JacksonTrace;
import io.mlestar.agent.AgentConfig;
import io.mlestar.agent.Agents;
import io.mlestar.agent.Prompts;
import io.mlestar.function.NativeTypes;
import io.mlestar.function.Registered;
import io.mlestar.phase.Phases;
import io.mlestar.report.RunState;
import io.mlestar.report.StepTree;
import io.mlestar.step.StepPath;
import io.mlestar.task.Json;
import io.mlestar.task.Results.FinalResult;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// What really goes through JSON in a whole run, as the JSON library itself remembers it, is what a native image keeps.
class JsonTypesTest {
    private static Set<String> ours(Set<Class<?>> types) {
        return types.stream().filter(type -> type.getName().startsWith("io.mlestar."))
                .filter(type -> type.getProtectionDomain().getCodeSource().getLocation().getPath().endsWith("/classes/"))
                .map(Class::getName).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void aWholeRunWritesAndReadsNothingElse() throws Exception {
        OneEngine one = new OneEngine();
        one.store.create("kept", "id,y\n1,0\n".getBytes());
        Json.read(one.runToTheEnd("{\"reference_discussions\": [\"Others did it.\"]}"), FinalResult.class);
        RunHeader header = one.records.header("r").orElseThrow();
        Json.text(RunState.of(one.records, header, World.NOW));
        StepTree.of(one.records, header, StepTree.Look.PLAIN);
        one.records.below(StepPath.root("r")).forEach(phase -> StepTree.one(one.records, phase.path()));
        Prompts prompts = Prompts.load(Map.of());
        AgentConfig.defaults().forEach((type, config) -> Json.tree(config.toAgentDefinition(prompts)));

        Set<String> seen = new TreeSet<>(ours(JacksonTrace.types(Json.class, "LENIENT")));
        seen.addAll(ours(JacksonTrace.types(Json.class, "STRICT")));
        assertThat(seen).contains(RunHeader.class.getName(), StepRequest.class.getName(), StepResult.class.getName())
                .containsAll(Phases.BY_KIND.values().stream().map(Class::getName).toList());
        assertThat(Agents.BY_NAME.values()).extracting(Class::getName).filteredOn(seen::contains).hasSizeGreaterThanOrEqualTo(15);
        assertThat(seen).isSubsetOf(ours(Registered.by(NativeTypes.class)));
    }
}
