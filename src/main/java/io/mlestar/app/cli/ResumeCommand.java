package io.mlestar.app.cli;

import io.mlestar.app.cli.local.LocalRun;
import io.mlestar.app.console.LogSettings;
import io.mlestar.app.program.CompositionRoot;
import io.mlestar.app.start.Admission;
import io.mlestar.app.start.RunRequest;
import io.mlestar.app.start.RunRequest.Fork;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.RunMarks;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.AgentType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Carries a run on: one that was killed, one that stands still because prompts have changed, or,
/// in a new run with all that succeeded, one that failed. Scripts that failed in another
/// environment than this one are run again.
@Command(name = "resume", description = "Carry on a run that was killed, stands still or failed.",
        mixinStandardHelpOptions = true)
final class ResumeCommand implements Callable<Integer> {
    @Parameters(paramLabel = "RUN")
    String run;

    @Option(names = "--accept-only",
            description = "only let the run go on, with these prompts; a server or the functions of a cluster do the rest")
    boolean acceptOnly;

    @Option(names = "--redo", paramLabel = "STEP",
            description = "in a new run, do this step and all below it again, or all scripts and agents"
                    + " that failed: --redo failed; may be repeated")
    List<String> redo = new ArrayList<>();

    @Mixin
    RunCommands.OutputOptions output;

    @Mixin
    StoreOption store;

    @Override
    public Integer call() {
        OpenedRun kept = store.open(run);
        Records records = kept.records();
        RunHeader header = kept.header();
        Optional<StepResult> ended = records.result(StepPath.root(run));
        CompositionRoot root = CompositionRoot.ofProcess();
        boolean failed = ended.filter(result -> !result.isDone()).isPresent();
        if (ended.isPresent() && !failed && redo.isEmpty()) {
            throw new Invalid("run " + run
                    + " has ended well; there is nothing to resume. --redo STEP does a step again in a new run");
        }
        if (ended.isPresent() || !redo.isEmpty()) {
            Fork again = new Fork(run, null, redo.stream().map(step -> step(kept, step)).toList());
            header = LocalRun.prepare(root, records,
                    new RunRequest(Optional.empty(), again, Json.object()));
            records.create(header);
            // Both would be paid.
            records.cancel(run);
            String open = ended.isPresent() ? " has ended" : " has not ended, and shall finish now";
            System.err.println("run " + run + (failed ? " failed" : open)
                    + "; what it finished is carried into run " + header.runId()
                    + (Objects.requireNonNull(header.origin()).redo().scripts()
                            ? ", without the scripts that failed"
                            : ""));
        } else {
            if (!acceptOnly && isInReach(root)) {
                new Admission(root.models(), root.environment(), Optional.empty())
                        .checkTakenUp(header);
            }
            RunMarks marks = records.marks(run);
            Stream.of(AgentType.values())
                    .filter(marks::isPrompted)
                    .forEach(agent -> records.accept(run, agent, root.prompts().digest(agent)));
            if (acceptOnly) {
                System.out.println(
                        output.json
                                ? Json.text(Json.object().put("run_id", run))
                                : "run " + run + " may go on");
                return 0;
            }
        }
        return output.conduct(root, records, header, store, LogSettings.of(root.environment()));
    }

    /// True if this process would see another one that conducts the run. With a bucket it may run
    /// on any machine.
    private boolean isInReach(CompositionRoot root) {
        return !root.hasBroker() && !store.address.contains("://");
    }

    private static String step(OpenedRun opened, String asked) {
        return asked.equals(RunHeader.Redo.FAILED) ? asked : opened.ownOrSharedStep(asked).inside();
    }
}
