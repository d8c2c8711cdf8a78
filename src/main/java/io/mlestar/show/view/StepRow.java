package io.mlestar.show.view;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.mlestar.core.agent.Coder;
import io.mlestar.core.agent.Ensembler;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Walk;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.StepPath;
import io.mlestar.show.render.Formats;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One step in a few figures: a row of the table of all steps for programs, a line of the tree for
/// people. Small, whatever the step holds, so that thousands fit in memory.
///
/// @param path within the run
/// @param kind `phase`, `agent` or `script`
/// @param phase kind of phase, e.g. `attempt`; null unless it is one
/// @param title of a phase, for people; empty unless it is one
/// @param part see [Phase#part]; empty unless it is a phase
/// @param agent who was asked; null unless it is an agent
/// @param plan what was to be tried; null where there is none
/// @param score null if it has none
/// @param better whether it took the place of the best before it; false where its block decides
///   that
/// @param costUsd in USD, of a phase with all below it; null if the price is unknown, or it is
///   under way
/// @param seconds how long it took; null while it is under way
/// @param model who answered; null unless an agent was answered
/// @param inputTokens of an answer, as the two that follow; null without one
/// @param cachedTokens part of the input tokens
/// @param startedAt while it is open, when it was asked for
/// @param endedAt null while it is open
/// @param sharedWith path of the step of another run whose result this is; null if this run did it
/// @param note the plan, the model, what went wrong: one line, may be empty
/// @param scoreError standard error of the score; null unless the harness computed it
@RegisterForReflection
public record StepRow(
        @JsonIgnore StepPath step,
        String path,
        String kind,
        @Nullable String phase,
        @JsonIgnore String title,
        @JsonIgnore String part,
        @Nullable String agent,
        @Nullable String plan,
        @Nullable Double score,
        @JsonIgnore boolean better,
        @Nullable Double costUsd,
        @Nullable Double seconds,
        StepState outcome,
        @Nullable String model,
        @Nullable Long inputTokens,
        @Nullable Long outputTokens,
        @Nullable Long cachedTokens,
        Instant askedAt,
        @JsonIgnore Instant startedAt,
        @Nullable Instant endedAt,
        @Nullable String sharedWith,
        String note,
        @Nullable Double scoreError) {
    private static final int LONGEST = 240;
    private static final int LONGEST_PLAN = 4_000;

    /// Orders steps by time; those asked for at once by name, with numbers as numbers.
    static final Comparator<StepRow> IN_ORDER = Comparator.comparing(StepRow::startedAt)
            .thenComparing(row -> row.step().name().replaceFirst("\\d+$", ""))
            .thenComparingInt(row -> number(row.step()))
            .thenComparing(row -> row.step().name());

    public static StepRow of(StepView step) {
        StepRequest request = step.known().request();
        Optional<StepResult> result = step.result();
        Optional<Answer.Usage> usage =
                step.found() instanceof StepView.Replied(var asked, Answer answer)
                        ? Optional.of(answer.usage())
                        : Optional.empty();
        Optional<Phase<?>> phase =
                step.step() instanceof Phase<?> known ? Optional.of(known) : Optional.empty();
        String sharedWith = ifKnown(result, StepResult::sharedWith);
        return new StepRow(step.path(), step.path().inside(),
                kind(request),
                ifKnown(phase, _ -> request.kind()), phase.map(Phase::title).orElse(""),
                phase.map(Phase::part).orElse(""),
                step.step() instanceof Agent<?> agent ? agent.type().id() : null, plan(step),
                step.score().value(),
                Boolean.TRUE.equals(step.report().accepted()),
                ifKnown(result, StepResult::costUsd),
                ifKnown(result, ended -> ended.took().toMillis() / 1000.0), step.state(),
                ifKnown(usage, Answer.Usage::model), ifKnown(usage, Answer.Usage::inputTokens),
                ifKnown(usage, Answer.Usage::outputTokens),
                ifKnown(usage, Answer.Usage::cachedTokens), request.askedAt(),
                result.map(StepResult::startedAt).orElse(request.askedAt()),
                ifKnown(result, StepResult::endedAt), sharedWith,
                Formats.line(
                        (sharedWith == null ? "" : "shared with " + sharedWith + "; ") + note(step),
                        LONGEST),
                step.score().error());
    }

    private static <T, R> @Nullable R ifKnown(
            Optional<T> whole,
            Function<T, ? extends @Nullable R> part) {
        return whole.map(part).orElse(null);
    }

    private static String kind(StepRequest request) {
        if (request.isPhase()) {
            return "phase";
        }
        return request.isAgent() ? "agent" : "script";
    }

    /// All steps of a run, each phase before the steps inside it, without those that are another
    /// run's.
    public static List<StepRow> all(Records records, String run) {
        return Walk.OWN.steps(records, run).map(StepView::of).map(StepRow::of).toList();
    }

    private static @Nullable String plan(StepView step) {
        String plan = switch (step.step()) {
            case Phase<?> phase -> step.report().texts().get(PhaseReport.PhaseText.PLAN);
            case Coder coder -> coder.plan();
            case Ensembler ensembler -> ensembler.plan();
            default -> null;
        };
        return plan == null || plan.isBlank() ? null : Excerpt.clip(plan, LONGEST_PLAN);
    }

    private static String note(StepView step) {
        return switch (step.found()) {
            case StepView.Pending pending -> title(step);
            case StepView.NotDone(StepResult.Unfinished missed) -> missed.reason();
            case StepView.Replied replied ->
                replied.answer().usage().model() + ", " + replied.tokens();
            case StepView.Computed<?> computed -> computed.summary();
            case StepView.Executed(var script, Execution execution) ->
                execution instanceof Execution.Failed || execution.isWithoutScore(script.kind())
                        ? execution.words(script.kind())
                        : "";
            case StepView.Returned<?> returned ->
                returned.report().summary().isBlank() ? title(step) : returned.report().summary();
        };
    }

    /// The phases right below the pipeline are known by their titles.
    private static String title(StepView step) {
        return step.path().isTop() && step.step() instanceof Phase<?> phase
                ? phase.title().toLowerCase(Locale.ROOT)
                : "";
    }

    private static int number(StepPath path) {
        String digits = path.name().replaceFirst("^.*?(\\d{0,9})$", "$1");
        return digits.isEmpty() ? 0 : Integer.parseInt(digits);
    }

    public boolean isPhase() {
        return phase != null;
    }

    public boolean isOpen() {
        return outcome == StepState.RUNNING;
    }

    /// The step that has the steps below it: of another run, if that run's result is shared.
    public StepPath place() {
        return sharedWith == null ? step : StepPath.parse(sharedWith);
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
        return outcome.toString().replace('_', '-');
    }

    /// True if the state has no icon and is shown as text.
    public boolean showsState() {
        return outcome == StepState.FAILED || outcome == StepState.SKIPPED;
    }

    /// True if its note says why it went wrong.
    public boolean showsReason() {
        return showsState() && !isPhase() || outcome == StepState.SKIPPED;
    }

    /// The address of its page.
    public String url() {
        return url(step);
    }

    public static String url(StepPath step) {
        return "/runs/" + step.run() + "/steps/" + step.inside();
    }
}
