package io.mlestar.app.cli;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.steering.Extension;
import io.mlestar.core.steering.Extensions;
import io.mlestar.show.render.Formats;
import io.mlestar.show.view.RunState;
import io.mlestar.show.view.RunStatus;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Gives a run more time or money.
@Command(name = "extend", description = "Give a run that goes on, or that was killed, more time or money.", mixinStandardHelpOptions = true)
final class ExtendCommand extends StoreCommand.OneRunCommand {
    @Option(names = "--add-minutes", paramLabel = "N", description = "more than time_limit_seconds gave it", defaultValue = "")
    String minutes;

    @Option(names = "--add-usd", paramLabel = "USD", description = "more than max_budget_usd gave it", defaultValue = "")
    String usd;

    @Option(names = "--by", paramLabel = "NAME", description = "who gives it (default: ${DEFAULT-VALUE})", defaultValue = "${sys:user.name}")
    String by;

    @Override
    public Integer call() {
        Extension extension = Extension.asked(Instant.now(), by, minutes, usd);
        OpenedRun kept = open();
        kept.steering().extend(kept.header(), extension).orThrow(Invalid::new);
        RunState state = RunState.of(kept.records(), kept.header(), Instant.now());
        Double budget = new Extensions(kept.records().store()).onto(kept.header()).budgetUsd();
        Instant deadline = Objects.requireNonNull(state.deadline());
        boolean late = "finalization".equals(state.currentPhase());
        System.out.println(json
                ? Json.text(Json.object().put("run_id", run).put("deadline", deadline.toString()).put("max_budget_usd", budget))
                : "run " + run + " may go on until " + deadline.truncatedTo(ChronoUnit.SECONDS)
                        + (budget == null ? "" : " and spend " + Formats.dollars(budget))
                        + (state.status() == RunStatus.PAUSED ? ", and as much longer as it is paused from now on" : "")
                        + (late ? "; its finalization has begun, and nothing but that will use it" : ""));
        return 0;
    }
}
