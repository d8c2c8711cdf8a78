package io.mlestar.app.cli.local;

import io.mlestar.core.phase.Attempt;
import io.mlestar.core.phase.Evaluation;
import io.mlestar.core.records.CurrentLimits;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Scoring;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Watcher;
import io.mlestar.core.steering.Extensions;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Facts;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.Decision;
import io.mlestar.core.task.ModelSettings;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.StrongSearch;
import io.mlestar.show.render.Formats;
import io.mlestar.show.view.CandidateSolution;
import io.mlestar.show.view.LiveRun;
import io.mlestar.show.view.RunFigures;
import io.mlestar.show.view.SolutionAncestry;
import io.mlestar.show.view.SolutionHistory;
import io.mlestar.show.view.StepView;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Shows a run while it goes on: a line for each thing worth knowing, and on a terminal a last line
/// with the steps in flight.
public final class Progress implements Watcher, AutoCloseable {
    private static final int LONGEST = 400;

    private final RunHeader run;
    private final PrintStream out;
    private final Display display;
    private final Attempts attempts;
    /// True if only a gain above noise counts. Then the phases decide which score is the best so
    /// far.
    private final boolean phasesDecide;
    private final Set<String> inFlight = new ConcurrentSkipListSet<>();
    private double cost;
    private boolean priced;
    private Score best;
    private CurrentLimits limits;

    /// Begins with the records of the run, which may be a resumed one.
    public Progress(Records records, RunHeader run, PrintStream out, Display display) {
        this.run = run;
        this.out = out;
        this.display = display;
        this.attempts = Attempts.of(records, run);
        this.phasesDecide = run.config().search() instanceof StrongSearch;
        this.limits = new Extensions(records.store()).onto(run);
        LiveRun live = new LiveRun(records, run);
        live.refresh();
        RunFigures known = live.figures();
        this.best = phasesDecide ? bestKept(records, run) : Score.printed(known.bestScoreSoFar());
        this.priced = known.accumulatedCostUsd() != null;
        this.cost = known.knownCostUsd();
        out.printf(Locale.ROOT, "run %s: %s, %s (%s)%n", run.runId(), run.task().competitionId(),
                run.task().evaluationMetric(),
                run.task().metricDirection().name().toLowerCase(Locale.ROOT));
        if (ModelSettings.isRecorded(run.config().models().model())) {
            out.println("model: " + run.config().models().model()
                    + " - recorded answers, no language model is asked; costs are nominal");
        }
    }

    @Override
    public synchronized void started(RunHeader header, StepPath step, StepRequest request) {
        inFlight.add(name(step));
        attempts.begun(step, Instant.now());
        refresh();
    }

    @Override
    public synchronized void unreadable(RunHeader header, StepPath step, String reason) {
        print(step, "rejected: the answer cannot be read: " + Display.clip(reason));
    }

    @Override
    public synchronized void outage(String line) {
        tell(line);
    }

    /// Takes the limits that the run has now.
    public synchronized void limits(CurrentLimits now) {
        limits = now;
    }

    /// Prints a line about the run as a whole, with the time.
    public synchronized void tell(String line) {
        say(String.format(Locale.ROOT, "%6s  %s", elapsed(), line));
    }

    /// Prints a line that is not about a step.
    public synchronized void say(String line) {
        display.print(out, line);
        refresh();
    }

    @Override
    public synchronized void ended(
            RunHeader header,
            StepPath step,
            StepRequest request,
            StepResult result) {
        inFlight.remove(name(step));
        if (!request.isPhase()) {
            priced &= result.costUsd() != null;
            cost += result.costUsd() == null ? 0 : result.costUsd();
        }
        StepView view = StepView.of(new KnownStep(step, request, Optional.of(result)));
        String mark = mark(view, result);
        if (request.isPhase()
                && !(view.step() instanceof Evaluation && Attempt.of(step).isEmpty())) {
            attempts.ended(step);
        }
        String line = line(view, result, mark);
        if (line != null) {
            print(step,
                    line + (view.isSolution() && !(view.found() instanceof StepView.NotDone)
                            ? attempt(step)
                            : ""));
        }
        Object value =
                view.found() instanceof StepView.Returned<?> returned ? returned.value() : null;
        if (value instanceof Evaluation.Result kept && result.sharedWith() == null) {
            scorings(result).forEach(one -> print(one.path(),
                    "score " + Formats.score(one.score(), one.error())
                            + took(kept.durationSeconds()) + mark
                            + attempt(one.path())));
        }
        if (value instanceof Evaluation.Result kept && kept.lost() != null) {
            print(step, kept.lost() + took(kept.durationSeconds()) + attempt(step));
        }
        if (value instanceof Evaluation.Result kept && kept.failure() != null && kept.lost() == null
                && kept.repairs() > 0 && result.sharedWith() == null) {
            print(step,
                    "given up after " + Formats.count(kept.repairs(), "repair") + attempt(step));
        }
        if (value instanceof Facts facts) {
            if (facts.holdout() != null) {
                tell(Formats.line(facts.scoredBy(), LONGEST));
            }
            facts.warnings().forEach(warning -> display.print(out, Display.WARNING + warning));
        }
        refresh();
    }

    private String attempt(StepPath step) {
        return attempts.said(step, Instant.now(), limits.deadline())
                .map(said -> "  " + said + ", " + money())
                .orElse("");
    }

    private static String took(double seconds) {
        return String.format(Locale.ROOT, " (%.1f s)", seconds);
    }

    /// The line about a step that ended; null if it is not worth one. A score is printed once its
    /// evaluation has ended, too.
    private @Nullable String line(StepView step, StepResult result, String mark) {
        String took = took(result.took().toMillis() / 1e3);
        Score score = step.score();
        return switch (step.found()) {
            case StepView.NotDone(StepResult.Unfinished missed) ->
                step.state() + ": " + Display.clip(missed.reason());
            case StepView.Executed(var script, Execution ran) when !(ran instanceof Execution.Scored) ->
                Display.clip(ran.words(script.kind())) + took;
            case StepView.Executed ran when step.isSolution() && score.isKnown() -> null;
            case StepView.Executed ran ->
                (score.isKnown() ? "score " + Formats.score(score) : "ran") + took;
            case StepView.Computed<?> computed when step.isAskedBy(Evaluation.class) -> null;
            case StepView.Computed<?> computed ->
                (score.isKnown() ? "score " + Formats.score(score) : computed.summary()) + took;
            case StepView.Returned<?> returned when step.path().isTop() ->
                (result.sharedWith() == null ? "done" : "shared with " + result.sharedWith())
                        + (score.isKnown() ? ", score " + Formats.score(score) : "") + mark;
            case StepView.Returned<?> returned when phasesDecide && !mark.isEmpty() ->
                "kept, score "
                        + Formats.score(best) + mark;
            case StepView.Returned<?> returned -> null;
            case StepView.Replied replied -> null;
            case StepView.Pending pending -> null;
        };
    }

    /// The mark of a step that brought the best score so far; else empty.
    private String mark(StepView step, StepResult result) {
        Score before = best;
        if (phasesDecide) {
            accepted(step).forEach(this::take);
        } else {
            scorings(result)
                    .forEach(one -> take(new Score(one.score(), step.score().validation())));
        }
        if (best.equals(before)) {
            return "";
        }
        // The gain over what was best before may be less than its error.
        Score.Lead lead = best.over(before, run.task().metricDirection());
        return Display.BEST + (lead != null && lead.isNoise() ? Formats.NOISE : "");
    }

    private void take(Score score) {
        if (score.isKnown()
                && (!best.isKnown() || run.task()
                        .metricDirection()
                        .isImprovement(score.known(), best.known()))) {
            best = score;
        }
    }

    /// The scores that a phase accepted.
    private static List<Score> accepted(StepView step) {
        if (!(step.found() instanceof StepView.Returned<?> returned)) {
            return List.of();
        }
        PhaseReport report = returned.report();
        List<Score> accepted = new ArrayList<>();
        if (Boolean.TRUE.equals(report.accepted())) {
            accepted.add(report.score());
        }
        report.decided()
                .stream()
                .filter(Decision::isAccepted)
                .map(Decision::score)
                .forEach(accepted::add);
        return accepted;
    }

    /// The best score that the phases of a resumed run have accepted; null if there is none.
    private static Score bestKept(Records records, RunHeader run) {
        SolutionAncestry tried = new SolutionHistory(records, run).look();
        List<CandidateSolution> kept = tried.solutions()
                .stream()
                .filter(one -> one.part() != CandidateSolution.Part.FINAL && tried.isKept(one))
                .toList();
        return run.task()
                .metricDirection()
                .best(kept, one -> one.score().value())
                .map(CandidateSolution::score)
                .orElse(Score.NONE);
    }

    private static List<Scoring> scorings(StepResult result) {
        return Stream.ofNullable(result.scorings())
                .flatMap(List::stream)
                .filter(one -> one.score() != null)
                .toList();
    }

    private void print(StepPath step, String said) {
        display.print(out,
                String.format(Locale.ROOT, "%6s  %-52s %s", elapsed(), name(step), said));
    }

    private void refresh() {
        display.bar(out,
                String.format(Locale.ROOT, "%6s  %s  best %s  %s", elapsed(), money(),
                        Formats.score(best.value()),
                        inFlight.isEmpty() ? "…" : String.join(", ", inFlight)));
    }

    private static String name(StepPath step) {
        return step.inside().isEmpty() ? "the run" : step.inside();
    }

    /// The cost so far, and the budget.
    private String money() {
        return (priced || cost > 0 ? Formats.dollars(cost, priced) : "cost unknown")
                + (limits.budgetUsd() == null ? "" : " of " + Formats.dollars(limits.budgetUsd()));
    }

    private String elapsed() {
        long seconds = Duration.between(run.startedAt(), Instant.now()).toSeconds();
        return seconds < 3600
                ? String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60)
                : String.format(Locale.ROOT, "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60,
                        seconds % 60);
    }

    @Override
    public synchronized void close() {
        display.clear(out);
    }
}
