package io.mlestar.app.cli.local;

import io.mlestar.adapter.grade.SubmissionForm;
import io.mlestar.adapter.grade.Table;
import io.mlestar.adapter.grade.TaskTables;
import io.mlestar.core.base.BestEffort;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.phase.Lineage;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.result.RunFiles;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.PaperSearch;
import io.mlestar.core.task.Results.FinalResult;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.Search;
import io.mlestar.core.task.StrongSearch;
import io.mlestar.core.task.Validation;
import io.mlestar.show.render.Formats;
import io.mlestar.show.report.Report;
import io.mlestar.show.view.LiveRun;
import io.mlestar.show.view.MisplacedAnswers;
import io.mlestar.show.view.RunFigures;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/// The end of a run as the terminal shows it, and its exit code.
///
/// @param store option that other commands need to find the store; empty if none
record RunSummary(Records records, String run, String store) {
    private static final int FAILED = 1;
    private static final BestEffort TOLD =
            new BestEffort(line -> System.err.println(Display.WARNING + line), false);

    int print(boolean json) {
        StepResult result = records.result(StepPath.root(run))
                .orElseThrow(() -> new IllegalStateException("run " + run + " has not ended"));
        String folder = records.store().address(Records.key(run, ""));
        report();
        if (!result.isDone()) {
            System.err.println("mlestar: " + TOLD.get("what helps cannot be said", this::failed)
                    .orElseGet(() -> "run " + run + " failed: " + result.reason()));
            return FAILED;
        }
        byte[] published = records.store().read(Records.key(run, RunFiles.RESULT)).orElseThrow();
        FinalResult ended = RunFiles.result(records, run).orElseThrow();
        if (json) {
            System.out.println(new String(published, StandardCharsets.UTF_8));
        } else {
            TOLD.run("the figures of the result cannot be shown",
                    () -> lines(ended).forEach(System.out::println));
            TOLD.get("the recorded answers cannot be checked",
                    () -> MisplacedAnswers.of(records, run))
                    .flatMap(MisplacedAnswers::said)
                    .ifPresent(said -> System.out.println("recorded   " + said));
            TOLD.run("the form of the submission cannot be checked",
                    () -> form(ended).ifPresent(form -> System.out.println("form       " + form)));
            System.out.println("folder     " + folder);
            next(ended.config().search()).forEach(System.out::println);
        }
        Optional<String> failure = failure(ended);
        failure.ifPresent(why -> System.err.println("mlestar: " + why + " (see " + folder + ")"));
        return failure.isPresent() ? FAILED : 0;
    }

    /// Says why the run failed, what it cost, and which commands help.
    private String failed() {
        LiveRun live = new LiveRun(records, records.header(run).orElseThrow());
        live.refresh();
        RunFigures figures = live.figures();
        return "run " + run + " failed at a cost of " + figures.costWords() + ": " + figures.error()
                + ". Next: "
                + figures.next()
                        .stream()
                        .map(command -> command + store)
                        .collect(Collectors.joining(", or "));
    }

    /// Says why a run that ended is no success; empty if it is one.
    static Optional<String> failure(FinalResult ended) {
        if (ended.submissionPath().isEmpty()) {
            return Optional.of("run " + ended.runId() + " ended without a submission: "
                    + ended.submissionFailure());
        }
        return Optional.ofNullable(ended.submissionFailure())
                .map(why -> "run " + ended.runId() + " ended with a submission that is not valid: "
                        + why);
    }

    /// The figures of the result.
    static List<String> lines(FinalResult ended) {
        List<String> lines = new ArrayList<>();
        Score score = ended.chosen().score();
        String metric = ended.task().evaluationMetric();
        Optional<Validation> by = Optional.ofNullable(score.validation());
        lines.add("score      " + (!score.isKnown()
                ? "none"
                : by.map(known -> Formats.score(score) + " (" + metric + " on hidden rows), "
                        + Formats.score(known.select(), known.selectError())
                        + " on those kept for the choice")
                        .orElse(score.value() + " (" + metric + " on the validation split)")));
        double initial = ended.baselineScore();
        Score.Lead lead = score.over(ended.phase1().initialSolution().score(),
                ended.task().metricDirection());
        String gain = lead == null ? "" : ", gain " + Formats.gain(lead);
        lines.add("baseline   " + initial + " (initial solution)" + gain);
        if (ended.betterScript() != null) {
            lines.add("better     " + ended.betterScript().score() + " by a single script: that of "
                    + ended.betterScript().step()
                    + " (final_solution=best, the default, would have taken it)");
        }
        Lineage.notChosen(ended).forEach(line -> lines.add("not chosen " + line));
        lines.add("submission "
                + (ended.submissionPath().isEmpty()
                        ? "none: " + ended.submissionFailure()
                        : ended.submissionPath()));
        if (ended.submissionSource() != null
                && !ended.submissionSource().equals(FinalResult.FINALIZATION)) {
            lines.add("           written by " + ended.submissionSource()
                    + " when it was scored; finalization: "
                    + Objects.requireNonNullElse(ended.submissionReplaced(), "it gave none"));
        }
        lines.add(String.format(Locale.ROOT, "took       %.1f s, cost %s",
                ended.totalDurationSeconds(),
                ended.totalCostUsd() == null
                        ? "unknown"
                        : String.format(Locale.ROOT, "$%.4f", ended.totalCostUsd())));
        if (ended.stopReason() != null) {
            lines.add("cut short  " + ended.stopReason());
        }
        return lines;
    }

    /// Commands that a user may want next.
    List<String> next(Search search) {
        String fork = switch (search) {
            case PaperSearch paper when paper.plannedEnsembles() > 0 ->
                "phase3 --set ensemble_rounds=8";
            case PaperSearch paper -> "phase2-path0 --set outer_loop_steps=4";
            case StrongSearch strong -> "phase3";
        };
        return List.of("next       mlestar show " + run + store,
                "           mlestar grade --run " + run + " --labels FILE" + store,
                "           mlestar fork " + run + " --at " + fork + store);
    }

    /// Compares the form of the submission with that of the sample submission. Empty if one of them
    /// is missing, or the data are not on this machine.
    Optional<String> form(FinalResult ended) {
        try {
            Path data = Path.of(ended.task().dataDir());
            if (!Files.isDirectory(data)) {
                return Optional.empty();
            }
            TaskTables tables = TaskTables.of(data, records, run);
            Optional<SubmissionForm> form = tables.form();
            Optional<byte[]> written = records.store().read(Records.key(run, RunFiles.SUBMISSION));
            if (form.isEmpty() || written.isEmpty()) {
                return tables.unreadSample().map(why -> "not checked: " + why);
            }
            Path sample = tables.sample().orElseThrow().getFileName();
            Table given = form.get()
                    .read("submission", new ByteArrayInputStream(written.get()), _ -> true);
            int rows = given.rows().size();
            String lacking = form.get().unpredicted(rows) == 0
                    ? ""
                    : "; rows of the test table without a prediction: "
                            + form.get().unpredicted(rows);
            return Optional.of(given.problems().isEmpty()
                    ? "as " + sample + ": " + rows + " rows" + lacking
                    : "not as " + sample + ": " + String.join("; ", given.problems()));
        } catch (Invalid e) {
            return Optional.of("cannot be compared: " + e.getMessage());
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    private void report() {
        TOLD.run(
                "run " + run + " has no report, try again with: mlestar report " + run + store
                        + ". Why",
                () -> records.header(run).ifPresent(header -> Report.of(records, header)));
    }
}
