package io.mlestar.cli;

import io.mlestar.llm.Models;
import io.mlestar.run.RunHeader;
import io.mlestar.run.Scored;
import io.mlestar.run.StepRequest;
import io.mlestar.run.StepResult;
import io.mlestar.run.StepResult.Status;
import io.mlestar.run.Watcher;
import io.mlestar.step.Execution;
import io.mlestar.step.StepPath;
import io.mlestar.task.MetricDirection;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/// Shows a run while it runs: a line for each thing worth knowing, and on a terminal a last line that says what is being
/// done now.
final class Progress implements Watcher, AutoCloseable {
    private static final int WIDTH = 110;

    private final RunHeader run;
    private final PrintStream out;
    private final boolean terminal = System.console() != null && System.console().isTerminal();
    private final Set<String> underWay = new ConcurrentSkipListSet<>();
    private double cost;
    private Double best;

    Progress(RunHeader run, PrintStream out) {
        this.run = run;
        this.out = out;
        out.printf("run %s: %s, %s (%s)%n", run.runId(), run.task().competitionId(), run.task().evaluationMetric(),
                run.task().metricDirection().name().toLowerCase(Locale.ROOT));
        if (Models.isRecorded(run.config().model())) {
            out.println("model: " + run.config().model() + " - recorded answers, no language model is asked; costs are nominal");
        }
    }

    @Override
    public synchronized void started(RunHeader header, StepPath step, StepRequest request) {
        underWay.add(step.inside());
        refresh();
    }

    @Override
    public synchronized void unreadable(RunHeader header, StepPath step, String reason) {
        print(line(step, "unreadable answer: " + shorten(reason)));
    }

    @Override
    public synchronized void outage(String line) {
        print(String.format(Locale.ROOT, "%6s  %s", elapsed(), line));
    }

    @Override
    public synchronized void ended(RunHeader header, StepPath step, StepRequest request, StepResult result) {
        underWay.remove(step.inside());
        boolean phase = request.isPhase();
        if (!phase && result.costUsd() != null) {
            cost += result.costUsd();
        }
        Double score = Scored.of(result);
        String line = line(step, request, result, phase, score);
        if (line != null) {
            print(line(step, line));
        }
        refresh();
    }

    /// What is said of a step that ended; null if it is not worth a line.
    private String line(StepPath step, StepRequest request, StepResult result, boolean phase, Double score) {
        String mark = "";
        if ((request.isScript() || result.sharedWith() != null) && score != null && !step.isIn("finalization")) {
            MetricDirection direction = run.task().metricDirection();
            if (best == null || direction.isImprovement(score, best)) {
                best = score;
                mark = "  best so far";
            }
        }
        String took = String.format(Locale.ROOT, " (%.1f s)", Duration.between(result.startedAt(), result.endedAt()).toMillis() / 1e3);
        return switch (result.status()) {
            case FAILED -> "failed: " + shorten(result.reason());
            case STOPPED -> "left out: " + shorten(result.reason());
            case DONE -> {
                if (request.isScript()) {
                    yield result.value().path("evaluation").path("is_error").asBoolean()
                            ? "crashed: " + shorten(Execution.lastLine(result.value().path("bug").asText())) + took
                            : (score == null ? "ran" : "score " + score) + took + mark;
                }
                boolean top = step.parent().filter(parent -> parent.inside().isEmpty()).isPresent();
                String done = result.sharedWith() == null ? "done" : "shared with " + result.sharedWith();
                yield phase && top ? done + (score == null ? "" : ", score " + score) : null;
            }
        };
    }

    private String line(StepPath step, String said) {
        return String.format(Locale.ROOT, "%6s  %-52s %s", elapsed(), step.inside(), said);
    }

    private void print(String line) {
        out.println(terminal ? "\r\033[K" + line : line);
    }

    private void refresh() {
        if (terminal) {
            String now = underWay.isEmpty() ? "…" : String.join(", ", underWay);
            String line = String.format(Locale.ROOT, "%6s  $%.4f  best %s  %s", elapsed(), cost, best == null ? "-" : best, now);
            out.print("\r\033[K" + (line.length() > WIDTH ? line.substring(0, WIDTH) + "…" : line));
            out.flush();
        }
    }

    private String elapsed() {
        long seconds = Duration.between(run.startedAt(), Instant.now()).toSeconds();
        return seconds < 3600 ? "%d:%02d".formatted(seconds / 60, seconds % 60)
                : "%d:%02d:%02d".formatted(seconds / 3600, seconds / 60 % 60, seconds % 60);
    }

    private static String shorten(String text) {
        String line = text == null ? "" : text.replaceAll("\\s+", " ");
        return line.length() > WIDTH ? line.substring(0, WIDTH) + "…" : line;
    }

    @Override
    public synchronized void close() {
        if (terminal) {
            out.print("\r\033[K");
        }
    }
}
