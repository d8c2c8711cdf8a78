package io.mlestar.app.cli;

import io.mlestar.core.base.Json;
import io.mlestar.core.records.Records;
import picocli.CommandLine.Command;

/// Lets a run finish with the best so far.
@Command(name = "cancel", description = "Let a run finish now, with the best so far.", mixinStandardHelpOptions = true)
final class CancelCommand extends StoreCommand.OneRunCommand {
    @Override
    public Integer call() {
        Records records = store.open(run).records();
        boolean asked = records.cancel(run);
        boolean ended = records.hasEnded(run);
        System.out.println(json ? Json.text(Json.object().put("run_id", run).put("asked", asked).put("ended", ended))
                : "run " + run + (asked ? " will finish with the best so far" : ended ? " has ended already" : " is finishing already"));
        return 0;
    }
}
