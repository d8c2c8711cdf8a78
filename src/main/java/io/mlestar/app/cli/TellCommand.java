package io.mlestar.app.cli;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Note;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Tells the agents that plan something.
@Command(name = "tell", description = "Tell a run something: planners and the extractor see it from their next question on.",
        mixinStandardHelpOptions = true)
final class TellCommand extends StoreCommand.OneRunCommand {
    @Parameters(index = "1", paramLabel = "TEXT")
    String text;

    @Option(names = "--by", paramLabel = "NAME", description = "who says it (default: ${DEFAULT-VALUE})", defaultValue = "${sys:user.name}")
    String by;

    @Override
    public Integer call() {
        OpenedRun kept = open();
        Note note = new Note(Instant.now(), by, text);
        String told = kept.steering().tell(kept.header(), note).orThrow(Invalid::new);
        System.out.println(json ? Json.text(note) : told);
        return 0;
    }
}
