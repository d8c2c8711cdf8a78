package io.mlestar.app.cli;

import io.mlestar.app.console.Terminal;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.Records;
import io.mlestar.core.result.Published;
import io.mlestar.show.view.StepFigures;
import io.mlestar.show.view.StepTree.Look;
import io.mlestar.show.view.StepTree;
import io.mlestar.show.view.SubmissionSoFar;
import io.mlestar.show.view.WholeStep;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The steps of a run, one of them whole, or a file that the run ended with.
@Command(name = "show", description = "Show the tree of a run's steps, one step whole, or a file that the run ended with.", mixinStandardHelpOptions = true)
final class ShowCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "RUN")
    String run;

    @Parameters(index = "1", arity = "0..1", paramLabel = "STEP", description = "path of a step, e.g. phase1/candidate0/init")
    @Nullable
    String step;

    @Option(names = "--json", description = "print it as JSON")
    boolean json;

    @Option(names = "--file", paramLabel = "NAME", description = "print a file that the run ended with: submission.csv, final_solution.py,"
            + " result.json or failed.json")
    @Nullable
    String file;

    @Option(names = "--so-far", description = "with --file submission.csv: of a run that goes on, that of the best script so far that wrote one")
    boolean soFar;

    @Mixin
    StoreOption store;

    @Spec
    CommandSpec command;

    @Override
    public Integer call() {
        if (soFar && !Published.SUBMISSION.equals(file)) {
            throw new Invalid("--so-far goes with --file " + Published.SUBMISSION);
        }
        StoreOption.Kept kept = store.open(run);
        Records records = kept.records();
        if (file != null) {
            print(published(kept, file));
        } else if (step == null && json) {
            print(bytes(StepFigures.all(records, run)));
        } else if (step == null) {
            Terminal.coloured(StepTree.of(records, kept.header(), look()));
        } else if (json) {
            print(bytes(WholeStep.of(records, StepArgument.known(records, run, step)).orElseThrow()));
        } else {
            System.out.println(StepTree.one(records, StepArgument.known(records, run, step)));
        }
        return 0;
    }

    private byte[] published(StoreOption.Kept kept, String named) {
        if (step != null || json) {
            throw new Invalid("--file names a file of the whole run; it goes with neither STEP nor --json");
        }
        if (!Published.FILES.contains(named) && !named.equals(Records.HEADER)) {
            throw new Invalid("--file must be one of " + String.join(", ", Published.FILES) + ", " + Records.HEADER + ", but is \"" + named + "\"");
        }
        Records records = kept.records();
        return (soFar ? new SubmissionSoFar(records, kept.header()).read() : records.store().read(Records.key(run, named)))
                .orElseThrow(() -> new Invalid("run " + run + " has no " + named + (records.hasEnded(run) ? "" : " yet: it has not ended")));
    }

    private static byte[] bytes(Object value) {
        return (Json.text(value) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /// As it is: programs read it.
    private static void print(byte[] content) {
        System.out.writeBytes(content);
        System.out.flush();
    }

    /// Colours and the terminal's width only where a terminal shows it.
    private Look look() {
        return Ansi.AUTO.enabled() ? new Look(command.usageMessage().autoWidth(true).width(), true) : Look.PLAIN;
    }
}
