package io.mlestar.app.cli;

import io.mlestar.core.base.Invalid;
import io.mlestar.show.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The report of a run as things are now: while it runs, after its end, and with the grade it was given since.
@Command(name = "report", description = "Write the report of a run as one HTML file, with its grade if it has one.",
        mixinStandardHelpOptions = true)
final class ReportCommand implements Callable<Integer> {
    @Parameters(paramLabel = "RUN")
    String run;

    @Option(names = "--out", paramLabel = "FILE", description = "where to write it (default: RUN-report.html)")
    @Nullable
    Path out;

    @Mixin
    StoreOption store;

    @Override
    public Integer call() {
        StoreOption.Kept kept = store.open(run);
        Path file = out == null ? Path.of(run + "-report.html") : out;
        try {
            Files.writeString(file, Report.html(kept.records(), kept.header(), Instant.now()));
        } catch (IOException e) {
            throw new Invalid("cannot write " + file + ": " + e.getMessage());
        }
        System.out.println(file);
        return 0;
    }
}
