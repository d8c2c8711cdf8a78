package io.mlestar.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.agent.Agents;
import io.mlestar.engine.Scored;
import io.mlestar.engine.StepRequest;
import io.mlestar.engine.StepResult;
import io.mlestar.step.StepPath;
import io.mlestar.view.Words;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// One step as a line of the tree: small, whatever the step holds, so that thousands fit in memory.
///
/// @param score null if it has none
/// @param better an attempt that was at least as good as the best before it
/// @param startedAt when it was asked for, while it is under way
/// @param endedAt null while it is under way
/// @param costUsd null if the price is unknown, or it is under way
/// @param says the plan, the model, what went wrong: one line, may be empty
/// @param place where the steps below it lie: in another run, if the result is shared with that
public record StepRow(StepPath path, State state, Double score, boolean better, Instant startedAt, Instant endedAt, Double costUsd,
        String says, StepPath place) {
    private static final int LONGEST = 240;
    /// Phases that are to give a score.
    private static final Set<String> SCORING = Set.of("candidate", "merge", "attempt", "round", "evaluation");
    private static final Map<String, String> TITLES = Map.of("phase1", "initial solution", "phase2-path", "refinement path",
            "phase3", "ensemble", "finalization", "submission");

    /// How a step stands. A script that crashed and an attempt without a score have failed, though the run goes on.
    public enum State {
        RUNNING("under way"), DONE("done"), FAILED("failed"), LEFT_OUT("left out");

        private final String words;

        State(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    /// By time; steps asked for at once by name, numbers as numbers.
    static final Comparator<StepRow> IN_ORDER = Comparator.comparing(StepRow::startedAt)
            .thenComparing(row -> kind(row.path())).thenComparing(row -> number(row.path())).thenComparing(row -> row.path().name());

    static StepRow underWay(StepPath path, StepRequest request) {
        return new StepRow(path, State.RUNNING, null, false, request.askedAt(), null, null, title(path), path);
    }

    static StepRow ended(StepPath path, StepResult result) {
        JsonNode value = result.value() == null ? com.fasterxml.jackson.databind.node.MissingNode.getInstance() : result.value();
        Double score = Scored.of(path, result);
        boolean crashed = value.path("evaluation").path("is_error").asBoolean();
        State state = switch (result.status()) {
            case FAILED -> State.FAILED;
            case STOPPED -> State.LEFT_OUT;
            case DONE -> crashed || SCORING.contains(kind(path)) && score == null && !path.isIn("finalization") ? State.FAILED : State.DONE;
        };
        String says = result.reason() != null ? result.reason() : says(path, value);
        boolean shared = result.sharedWith() != null;
        return new StepRow(path, state, score, value.path("record").path("was_improvement").asBoolean(), result.startedAt(),
                result.endedAt(), result.costUsd(), Words.line((shared ? "shared with " + result.sharedWith() + "; " : "") + says, LONGEST),
                shared ? StepPath.parse(result.sharedWith()) : path);
    }

    private static String says(StepPath path, JsonNode value) {
        if (isAgent(path)) {
            JsonNode usage = value.path("usage");
            return String.format(Locale.ROOT, "%s, %,d + %,d tokens", usage.path("model").asText(), usage.path("input_tokens").asLong(),
                    usage.path("output_tokens").asLong());
        }
        return switch (kind(path)) {
            case "script" -> value.path("bug").asText("").strip().lines().reduce((first, second) -> second).orElse("");
            case "attempt", "block" -> value.path("record").path("was_skipped").asBoolean()
                    ? "skipped: no code block was found" : value.path("record").path("plan").asText();
            case "round" -> value.path("plan").asText();
            case "candidate", "merge" -> value.path("source_model").asText("");
            case "evaluation" -> value.path("failure").asText("");
            default -> title(path);
        };
    }

    private static String title(StepPath path) {
        return TITLES.getOrDefault(kind(path), "");
    }

    /// The step's name without its number.
    static String kind(StepPath path) {
        return isTop(path) && !path.name().startsWith("phase2-path") ? path.name() : path.name().replaceFirst("-?\\d+$", "");
    }

    private static boolean isTop(StepPath path) {
        return path.inside().indexOf('/') < 0;
    }

    private static int number(StepPath path) {
        String digits = path.name().replaceFirst("^.*?(\\d{0,9})$", "$1");
        return digits.isEmpty() ? 0 : Integer.parseInt(digits);
    }

    static boolean isAgent(StepPath path) {
        return Agents.BY_NAME.containsKey(kind(path));
    }

    static boolean isScript(StepPath path) {
        return kind(path).equals("script");
    }

    public boolean isPhase() {
        return !isAgent(path) && !isScript(path);
    }

    public boolean isOpen() {
        return state == State.RUNNING;
    }

    /// Wall clock from question to answer, so far.
    public String took(Instant now) {
        Duration time = Duration.between(startedAt, endedAt == null ? now : endedAt);
        return Words.duration(Math.max(0, time.toMillis() / 1000.0));
    }

    public String scoreWords() {
        return score == null ? "" : Words.score(score);
    }

    public String costWords() {
        return isOpen() || Double.valueOf(0).equals(costUsd) ? "" : Words.dollars(costUsd);
    }

    public String stateName() {
        return state.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// Whether the state has to be said in words, since nothing else says it.
    public boolean showsState() {
        return state == State.FAILED || state == State.LEFT_OUT;
    }

    /// Whether what it says is why it went wrong.
    public boolean showsReason() {
        return showsState() && !isPhase() || state == State.LEFT_OUT;
    }

    /// Where its own page lies.
    public String url() {
        return "/runs/" + path.run() + "/steps/" + path.inside();
    }
}
