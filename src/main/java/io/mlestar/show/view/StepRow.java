package io.mlestar.show.view;

import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.StepPath;
import io.mlestar.show.render.Formats;
import java.time.Instant;
import java.util.Comparator;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// One step as a line of the tree: small, whatever the step holds, so that thousands fit in memory.
///
/// @param phase what it is called and which part of the run it is; null unless it is a phase
/// @param score null if it has none
/// @param better whether it took the place of the best before it; false where its block decides that
/// @param startedAt while it is open, when it was asked for
/// @param endedAt null while it is open
/// @param costUsd null if the price is unknown, or while it is open
/// @param says the plan, the model, what went wrong: one line, may be empty
/// @param place where the steps below it lie: in another run, if the result is shared with that
public record StepRow(StepPath path, @Nullable Named phase, StepState state, @Nullable Double score, boolean better, Instant startedAt,
        @Nullable Instant endedAt, @Nullable Double costUsd, String says, StepPath place) {
    private static final int LONGEST = 240;

    /// What a phase is called.
    ///
    /// @param part see [Phase#part]
    public record Named(String title, String part) {
        static Named of(Phase<?> phase) {
            return new Named(phase.title(), phase.part());
        }
    }

    /// By time; steps asked for at once by name, numbers as numbers.
    static final Comparator<StepRow> IN_ORDER = Comparator.comparing(StepRow::startedAt)
            .thenComparing(row -> row.path().name().replaceFirst("\\d+$", "")).thenComparingInt(row -> number(row.path()))
            .thenComparing(row -> row.path().name());

    public static StepRow of(StepView step) {
        StepResult result = step.result().orElse(null);
        String shared = result == null || result.sharedWith() == null ? "" : "shared with " + result.sharedWith() + "; ";
        return new StepRow(step.path(), step.step() instanceof Phase<?> phase ? Named.of(phase) : null, step.state(), step.score(),
                step.found() instanceof StepView.Returned<?> returned && Boolean.TRUE.equals(returned.report().accepted()),
                result == null ? step.known().request().askedAt() : result.startedAt(), result == null ? null : result.endedAt(),
                result == null ? null : result.costUsd(),
                Formats.line(shared + says(step), LONGEST), step.known().place());
    }

    private static String says(StepView step) {
        return switch (step.found()) {
            case StepView.Pending pending -> title(step);
            case StepView.NotDone(StepResult.Missed missed) -> missed.reason();
            case StepView.Replied(var agent, Answer answer) -> String.format(Locale.ROOT, "%s, %,d + %,d tokens", answer.usage().model(),
                    answer.usage().inputTokens(), answer.usage().outputTokens());
            case StepView.Computed<?> computed -> computed.summary();
            case StepView.Executed(var script, Execution execution) ->
                execution instanceof Execution.Failed || execution.isWithoutScore(script.kind()) ? execution.ending(script.kind()) : "";
            case StepView.Returned<?> returned -> returned.report().summary().isBlank() ? title(step) : returned.report().summary();
        };
    }

    /// The phases right below the pipeline are known by their titles.
    private static String title(StepView step) {
        return step.path().isTop() && step.step() instanceof Phase<?> phase ? phase.title().toLowerCase(Locale.ROOT) : "";
    }

    private static int number(StepPath path) {
        String digits = path.name().replaceFirst("^.*?(\\d{0,9})$", "$1");
        return digits.isEmpty() ? 0 : Integer.parseInt(digits);
    }

    public boolean isPhase() {
        return phase != null;
    }

    public boolean isOpen() {
        return state == StepState.RUNNING;
    }

    /// Wall clock from question to answer, so far.
    public String took(Instant now) {
        return Formats.duration(Formats.seconds(startedAt, endedAt == null ? now : endedAt));
    }

    public String scoreWords() {
        return score == null ? "" : Formats.score(score);
    }

    public String costWords() {
        return isOpen() || Double.valueOf(0).equals(costUsd) ? "" : Formats.dollars(costUsd);
    }

    public String stateName() {
        return state.toString().replace('_', '-');
    }

    /// Whether nothing but words can tell the state.
    public boolean showsState() {
        return state == StepState.FAILED || state == StepState.LEFT_OUT;
    }

    /// Whether what it says is why it went wrong.
    public boolean showsReason() {
        return showsState() && !isPhase() || state == StepState.LEFT_OUT;
    }

    /// Where its own page lies.
    public String url() {
        return url(path);
    }

    static String url(StepPath step) {
        return "/runs/" + step.run() + "/steps/" + step.inside();
    }
}
