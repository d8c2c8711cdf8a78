package io.mlestar.app.cli;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.steering.Extension;
import io.mlestar.core.steering.Extensions;
import io.mlestar.core.steering.Steering.Effect;
import io.mlestar.core.step.Note;
import io.mlestar.show.render.Formats;
import io.mlestar.show.view.RunState;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The commands that steer a run from another process than its own.
final class SteeringCommands {
    private SteeringCommands() {}

    @Command(name = "tell",
            description = "Tell a run something: planners and the extractor see it from their next question on.",
            mixinStandardHelpOptions = true)
    static final class TellCommand extends StoreCommand.OneRunCommand {
        @Parameters(index = "1", paramLabel = "TEXT")
        String text;

        @Option(names = "--by", paramLabel = "NAME",
                description = "who says it (default: ${DEFAULT-VALUE})",
                defaultValue = "${sys:user.name}")
        String by;

        @Override
        public Integer call() {
            OpenedRun kept = open();
            Note note = new Note(Instant.now(), by, text);
            return print(note, kept.steering().tell(kept.header(), note).orThrow(Invalid::new));
        }
    }

    @Command(name = "extend",
            description = "Give a run that goes on, or that was killed, more time or money.",
            mixinStandardHelpOptions = true)
    static final class ExtendCommand extends StoreCommand.OneRunCommand {
        @Option(names = "--add-minutes", paramLabel = "N",
                description = "more than time_limit_seconds gave it", defaultValue = "")
        String minutes;

        @Option(names = "--add-usd", paramLabel = "USD",
                description = "more than max_budget_usd gave it", defaultValue = "")
        String usd;

        @Option(names = "--by", paramLabel = "NAME",
                description = "who gives it (default: ${DEFAULT-VALUE})",
                defaultValue = "${sys:user.name}")
        String by;

        @Override
        public Integer call() {
            Extension extension = Extension.asked(Instant.now(), by, minutes, usd);
            OpenedRun kept = open();
            kept.steering().extend(kept.header(), extension).orThrow(Invalid::new);
            RunState state = RunState.of(kept.records(), kept.header(), Instant.now());
            Double budget = new Extensions(kept.records().store()).onto(kept.header()).budgetUsd();
            Instant deadline = state.deadline().orElseThrow();
            return print(
                    Json.object()
                            .put("run_id", run)
                            .put("deadline", deadline.toString())
                            .put("max_budget_usd", budget),
                    "run " + run + " may go on until " + deadline.truncatedTo(ChronoUnit.SECONDS)
                            + (budget == null ? "" : " and spend " + Formats.dollars(budget))
                            + (state.currentPhase().filter("finalization"::equals).isPresent()
                                    ? "; its finalization has begun, and nothing but that will use it"
                                    : ""));
        }
    }

    @Command(name = "cancel",
            description = "Finish a run now, with the best so far. A run that has ended stays as it is.",
            mixinStandardHelpOptions = true)
    static final class CancelCommand extends StoreCommand.OneRunCommand {
        @Override
        public Integer call() {
            OpenedRun kept = open();
            boolean ended = kept.records().hasEnded(run);
            Effect effect = kept.steering().cancel(kept.header());
            return print(Json.object()
                    .put("run_id", run)
                    .put("asked", effect.isDone())
                    .put("ended", ended), effect.orThrow(Invalid::new));
        }
    }
}
