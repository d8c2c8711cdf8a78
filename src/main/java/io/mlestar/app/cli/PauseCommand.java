package io.mlestar.app.cli;

import io.mlestar.core.base.Json;
import io.mlestar.core.records.Records;
import io.mlestar.core.steering.Pauses;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Lets a run begin nothing new.
@Command(name = "pause", description = "Let a run begin nothing new, until it is resumed; what is under way ends, and the clock stands meanwhile.",
        mixinStandardHelpOptions = true)
final class PauseCommand extends StoreCommand.OneRunCommand {
    @Option(names = "--by", paramLabel = "NAME", description = "who says it (default: ${DEFAULT-VALUE})", defaultValue = "${sys:user.name}")
    String by;

    @Override
    public Integer call() {
        Records records = store.openToSteer(run).records();
        boolean asked = new Pauses(records.store()).begin(run, Instant.now(), by);
        System.out.println(json ? Json.text(Json.object().put("run_id", run).put("asked", asked))
                : "run " + run
                        + (asked ? " begins nothing new; what is under way ends. Go on with: mlestar resume "
                                : " is paused already; go on with: mlestar resume ")
                        + run + store.words());
        return 0;
    }
}
