package io.mlestar.app.cli;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.steering.Steering;
import picocli.CommandLine.Command;

/// Lets a run finish with the best so far.
@Command(name = "cancel", description = "Let a run finish now, with the best so far.", mixinStandardHelpOptions = true)
final class CancelCommand extends StoreCommand.OneRunCommand {
    @Override
    public Integer call() {
        OpenedRun kept = open();
        Steering.Effect effect = kept.steering().cancel(kept.header());
        String asked = effect.orThrow(Invalid::new);
        System.out.println(json ? Json.text(Json.object().put("run_id", run).put("asked", effect.isDone()).put("ended", false)) : asked);
        return 0;
    }
}
