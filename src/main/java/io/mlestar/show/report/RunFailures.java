package io.mlestar.show.report;

import io.mlestar.core.phase.Evaluation;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Arithmetic;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.task.LimitSettings;
import io.mlestar.show.render.Formats;
import io.mlestar.show.view.StepView;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Collects the failures of a run, in words a user can act on. Failures that differ in numbers only
/// count as one. Takes in the steps of the run, phases before what is in them.
public final class RunFailures {
    private static final String SKIPPED = "skipped";
    private static final String CRASHED = "script crashed";
    private static final String REJECTED = "script rejected";
    private static final String UNREADABLE = "answer rejected";
    private static final int MOST = 40;
    private static final int LENGTH = 300;
    private static final Pattern MODULE = Pattern.compile("No module named '([\\w.]{1,60})'");

    private final LimitSettings limits;
    private final Map<String, Failure> failures = new LinkedHashMap<>();
    /// True for each evaluation, by the phase's path, whose script ran in the end.
    private final Map<String, Boolean> evaluations = new HashMap<>();
    private int more;

    RunFailures(LimitSettings limits) {
        this.limits = limits;
    }

    /// @param kind what kind of step failed, and how
    /// @param count how often
    /// @param step the first of them
    /// @param after what became of it; empty if that is not known
    /// @param advice what can be done; empty if nothing needs to be
    public record Failure(
            String kind,
            String message,
            int count,
            String step,
            String after,
            String advice) {
        Failure again() {
            return new Failure(kind, message, count + 1, step, after, advice);
        }
    }

    /// The failure of one step.
    private record What(String kind, String message) {}

    private static Optional<What> of(StepView step) {
        boolean phase = step.step() instanceof Phase<?>;
        return switch (step.found()) {
            case StepView.NotDone(StepResult.Stopped stopped) ->
                phase ? Optional.of(new What(SKIPPED, stopped.reason())) : Optional.empty();
            case StepView.NotDone(StepResult.Failed failed) -> phase && !step.path().isTop()
                    ? Optional.empty()
                    : Optional.of(new What(switch (step.step()) {
                        case Phase<?> _ -> "phase failed";
                        case RunScript _ -> "script not run";
                        case Arithmetic<?> _ -> "not computed";
                        case Agent<?> _ -> "agent did not answer";
                    },
                            failed.reason()));
            case StepView.Executed(var script, Execution ran) when ran
                    .isWithoutScore(script.kind()) ->
                Optional.of(new What(REJECTED, ran.ending(script.kind())));
            case StepView.Executed(var script, Execution.Failed failed) ->
                Optional.of(new What(failed.isError() ? CRASHED : REJECTED,
                        failed.reason(script.kind())));
            case StepView.Replied replied ->
                replied.unreadable().map(reason -> new What(UNREADABLE, reason));
            case StepView.Executed ran -> Optional.empty();
            case StepView.Computed<?> computed -> Optional.empty();
            case StepView.Returned<?> returned -> Optional.empty();
            case StepView.Pending pending -> Optional.empty();
        };
    }

    /// @return whether the step failed
    boolean add(StepView step) {
        if (step.step() instanceof Evaluation) {
            evaluations.put(step.path().inside(), step
                    .found() instanceof StepView.Returned<?>(var phase, Evaluation.Result evaluated)
                    && evaluated.failure() == null);
        }
        Optional<What> what = of(step);
        what.ifPresent(failed -> {
            String message = Formats.line(failed.message(), LENGTH);
            String key = failed.kind() + message.replaceAll("\\d+(\\.\\d+)?", "0");
            Failure known = failures.get(key);
            if (known != null) {
                failures.put(key, known.again());
            } else if (failures.size() < MOST) {
                failures.put(key, new Failure(failed.kind(), message, 1, step.path().inside(),
                        after(step), advice(failed, after(step))));
            } else {
                more++;
            }
        });
        return what.isPresent();
    }

    private String after(StepView step) {
        Boolean ran =
                step.step() instanceof RunScript
                        ? evaluations.get(step.path().parent().orElseThrow().inside())
                        : null;
        if (ran == null) {
            return "";
        }
        return ran ? "repaired" : "given up";
    }

    private String advice(What what, String after) {
        String message = what.message();
        Matcher module = MODULE.matcher(message);
        if (module.find()) {
            return "Install " + module.group(1)
                    + " for the interpreter that MLE_STAR_PYTHON names, or say in the task's description that it is"
                    + " not there.";
        }
        if (what.kind().equals(CRASHED) && message.startsWith(Execution.TIMED_OUT)) {
            return "Scripts may take "
                    + (limits.scriptTimeoutSeconds() == null
                            ? "as long as the phase has time; raise time_limit_seconds"
                            : limits.scriptTimeoutSeconds() + " s; raise script_timeout_seconds")
                    + ", or lower subsample_limit (now "
                    + limits.subsampleLimit() + ").";
        }
        if (message.contains("MemoryError") || message.contains("out of memory")
                || message.contains("SIGKILL")) {
            return "The script needs more memory than it was given: use a larger machine, or lower subsample_limit (now "
                    + limits.subsampleLimit() + ").";
        }
        if (message.contains("FileNotFoundError")) {
            return "Compare the file names in the task's description with those in data_dir.";
        }
        if (message.contains("budget")) {
            return "Raise max_budget_usd"
                    + (limits.maxBudgetUsd() == null
                            ? "."
                            : ", now " + Formats.dollars(limits.maxBudgetUsd()) + ".");
        }
        if (what.kind().equals(REJECTED) && !message.contains("submission")
                && message.contains("score")) {
            return "It is not repaired. The prompts ask for the score as the last line; a description that asks for other output contradicts them.";
        }
        return switch (what.kind()) {
            case SKIPPED ->
                message.contains("time")
                        ? "Raise time_limit_seconds, now " + limits.timeLimitSeconds() + "."
                        : "";
            case CRASHED, REJECTED -> switch (after) {
                case "repaired" -> "Nothing: the debugger's repair ran.";
                case "" -> "";
                default -> "No repair ran. max_debug_attempts (now " + limits.maxDebugAttempts()
                        + ") allows more.";
            };
            case UNREADABLE ->
                "The answer has not the form that was asked for; a stronger model for this agent (agents.<name>.model) keeps to it"
                        + " more often.";
            default -> "";
        };
    }

    public List<Failure> list() {
        return List.copyOf(failures.values());
    }

    /// The number of failures that are not in the list.
    public int more() {
        return more;
    }
}
