package io.mlestar.cli;

import io.mlestar.bench.BenchPage;
import io.mlestar.bench.BenchTable;
import io.mlestar.bench.Cell;
import io.mlestar.bench.CellFiles;
import io.mlestar.bench.Competition;
import io.mlestar.bench.Contest;
import io.mlestar.bench.Split;
import io.mlestar.program.CompositionRoot;
import io.mlestar.records.Records;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import io.mlestar.task.TaskDescription;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Competitions by seeds, one after the other on this machine; each is an ordinary run. What is done is kept, so that the same command goes on.
@Command(name = "bench", description = "Run competitions with several seeds, grade them by MLE-bench's rules, and keep a table; the same again goes on.",
        mixinStandardHelpOptions = true)
final class BenchCommand implements Callable<Integer> {
    private static final int BAD_USAGE = 2;
    private static final int MOST_SEEDS = 1_000;
    private static final String RULE =
            "\n# What may be looked up\n\nLook for no solution, notebook, discussion, leaderboard or label of this competition, under this or"
                    + " any other name, and open no page that holds one.\n";

    @Parameters(paramLabel = "FOLDER", description = "a folder for each competition: ID/prepared/public and private as MLE-bench makes them, or ID/task.yaml,"
            + " ID/input and ID/hidden/labels.csv")
    Path folder;

    @Option(names = "--out", paramLabel = "DIR", required = true, description = "where the runs, the cells and the table are kept")
    Path out;

    @Option(names = "--seeds", paramLabel = "N", description = "runs of each competition (default: 3)")
    int seeds = 3;

    @Option(names = "--competition", paramLabel = "ID", description = "only this one; may be repeated")
    List<String> only = new ArrayList<>();

    @Option(names = "--mle-bench", paramLabel = "FOLDER", description = "checkout of MLE-bench, for its leaderboards and its splits")
    @Nullable
    Path checkout;

    @Option(names = "--script", paramLabel = "FILE", description = "instead of the agents, run this script in each competition; may be repeated")
    List<Path> scripts = new ArrayList<>();

    @Option(names = "--script-timeout", paramLabel = "SECONDS", description = "the most that a --script may take (default: 3600)")
    int timeout = 3_600;

    @Option(names = "--recorded", description = "ask no model: replay the answers in each competition's folder answers. Such a cell counts nowhere")
    boolean recorded;

    @Option(names = "--table", description = "run nothing, only write the table of what is done")
    boolean tableOnly;

    @Option(names = "--config", paramLabel = "FILE",
            description = "configuration, YAML or JSON (default: config.yaml in the competition's folder, if it has one)")
    @Nullable
    Path config;

    @Mixin
    SettingsOption settings;

    @Override
    public Integer call() {
        if (seeds < 1 || seeds > MOST_SEEDS) {
            throw new Invalid("--seeds must be from 1 to " + MOST_SEEDS + ", but is " + seeds);
        }
        if (timeout < 1) {
            throw new Invalid("--script-timeout must be 1 or more, but is " + timeout);
        }
        Optional<Path> bench = Optional.ofNullable(checkout);
        List<Competition> all = Competition.in(folder, bench);
        only.stream().filter(id -> all.stream().noneMatch(competition -> competition.id().equals(id))).findFirst().ifPresent(id -> {
            throw new Invalid(folder + " holds no competition \"" + id + "\"; it holds " + String.join(", ", all.stream().map(Competition::id).toList()));
        });
        List<Competition> chosen = all.stream().filter(competition -> only.isEmpty() || only.contains(competition.id())).toList();
        List<Split> splits = Split.of(bench, chosen);
        List<String> contestants = scripts.isEmpty() ? List.of(Contest.PIPELINE) : scripts.stream().map(BenchCommand::name).toList();
        CellFiles cells = new CellFiles(out.resolve("cells"));
        if (!tableOnly) {
            CompositionRoot root = CompositionRoot.ofProcess();
            Filling filling = new Filling(root, new Records(root.store(store())));
            // A seed in all competitions before the next: whoever stops has complete ones.
            for (int seed = 1; seed <= seeds; seed++) {
                for (Competition competition : chosen) {
                    TaskDescription task = Json.readStrictly(YamlFile.map(taskFile(competition)), TaskDescription.class);
                    for (String contestant : contestants) {
                        fill(filling, cells, new Contest(contestant, competition, task, seed));
                        write(chosen, splits, cells);
                    }
                }
            }
        }
        BenchTable table = write(chosen, splits, cells);
        System.out.print(table.leaderboardCsv());
        System.err.println("cells    " + out.resolve("cells.csv") + "\npage     " + out.resolve("index.html"));
        return 0;
    }

    private String store() {
        return out.resolve("store").toString();
    }

    private static String name(Path script) {
        String file = script.getFileName().toString();
        return file.endsWith(".py") ? file.substring(0, file.length() - ".py".length()) : file;
    }

    private void fill(Filling filling, CellFiles cells, Contest contest) {
        if (cells.of(contest).isPresent()) {
            return;
        }
        System.err.println("cell     " + contest.id());
        Optional<Cell> cell;
        if (contest.contestant().equals(Contest.PIPELINE)) {
            int code = OwnProgram.ofProcess().run(run(contest));
            cell = filling.byRun(contest);
            if (code == BAD_USAGE) {
                throw new Invalid("run " + contest.id() + " was refused; what is done is kept");
            }
        } else {
            Path script = scripts.stream().filter(one -> name(one).equals(contest.contestant())).findFirst().orElseThrow();
            cell = Optional.of(filling.byScript(contest, script, timeout));
        }
        cell.ifPresentOrElse(done -> cells.keep(contest, done),
                () -> System.err.println("         " + contest.id() + " has not ended; the same command goes on"));
    }

    /// The arguments of an ordinary run.
    private List<String> run(Contest contest) {
        Competition competition = contest.competition();
        List<String> arguments = new ArrayList<>(List.of("run", "--task", taskFile(competition).toString(), "--run-id", contest.id(), "--store", store()));
        Optional.ofNullable(config).or(competition::config).ifPresent(file -> arguments.addAll(List.of("--config", file.toString())));
        settings.settings.forEach((field, value) -> arguments.addAll(List.of("--set", field + "=" + value)));
        if (settings.preset != null) {
            arguments.addAll(List.of("--preset", settings.preset));
        }
        String model = !recorded ? settings.model : "recorded:" + competition.recording()
                .orElseThrow(() -> new Invalid(competition.id() + " has no recorded answers: there is no folder " + competition.home().resolve("answers")));
        if (model != null) {
            arguments.addAll(List.of("--model", model));
        }
        return arguments;
    }

    /// The competition's own, or one that `mlestar new` makes of its data and its description.
    private Path taskFile(Competition competition) {
        if (competition.taskFile().isPresent()) {
            return competition.taskFile().get();
        }
        Path made = out.toAbsolutePath().resolve("tasks").resolve(competition.id() + ".yaml");
        if (Files.isRegularFile(made)) {
            return made;
        }
        List<String> arguments = new ArrayList<>(List.of("new", competition.data().toString(), "--out", made.toString(), "--id", competition.id(), "--yes"));
        try {
            Files.createDirectories(made.getParent());
            if (competition.description().isPresent()) {
                Path text = made.resolveSibling(competition.id() + ".md");
                Files.writeString(text, Files.readString(competition.description().get()) + RULE);
                arguments.addAll(List.of("--description", text.toString()));
            }
        } catch (IOException e) {
            throw new Invalid("the task of " + competition.id() + " cannot be written below " + out + ": " + e.getMessage());
        }
        if (OwnProgram.ofProcess().run(arguments) != 0) {
            throw new Invalid("the task of " + competition.id() + " cannot be told; write " + made + ", or " + competition.home().resolve("task.yaml"));
        }
        return made;
    }

    /// The table of all contestants that have a cell, and of those of this call.
    private BenchTable write(List<Competition> chosen, List<Split> splits, CellFiles files) {
        List<String> ids = chosen.stream().map(Competition::id).toList();
        List<Cell> cells = files.all().stream().filter(cell -> ids.contains(cell.competition())).toList();
        List<String> contestants =
                Stream.of(Stream.of(Contest.PIPELINE), cells.stream().map(Cell::contestant).sorted(), scripts.stream().map(BenchCommand::name))
                        .flatMap(part -> part).distinct().toList();
        int most = Math.max(seeds, cells.stream().mapToInt(Cell::seed).max().orElse(0));
        BenchTable table = new BenchTable(splits, ids, contestants, most, cells);
        try {
            Files.createDirectories(out);
            Files.writeString(out.resolve("cells.csv"), table.cellsCsv());
            Files.writeString(out.resolve("leaderboard.csv"), table.leaderboardCsv());
            Files.writeString(out.resolve("index.html"), BenchPage.html(table));
        } catch (IOException e) {
            throw new Invalid("the table cannot be written to " + out + ": " + e.getMessage());
        }
        return table;
    }
}
