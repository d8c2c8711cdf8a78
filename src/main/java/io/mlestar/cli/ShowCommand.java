package io.mlestar.cli;

import io.mlestar.view.StepTree.Look;
import io.mlestar.view.StepTree;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The steps of a run, or one of them whole.
@Command(name = "show", description = "Show the tree of a run's steps, or one step whole.", mixinStandardHelpOptions = true)
final class ShowCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "RUN")
    String run;

    @Parameters(index = "1", arity = "0..1", paramLabel = "STEP", description = "path of a step, e.g. phase1/candidate0/init")
    String step;

    @Mixin
    StoreOption store;

    @Spec
    CommandSpec command;

    @Override
    public Integer call() {
        StoreOption.Kept kept = store.open(run);
        if (step == null) {
            Terminal.coloured(StepTree.of(kept.records(), kept.header(), look()));
        } else {
            System.out.println(StepTree.one(kept.records(), StepArgument.of(run, step)));
        }
        return 0;
    }

    /// Colours and the terminal's width only where a terminal shows it.
    private Look look() {
        return Ansi.AUTO.enabled() ? new Look(command.usageMessage().autoWidth(true).width(), true) : Look.PLAIN;
    }
}
