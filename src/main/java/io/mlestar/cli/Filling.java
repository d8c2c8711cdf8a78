package io.mlestar.cli;

import io.mlestar.bench.Cell;
import io.mlestar.bench.Contest;
import io.mlestar.program.CompositionRoot;
import io.mlestar.records.Published;
import io.mlestar.records.Records;
import io.mlestar.records.RunHeader;
import io.mlestar.records.StepResult;
import io.mlestar.sandbox.ScriptRunner;
import io.mlestar.step.Execution;
import io.mlestar.step.RunScript;
import io.mlestar.step.StepPath;
import io.mlestar.step.Window;
import io.mlestar.task.AgentType;
import io.mlestar.task.Invalid;
import io.mlestar.task.PipelineConfig;
import io.mlestar.view.StepFigures;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// Fills the cells of a benchmark: by a run that has ended, or by a script that takes part instead of the agents.
record Filling(CompositionRoot root, Records records) {
    private static final double SECONDS_OF_AN_HOUR = 3600;

    /// What a run came to; empty as long as it has not ended.
    Optional<Cell> byRun(Contest contest) {
        String run = contest.id();
        Optional<StepResult> ended = records.result(StepPath.root(run));
        if (ended.isEmpty()) {
            return Optional.empty();
        }
        RunHeader header = records.header(run).orElseThrow();
        List<String> asked = Arrays.stream(AgentType.values()).map(header.config()::modelOf).distinct().sorted().toList();
        List<StepFigures> steps = StepFigures.all(records, run).stream().filter(step -> step.sharedWith() == null).toList();
        Cell.Effort effort = new Cell.Effort(Duration.between(header.startedAt(), ended.get().endedAt()).toMillis() / 1000.0 / SECONDS_OF_AN_HOUR,
                ended.get().costUsd(), steps.stream().mapToLong(step -> step.inputTokens() == null ? 0 : step.inputTokens()).sum(),
                steps.stream().mapToLong(step -> step.outputTokens() == null ? 0 : step.outputTokens()).sum(), ended.get().endedAt());
        byte[] submission = records.store().read(Records.key(run, Published.SUBMISSION)).orElse(null);
        String failure = ended.get() instanceof StepResult.Missed missed ? missed.reason()
                : Published.result(records, run).map(result -> String.valueOf(result.submissionFailure())).orElse("");
        return Optional.of(contest.ended(run, String.join(", ", asked.stream().map(Filling::shortened).distinct().toList()),
                asked.stream().anyMatch(PipelineConfig::isRecorded), submission, failure, effort));
    }

    /// A recording's folder says nothing to others.
    private static String shortened(String model) {
        return PipelineConfig.isRecorded(model) ? "recorded" : model;
    }

    /// Runs a script in the sandbox, with the data as its `input`.
    ///
    /// @param seconds the most it may take
    Cell byScript(Contest contest, Path script, int seconds) {
        AtomicReference<byte[]> submission = new AtomicReference<>();
        Instant begin = Instant.now();
        Execution ran = new ScriptRunner(root.sandbox(), InstantSource.system()).run(new RunScript(read(script), RunScript.Kind.SUBMISSION, seconds),
                contest.competition().data(), new Window(begin.plusSeconds(seconds), begin.plusSeconds(2L * seconds)), () -> 1, (name, content) -> {
                    submission.set(bytes(content));
                    return name;
                }, () -> {}, () -> {});
        String failure = ran instanceof Execution.Failed failed ? failed.error() : "";
        return contest.ended(null, "", false, submission.get(), failure,
                new Cell.Effort(ran.evaluation().durationSeconds() / SECONDS_OF_AN_HOUR, 0.0, 0, 0, Instant.now()));
    }

    private static byte[] bytes(InputStream content) {
        try {
            return content.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path script) {
        try {
            return Files.readString(script);
        } catch (IOException e) {
            throw new Invalid("the script " + script + " cannot be read: " + e.getMessage());
        }
    }
}
