package io.mlestar.app.cli;

import io.mlestar.core.base.Json;
import io.mlestar.core.steering.Steering.Effect.Refused;
import io.mlestar.core.steering.Steering;
import picocli.CommandLine.Command;

/// Lets a run finish with the best so far.
@Command(name = "cancel", description = "Let a run finish now, with the best so far.", mixinStandardHelpOptions = true)
final class CancelCommand extends StoreCommand.OneRunCommand {
    @Override
    public Integer call() {
        OpenedRun kept = open();
        Steering.Effect effect = kept.steering().cancel(kept.header());
        System.out.println(json ? Json.text(Json.object().put("run_id", run).put("asked", effect.isDone()).put("ended", effect instanceof Refused))
                : effect.text());
        return 0;
    }
}
