package io.mlestar.cli;

import io.mlestar.report.StepTree;
import io.mlestar.run.Records;
import io.mlestar.step.StepPath;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// The steps of a run, or one of them whole.
@Command(name = "show", description = "Show the tree of a run's steps, or one step whole.", mixinStandardHelpOptions = true)
final class ShowCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "RUN")
    String run;

    @Parameters(index = "1", arity = "0..1", paramLabel = "STEP", description = "path of a step, e.g. phase1/candidate0/init")
    String step;

    @Mixin
    StoreOption store;

    @Override
    public Integer call() {
        StepPath root = StepPath.root(run);
        Records records = store.open();
        store.header(records, run);
        System.out.println(step == null ? StepTree.of(records, run)
                : StepTree.one(records, new StepPath(root.run(), step.startsWith(run + "/") ? step.substring(run.length() + 1) : step)));
        return 0;
    }
}
