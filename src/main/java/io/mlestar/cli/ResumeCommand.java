package io.mlestar.cli;

import io.mlestar.agent.Prompts;
import io.mlestar.run.Records;
import io.mlestar.run.RunHeader;
import io.mlestar.run.StepResult;
import io.mlestar.step.StepPath;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Carries a run on: one that was killed, one that stands still because the prompts have changed, or, in a new run with all that
/// succeeded, one that failed.
@Command(name = "resume", description = "Carry on a run that was killed, stands still or failed.", mixinStandardHelpOptions = true)
final class ResumeCommand implements Callable<Integer> {
    @Parameters(paramLabel = "RUN")
    String run;

    @Option(names = "--accept-only", description = "only let the run go on, with these prompts; the functions of a cluster do the rest")
    boolean acceptOnly;

    @Option(names = "--json", description = "print the final result as JSON")
    boolean json;

    @Mixin
    StoreOption store;

    @Override
    public Integer call() {
        StoreOption.Kept kept = store.open(run);
        Records records = kept.records();
        RunHeader header = kept.header();
        Optional<StepResult> ended = records.result(StepPath.root(run));
        if (ended.filter(result -> result.status() == StepResult.Status.DONE).isPresent()) {
            throw new Invalid("run " + run + " has ended well; there is nothing to resume");
        }
        if (ended.isPresent()) {
            header = Conduct.launch().fork(records, run, null, Optional.empty(), Json.object(), Instant.now());
            System.err.println("run " + run + " failed; what it finished is carried into run " + header.runId());
        } else {
            String digest = Prompts.load(System.getenv()).digest();
            if (!header.promptsDigest().equals(digest)) {
                records.accept(run, digest);
            }
            if (acceptOnly) {
                System.out.println("run " + run + " may go on");
                return 0;
            }
        }
        Conduct.toTheEnd(records, header, store);
        return new Ending(records, header.runId()).print(json);
    }
}
