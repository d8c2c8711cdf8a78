package io.mlestar.cli;

import io.mlestar.agent.AgentConfig;
import io.mlestar.llm.Models;
import io.mlestar.plan.Assumed;
import io.mlestar.plan.PlanReport;
import io.mlestar.plan.WhatIf;
import io.mlestar.program.CompositionRoot;
import io.mlestar.task.AgentType;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import io.mlestar.task.PipelineConfig;
import io.mlestar.task.TaskDescription;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Says before a run what it will take, without asking a model, running a script or looking at the data.
@Command(name = "plan", description = "Play a run on paper: hours, calls, scripts, dollars and what it waits for, on more and more GPUs.",
        mixinStandardHelpOptions = true)
final class PlanCommand implements Callable<Integer> {
    private static final int MOST_GPUS = 1_000;

    @Option(names = "--task", required = true, paramLabel = "FILE", description = "task description, YAML or JSON; its data need not be there")
    Path task;

    @Option(names = "--config", paramLabel = "FILE", description = "configuration, YAML or JSON")
    @Nullable
    Path config;

    @Mixin
    SettingsOption settings;

    @Option(names = "--gpus", paramLabel = "N", description = "scripts that can run at once, at most (default: ${DEFAULT-VALUE})")
    int gpus = 8;

    @Option(names = "--script-minutes", paramLabel = "MINUTES", description = "what a script takes, as the median (default: ${DEFAULT-VALUE})")
    double scriptMinutes = Assumed.USUAL.scriptMinutes();

    @Option(names = "--call-seconds", paramLabel = "SECONDS", description = "what a model's answer takes, likewise (default: ${DEFAULT-VALUE})")
    double callSeconds = Assumed.USUAL.callSeconds();

    @Option(names = "--json", description = "print the plan as JSON")
    boolean json;

    @Override
    public Integer call() {
        CompositionRoot root = CompositionRoot.ofProcess();
        TaskDescription described = Json.readStrictly(YamlFile.map(task), TaskDescription.class);
        PipelineConfig given = root.config(settings.over(config));
        if (gpus < 1 || gpus > MOST_GPUS) {
            throw new Invalid("--gpus must be from 1 to " + MOST_GPUS + ", but is " + gpus);
        }
        Assumed assumed = new Assumed(scriptMinutes, callSeconds);
        AgentConfig.of(given);
        Models models = root.models();
        for (AgentType agent : AgentType.values()) {
            models.check(given.modelOf(agent));
        }
        PlanReport report = new PlanReport(assumed, WhatIf.all(described, given, assumed, gpus,
                (model, tokens) -> models.price(model, given.prices(), tokens)));
        System.out.print(json ? Json.text(report.json()) + System.lineSeparator() : report.text());
        return 0;
    }
}
