package io.mlestar.show.view;

import io.mlestar.core.base.Controls;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Walk;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.task.Decision;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.Score;
import io.mlestar.show.render.Formats;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The steps of a run as text.
public final class StepTree {
    private static final int NAME = 36;
    private static final int LONGEST = 400;

    /// The look of the text.
    ///
    /// @param width most characters of a line
    /// @param colours whether it may hold colours for a terminal
    public record Look(int width, boolean colours) {
        public static final Look PLAIN = new Look(LONGEST, false);

        private String paint(String text, String code) {
            String shown = Controls.shown(text);
            return colours && !text.isEmpty() && !code.isEmpty()
                    ? "\033[" + code + "m" + shown + "\033[0m"
                    : shown;
        }
    }

    private final Look look;
    private final MetricDirection direction;
    private final StringBuilder text = new StringBuilder();
    /// Decisions by path within the run. A phase comes before what it decided on.
    private final Map<String, Decision> decided = new HashMap<>();

    private StepTree(RunHeader run, Look look) {
        this.look = look;
        this.direction = run.task().metricDirection();
        text.append(look.paint(run.runId(), "1"))
                .append(look.paint("  " + run.task().competitionId() + ", "
                        + Formats.line(run.task().evaluationMetric(), 60) + ", "
                        + run.task().metricDirection().better()
                        + " is better", ""))
                .append('\n');
    }

    /// One line per step, indented: duration, cost, score, gain, plan, and what went wrong.
    public static String of(Records records, RunHeader run, Look look) {
        StepTree tree = new StepTree(run, look);
        String scoredBy = LiveRun.scoredBy(records, run.runId());
        tree.text.append(scoredBy.isEmpty()
                ? ""
                : look.paint(Formats.line(scoredBy, look.width()), "2") + "\n");
        Walk.OWN.steps(records, run.runId())
                .map(StepView::of)
                .forEach(step -> tree.text.append(tree.line(step).stripTrailing()).append('\n'));
        return tree.text.toString().stripTrailing();
    }

    private String line(StepView step) {
        int depth = 1 + (int) step.path().inside().chars().filter(letter -> letter == '/').count();
        String name = String.format(Locale.ROOT, "%-" + NAME + "s",
                "  ".repeat(depth) + step.path().name());
        String shown = step.step() instanceof Phase<?> ? name : look.paint(name, "2");
        if (step.result().isEmpty()) {
            return shown + " " + look.paint(StepState.RUNNING.toString(), "36");
        }
        StepResult result = step.result().get();
        String numbers = String.format(Locale.ROOT, " %10s  %-8s ",
                Formats.duration(result.took().toMillis() / 1000.0), cost(result.costUsd()));
        return shown + look.paint(numbers, "2")
                + outcome(step, result,
                        Math.max(20, look.width() - name.length() - numbers.length()));
    }

    private static String cost(@Nullable Double usd) {
        if (usd == null) {
            return "unpriced";
        }
        return usd == 0 ? "" : Formats.dollars(usd);
    }

    private String outcome(StepView step, StepResult result, int room) {
        return switch (step.found()) {
            case StepView.Pending pending -> "";
            case StepView.NotDone(StepResult.Unfinished missed) ->
                look.paint(Formats.line(step.state() + ": " + missed.reason(), room - 1),
                        missed instanceof StepResult.Failed ? "31" : "33");
            case StepView.Executed(var script, Execution ran) when ran instanceof Execution.Failed
                    || ran.isWithoutScore(script.kind()) ->
                look.paint(Formats.line(ran.words(script.kind()), room - 1),
                        ran.isError() ? "31" : "33");
            case StepView.Computed<?> computed -> done(step, result, computed.summary(), room);
            case StepView.Executed executed -> done(step, result, "", room);
            case StepView.Replied replied ->
                done(step, result, (replied.tokens() + "  " + replied.shortfall()).strip(), room);
            case StepView.Returned<?> returned ->
                done(step, result, returned.report().summary(), room);
        };
    }

    /// @param summary what is said beside the score
    private String done(StepView step, StepResult result, String summary, int room) {
        Score score = step.score();
        PhaseReport report = step.report();
        report.decided().forEach(decision -> decided.put(decision.step(), decision));
        Decision decision = decided.get(step.path().inside());
        Rival before = decision == null ? report.comparedWith() : decision.comparedWith();
        String gained = !score.isKnown() || before == null
                ? ""
                : " (" + Formats.gain(score.over(before.score(), direction)) + ")";
        String said = "";
        if (score.isKnown()) {
            said = "score " + (score.error() == null ? score.value() : Formats.score(score));
        } else if (step.step() instanceof Phase<?> && !summary.isBlank()) {
            said = "no score";
        }
        said += gained;
        said += result.sharedWith() == null ? "" : " (shared with " + result.sharedWith() + ")";
        String rest =
                summary.isBlank() || said.length() > room - 12
                        ? ""
                        : Formats.line(summary, room - said.length() - 3);
        boolean accepted =
                before != null && Boolean.TRUE
                        .equals(decision == null ? report.accepted() : decision.accepted());
        return look.paint(said, accepted ? "32" : "")
                + (rest.isEmpty() ? "" : "  " + look.paint(rest, "2"));
    }
}
