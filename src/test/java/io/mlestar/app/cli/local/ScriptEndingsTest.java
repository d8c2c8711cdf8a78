package io.mlestar.app.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.engine.OneEngine;
import io.mlestar.core.engine.World;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.Validation;
import io.mlestar.show.log.Ear;
import io.mlestar.show.log.StepLog;
import io.mlestar.show.view.StepRow;
import io.mlestar.show.view.StepTree;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.SimpleFormatter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How a script ended reads the same in the log, on the terminal, in `show`, in the figures and to
/// the debugger.
class ScriptEndingsTest {
    private static final String SCRIPT = "phase1/candidate0/evaluation/script";
    private final Records records = new Records(new MemoryStore());
    private final List<String> log = new ArrayList<>();

    private void play(String printed, int exitCode, @Nullable String bug) {
        World world = new World(1, 0);
        world.running(job -> {
            boolean isIt = job.step().inside().equals(SCRIPT);
            return isIt || job.script().kind() == Kind.SOLUTION
                    ? execution(isIt ? printed : "", isIt ? null : 0.5, isIt ? exitCode : 0, isIt ? bug : null)
                    : job.execution();
        });
        try (Ear ear = new Ear("mle_star",
                line -> log.add(line.getLevel() + " " + new SimpleFormatter().formatMessage(line)))) {
            new OneEngine(records.store(), world, new OneEngine.MovingClock(), new StepLog(() -> 2))
                    .runToTheEnd("{\"num_retrieved_models\": 2}");
        }
    }

    private static Execution execution(String printed, @Nullable Double score, int exitCode, @Nullable String bug) {
        return Execution.of(new EvaluationResult(Score.printed(score), printed, "", exitCode, 9, bug != null, bug),
                exitCode < 0, null, bug);
    }

    private String terminal() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RunHeader header = records.header("r").orElseThrow();
        StepPath step = StepPath.parse("r/" + SCRIPT);
        try (Progress progress =
                new Progress(records, header, new PrintStream(out, true, StandardCharsets.UTF_8), Display.LINES)) {
            progress.ended(header, step, records.request(step).orElseThrow(), records.result(step).orElseThrow());
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    /// @param event of the log; it never calls a script that ran an execution error
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"',
            textBlock = """
                    done                               | 0  |                                 | rejected: ran, but printed no score (the last line must be `Final Validation Performance: <number>`) | execution-without-score
                    Final Validation Performance: 0,85 | 0  |                                 | rejected: ran, but its score `0,85` is not a number               | execution-without-score
                    Final Validation Performance: inf  | 0  |                                 | rejected: ran, but its score `inf` is not a finite number         | execution-without-score
                    done                               | 0  | SubmissionError: it lacks y     | rejected: ran, but its submission is not in the right form: it lacks y | submission-rejected
                    done                               | 1  | ValueError: no                  | crashed: ValueError: no                                 | execution-error
                    done                               | -1 | TimeoutError: stopped           | crashed: timed out after 9.0 s                                   | execution-error
                    """)
    void theWordsAreTheSameEverywhere(String printed, int exitCode, @Nullable String bug, String ending, String event) {
        play(printed, exitCode, bug);

        assertThat(terminal()).contains(SCRIPT + " ", ending);
        assertThat(StepTree.of(records, records.header("r").orElseThrow(), StepTree.Look.PLAIN)).contains(ending);
        assertThat(StepRow.all(records, "r")).filteredOn(step -> step.path().equals(SCRIPT)).singleElement()
                .satisfies(step -> assertThat(step.note()).isEqualTo(ending));
        List<String> warned =
                log.stream().filter(line -> line.startsWith("WARN") && line.contains(SCRIPT + " ")).toList();
        assertThat(warned).anyMatch(line -> line.contains("what=" + event + " "))
                .noneMatch(line -> !event.equals("execution-error") && line.contains("execution-error"));
        assertThat(log).anyMatch(line -> line.contains(SCRIPT + " what=execution-complete")
                && line.contains("is_error=" + event.equals("execution-error")));
        Optional<String> toDebugger =
                records.request(StepPath.parse("r/phase1/candidate0/evaluation/debugger"))
                        .map(asked -> asked.input().path("ending").asText());
        assertThat(toDebugger.isPresent()).isEqualTo(bug != null);
        toDebugger.ifPresent(told -> assertThat(ending).as("in a sentence").endsWith(told));
    }
}
