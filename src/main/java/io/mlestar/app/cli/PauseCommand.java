package io.mlestar.app.cli;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.steering.Steering;
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
        OpenedRun kept = open();
        Steering.Effect effect = kept.steering().pause(kept.header(), by);
        String paused = effect.orThrow(Invalid::new);
        System.out.println(json ? Json.text(Json.object().put("run_id", run).put("asked", effect.isDone()))
                : paused + ". Go on with: mlestar resume " + run + store.words());
        return 0;
    }
}
