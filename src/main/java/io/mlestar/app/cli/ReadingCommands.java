package io.mlestar.app.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.bucket.Stores;
import io.mlestar.app.console.Terminal;
import io.mlestar.core.base.Controls;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.base.Spelling;
import io.mlestar.core.records.Records;
import io.mlestar.core.result.RunFiles;
import io.mlestar.show.report.Report;
import io.mlestar.show.view.Comparison;
import io.mlestar.show.view.LiveRun;
import io.mlestar.show.view.RunState;
import io.mlestar.show.view.RunTable;
import io.mlestar.show.view.StepDetail;
import io.mlestar.show.view.StepRow;
import io.mlestar.show.view.StepTree;
import io.mlestar.show.view.StepTree.Look;
import io.mlestar.show.view.SubmissionSoFar;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The commands that read runs and change nothing.
final class ReadingCommands {
    private ReadingCommands() {}

    @Command(name = "runs", description = "List the runs of a store, the latest first.",
            mixinStandardHelpOptions = true)
    static final class RunsCommand extends StoreCommand {
        @Override
        public Integer call() {
            List<RunState> runs = RunState.all(new Records(store.toRead()), Instant.now());
            return print(runs, RunTable.of(runs, ZoneId.systemDefault()));
        }
    }

    @Command(name = "status", description = "Say where a run stands.",
            mixinStandardHelpOptions = true)
    static final class StatusCommand extends StoreCommand.OneRunCommand {
        @Override
        public Integer call() {
            OpenedRun opened = open();
            RunState state = RunState.of(opened.records(), opened.header(), Instant.now());
            return print(state, state.text(LiveRun.scoredBy(opened.records(), run), store.words()));
        }
    }

    @Command(name = "compare",
            description = "Compare runs: score, gain over the best single model, cost, time, and the settings that differ.",
            mixinStandardHelpOptions = true)
    static final class CompareCommand extends StoreCommand {
        @Parameters(paramLabel = "RUN", arity = "1..*",
                description = "2 to " + Comparison.MOST + " runs of the store")
        List<String> runs;

        @Override
        public Integer call() {
            List<OpenedRun> opened = Comparison.checked(runs).stream().map(store::open).toList();
            Comparison comparison = Comparison.of(opened.getFirst().records(),
                    opened.stream().map(OpenedRun::header).toList(), Instant.now());
            return print(comparison, comparison.text());
        }
    }

    @Command(name = "diff",
            description = "Show what differs between two steps: scripts, outputs, prompts, answers, whatever both have.",
            mixinStandardHelpOptions = true)
    static final class DiffCommand extends StoreCommand.OneRunCommand {
        /// Colours of lines by their beginning, the longest beginning first.
        private static final SequencedMap<String, String> COLOURS = new LinkedHashMap<>();

        static {
            COLOURS.put("---", "1");
            COLOURS.put("+++", "1");
            COLOURS.put("@@", "36");
            COLOURS.put("+", "32");
            COLOURS.put("-", "31");
        }

        @Parameters(index = "1", paramLabel = "STEP",
                description = "path of a step, e.g. phase1/candidate0/evaluation/script")
        String before;

        @Parameters(index = "2", paramLabel = "STEP")
        String after;

        @Override
        public Integer call() {
            OpenedRun opened = open();
            if (opened.step(before).equals(opened.step(after))) {
                throw new Invalid(before + " is named twice: there is nothing to compare");
            }
            List<String> lines = texts(opened, before).differences(texts(opened, after));
            if (json) {
                ObjectNode all =
                        Json.object().put("run_id", run).put("before", before).put("after", after);
                all.set("lines", Json.tree(lines));
                return print(all, "");
            }
            boolean colours = Ansi.AUTO.enabled();
            lines.stream()
                    .map(Controls::shown)
                    .forEach(line -> Terminal.coloured(colours ? painted(line) : line));
            return 0;
        }

        private static StepDetail texts(OpenedRun opened, String step) {
            return StepDetail.of(opened.records(), opened.step(step)).orElseThrow();
        }

        private static String painted(String line) {
            return COLOURS.entrySet()
                    .stream()
                    .filter(start -> line.startsWith(start.getKey()))
                    .findFirst()
                    .map(start -> "\033[" + start.getValue() + "m" + line + "\033[0m")
                    .orElse(line);
        }
    }

    @Command(name = "show",
            description = "Show the tree of a run's steps, one step whole, or a file that the run ended with.",
            mixinStandardHelpOptions = true)
    static final class ShowCommand extends StoreCommand.OneRunCommand {
        @Parameters(index = "1", arity = "0..1", paramLabel = "STEP",
                description = "path of a step, e.g. phase1/candidate0/init")
        @Nullable
        String step;

        @Option(names = "--file", paramLabel = "NAME",
                description = "print a file that the run ended with: submission.csv, final_solution.py,"
                        + " result.json or failed.json")
        @Nullable
        String file;

        @Option(names = "--so-far",
                description = "with --file submission.csv: of a run that goes on, that of the best script so far that wrote one")
        boolean soFar;

        @Spec
        CommandSpec command;

        @Override
        public Integer call() {
            if (soFar && !RunFiles.SUBMISSION.equals(file)) {
                throw new Invalid("--so-far goes with --file " + RunFiles.SUBMISSION);
            }
            OpenedRun opened = open();
            Records records = opened.records();
            if (file != null) {
                send(published(opened, file));
            } else if (json) {
                Object shown = step == null
                        ? StepRow.all(records, run)
                        : StepDetail.of(records, opened.step(step)).orElseThrow();
                send((Controls.shown(Json.text(shown)) + "\n").getBytes(StandardCharsets.UTF_8));
            } else if (step == null) {
                Terminal.coloured(StepTree.of(records, opened.header(), look()));
            } else {
                System.out
                        .println(StepDetail.of(records, opened.step(step)).orElseThrow().asText());
            }
            return 0;
        }

        private byte[] published(OpenedRun opened, String named) {
            if (step != null || json) {
                throw new Invalid(
                        "--file names a file of the whole run; it goes with neither STEP nor --json");
            }
            if (!RunFiles.FILES.contains(named) && !named.equals(Records.HEADER)) {
                throw new Invalid("--file must be one of " + String.join(", ", RunFiles.FILES)
                        + ", " + Records.HEADER
                        + ", but is \"" + named + "\""
                        + Spelling.question(named, RunFiles.FILES));
            }
            Records records = opened.records();
            return (soFar
                    ? new SubmissionSoFar(records, opened.header()).read()
                    : records.store().read(Records.key(run, named)))
                    .orElseThrow(() -> new Invalid("run " + run + " has no " + named
                            + (records.hasEnded(run) ? "" : " yet: it has not ended")));
        }

        /// Writes bytes unchanged, for programs that read them.
        private static void send(byte[] content) {
            System.out.writeBytes(content);
            System.out.flush();
        }

        /// Colours and the terminal's width only where a terminal shows it.
        private Look look() {
            return Ansi.AUTO.enabled()
                    ? new Look(command.usageMessage().autoWidth(true).width(), true)
                    : Look.PLAIN;
        }
    }

    /// The report of a run as things are now: while it runs, after its end, and with the grade it
    /// was given since.
    @Command(name = "report",
            description = "Write the report of a run as one HTML file, with its grade if it has one.",
            mixinStandardHelpOptions = true)
    static final class ReportCommand implements Callable<Integer> {
        @Parameters(paramLabel = "RUN")
        String run;

        @Option(names = "--out", paramLabel = "FILE",
                description = "where to write it (default: RUN-report.html)")
        @Nullable
        Path out;

        @Mixin
        StoreOption store;

        @Override
        public Integer call() {
            OpenedRun opened = store.open(run);
            Path file = out == null ? Path.of(run + "-report.html") : out;
            Stores.checkOutside(file, store.address);
            try {
                Files.writeString(file,
                        Report.html(opened.records(), opened.header(), Instant.now()));
            } catch (IOException e) {
                throw new Invalid("cannot write " + file + ": " + Invalid.reason(e));
            }
            System.out.println(file);
            return 0;
        }
    }
}
