package io.mlestar.show.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.RunContexts;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.step.MachineFacts;
import io.mlestar.show.render.Formats;
import io.mlestar.show.report.ReportModel.Fact;
import io.mlestar.show.view.LiveRun;
import io.mlestar.show.view.RunState;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The circumstances of a run, as its report lists them: models, machine, program and settings.
///
/// @param answering names of the models that answered
record RunEnvironment(Records records, LiveRun live, Set<String> answering) {
    private static final int TEXT = 400;

    /// The models, the machine, the program, the times and the data.
    List<Fact> facts() {
        RunHeader run = live.run();
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("Model", line(run.config().models().model()),
                answering.isEmpty()
                        ? ""
                        : "answered: " + Formats.line(String.join(", ", answering), TEXT)));
        run.config()
                .models()
                .agents()
                .forEach((agent, settings) -> facts.add(
                        new Fact("Model of " + agent, line(String.valueOf(settings.model())))));
        facts.add(new Fact("Machine", line(live.machine())));
        RunContexts.facts(records, run.runId())
                .map(found -> libraries(found.machine()))
                .ifPresent(facts::addAll);
        facts.add(new Fact("Program",
                "mlestar " + line(String.join(", then ", RunState.programs(records, run))),
                "prompts " + Formats.line(run.promptsDigest(), 16)));
        facts.add(new Fact("Started", Formats.time(run.startedAt()),
                "time limit until " + Formats.time(live.limits().deadline())));
        live.figures()
                .endedAt()
                .ifPresent(at -> facts.add(new Fact("Ended", Formats.time(at))));
        facts.add(new Fact("Data", Formats.line(run.task().dataDir(), TEXT)));
        return facts;
    }

    private static List<Fact> libraries(MachineFacts machine) {
        String gpus = machine.gpus()
                .stream()
                .map(MachineFacts.Gpu::inWords)
                .collect(Collectors.joining("; "));
        String libraries = machine.libraries()
                .entrySet()
                .stream()
                .map(one -> one.getKey() + " " + one.getValue())
                .collect(Collectors.joining(", "));
        return Stream
                .of(new Fact("GPU", line(gpus)), new Fact("Libraries", line(libraries)),
                        new Fact("Not installed", line(String.join(", ", machine.missing()))),
                        new Fact("Weights", line(String.join(", ", machine.weights()))))
                .filter(fact -> !fact.value().isEmpty())
                .toList();
    }

    /// The resolved configuration, without fields that are not set.
    List<Fact> settings() {
        List<Fact> facts = new ArrayList<>();
        Json.tree(live.run().config()).properties().forEach(field -> {
            JsonNode value = field.getValue();
            boolean isEmpty = value.isNull() || value.isContainerNode() && value.isEmpty();
            if (!isEmpty) {
                String shown = value.isValueNode() ? value.asText() : value.toString();
                facts.add(new Fact(field.getKey(), Formats.line(shown, TEXT)));
            }
        });
        return facts;
    }

    private static String line(String text) {
        return Formats.line(text, 120);
    }
}
