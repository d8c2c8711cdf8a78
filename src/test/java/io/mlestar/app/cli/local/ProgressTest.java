package io.mlestar.app.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.app.cli.Program;
import io.mlestar.core.engine.DrivenRun;
import io.mlestar.core.engine.OneEngine;
import io.mlestar.core.engine.World;
import io.mlestar.core.phase.Evaluation;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.Scoring;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.store.MemoryStore;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.Validation;
import io.mlestar.show.log.Ear;
import io.mlestar.show.log.StepLog;
import io.mlestar.show.view.StepRow;
import io.mlestar.show.view.StepTree;
import module java.base;
import java.util.logging.SimpleFormatter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressTest {
    private static final String SCRIPT = "phase1/candidate0/evaluation/script";
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private String shown(DrivenRun run, String... steps) {
        return shown(run.records(), steps);
    }

    private String shown(Records records, String... steps) {
        RunHeader header = records.header("r").orElseThrow();
        try (Progress progress =
                new Progress(records, header, new PrintStream(out, true, StandardCharsets.UTF_8), Display.LINES)) {
            for (String inside : steps) {
                StepPath step = StepPath.parse("r/" + inside);
                progress.ended(header, step, records.request(step).orElseThrow(), records.result(step).orElseThrow());
            }
            progress.say("warning: something");
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void theScoreThatAStudyPrintsIsNotShownAndNeverTheBest() {
        DrivenRun run =
                DrivenRun.withScoredStudies(new MemoryStore(), "r", Program.SHORT, 0.01)
                        .until("phase2-path0/block0/script");
        assertThat(shown(run, "phase2-path0/block0/script")).contains("phase2-path0/block0/script", "ran (")
                .doesNotContain("99", "best so far");
    }

    private static Validation drawn(double score, double... draws) {
        return new Validation("d1", "p", score, score, DoubleStream.of(draws).boxed().toList(), List.of(0.5, 0.6));
    }

    private static StepResult kept(String step, Validation by) {
        Evaluation.Result kept = new Evaluation.Result(
                SolutionScript.unscored("x = 1", SolutionPhase.INIT).scored(Score.by(by)), null, 1,
                null, List.of(), 0, null, null);
        return StepResult.of(new Outcome.Done<>(kept), Instant.EPOCH, Instant.EPOCH, 0.0).with(null,
                List.of(new Scoring(step + "/script", by.search(), by.searchError(), Instant.EPOCH)));
    }

    @Test
    void aScoreOfTheHarnessHasItsErrorAndABestScoreWithinNoiseSaysSo() {
        RunHeader header =
                DrivenRun.start(new MemoryStore(), "r", Program.SHORT, 0).records().header("r").orElseThrow();
        StepRequest asked = StepRequest.of(
                new Evaluation(SolutionScript.unscored("x = 1", SolutionPhase.INIT), RunScript.Kind.SOLUTION),
                Instant.EPOCH,
                Instant.EPOCH);
        List<Validation> scores = List.of(drawn(0.7, 0.69, 0.71), drawn(0.705, 0.68, 0.73), drawn(0.75, 0.73, 0.78));
        try (Progress progress = new Progress(new Records(new MemoryStore()), header,
                new PrintStream(out, true, StandardCharsets.UTF_8), Display.LINES)) {
            for (int i = 0; i < scores.size(); i++) {
                String step = "r/phase1/candidate" + i + "/evaluation";
                progress.ended(header, StepPath.parse(step), asked, kept(step, scores.get(i)));
            }
        }
        assertThat(out.toString(StandardCharsets.UTF_8).lines().filter(line -> line.contains("score")))
                .satisfiesExactly(
                        line -> assertThat(line).contains("score 0.70000 ± 0.014 (1.0 s)  best so far")
                                .doesNotContain("noise"),
                        line -> assertThat(line).contains("score 0.70500 ± 0.035 (1.0 s)  best so far, within noise"),
                        line -> assertThat(line).contains("score 0.75000 ± 0.035 (1.0 s)  best so far")
                                .doesNotContain("noise"));
    }

    @Test
    void aResumedRunKnowsItsBestScore() {
        DrivenRun run = DrivenRun.withScoredStudies(new MemoryStore(), "r", Program.SHORT, 0.01).until("phase1");
        assertThat(shown(run, "phase1/candidate0/evaluation/script", "phase1/candidate0/evaluation",
                "phase1/candidate1/evaluation"))
                .contains("phase1/candidate0/evaluation/script", "phase1/candidate1/evaluation/script")
                .contains("score 0.").doesNotContain("best so far")
                .contains("warning: something");
    }

    @Test
    void anAttemptSaysWhichOneItIsWhatWasSpentAndItsScoreInFiveDigits() {
        DrivenRun run =
                DrivenRun
                        .withScoredStudies(new MemoryStore(), "r",
                                "{\"outer_loop_steps\": 1, \"inner_loop_steps\": 2, \"num_parallel_solutions\": 2,"
                                        + "\"max_budget_usd\": 2}",
                                0.01)
                        .until("phase2-path0/block0/attempt0/evaluation");
        assertThat(
                shown(run, "phase2-path0/block0/attempt0/evaluation/script", "phase2-path0/block0/attempt0/evaluation"))
                .containsPattern(
                        "phase2-path0/block0/attempt0/evaluation/script +score 0\\.[0-9]{5} \\(.*1 of 4 attempts, \\$0\\.[0-9]{4} of \\$2\\.00\n")
                .doesNotContain("to go", "\033");
    }

    @Test
    void aBarAndColoursNeedATerminalThatCanAndAUserWhoWants() {
        assertThat(Display.ofTerminal(Map.of("TERM", "xterm"))).isEqualTo(Display.COLOURS);
        assertThat(Display.ofTerminal(Map.of("TERM", "xterm", "NO_COLOR", "", "CI", ""))).isEqualTo(Display.COLOURS);
        assertThat(Display.ofTerminal(Map.of("TERM", "xterm", "NO_COLOR", "1"))).isEqualTo(Display.BAR);
        assertThat(Display.ofTerminal(Map.of("TERM", "xterm", "CI", "true"))).isEqualTo(Display.LINES);
        assertThat(Display.ofTerminal(Map.of("TERM", "dumb"))).isEqualTo(Display.LINES);
        assertThat(Display.ofTerminal(Map.of())).isEqualTo(Display.LINES);
        assertThat(Display.of(true, Map.of("TERM", "xterm"))).isEqualTo(Display.NOTHING);
    }

    private static Attempts attempts(String config) {
        return new Attempts(DrivenRun.start(new MemoryStore(), "r", config, 0).records().header("r").orElseThrow()
                .config().search());
    }

    private static String said(Attempts attempts, String step, int second, int deadline) {
        return attempts.said(StepPath.parse("r/" + step), BEGIN.plusSeconds(second), BEGIN.plusSeconds(deadline))
                .orElse("nothing");
    }

    private static void ended(Attempts attempts, String step) {
        attempts.ended(StepPath.parse("r/" + step));
    }

    @Test
    void attemptsAreCountedAsTheyEndAndThreeTellHowLongTheRunMayTake() {
        Attempts attempts =
                attempts("{\"num_parallel_solutions\": 2, \"outer_loop_steps\": 4, \"inner_loop_steps\": 4}");
        attempts.begun(StepPath.parse("r/phase1/retriever"), BEGIN);
        attempts.begun(StepPath.parse("r/phase2-path0/block0/attempt0/coder"), BEGIN.plusSeconds(100));
        assertThat(said(attempts, "phase1/candidate0/evaluation/script", 120, 86_400)).isEqualTo("nothing");
        assertThat(said(attempts, "phase2-path0/block0/script", 120, 86_400)).isEqualTo("nothing");
        ended(attempts, "phase2-path1/block0/attempt0/evaluation");
        assertThat(said(attempts, "phase2-path1/block0/attempt0/evaluation/script", 130, 86_400))
                .isEqualTo("1 of 32 attempts");
        assertThat(said(attempts, "phase2-path0/block0/attempt0/evaluation/script", 170, 86_400))
                .as("it crashed, and is repaired")
                .isEqualTo("1 of 32 attempts");
        ended(attempts, "phase2-path0/block0/attempt0/evaluation");
        ended(attempts, "phase2-path0/block0/attempt0");
        assertThat(said(attempts, "phase2-path0/block0/attempt0/evaluation/script-2", 180, 86_400))
                .isEqualTo("2 of 32 attempts");
        ended(attempts, "phase2-path0/block0/attempt1");
        assertThat(said(attempts, "phase2-path0/block0/attempt2/evaluation/script", 280, 86_400))
                .as("29 attempts, then 5 rounds and the last script on one path in place of two")
                .isEqualTo("3 of 32 attempts, about 41 min to go");
    }

    @Test
    void whatAnotherRunMadeCountsAndNoEstimateExceedsTheDeadline() {
        Attempts attempts = attempts(
                "{\"num_parallel_solutions\": 2, \"outer_loop_steps\": 1, \"inner_loop_steps\": 4, \"ensemble_rounds\": 1}");
        ended(attempts, "phase2-path0/block0");
        ended(attempts, "phase2-path0");
        attempts.begun(StepPath.parse("r/phase2-path1/block0/attempt0/coder"), BEGIN);
        for (int i = 0; i < 3; i++) {
            ended(attempts, "phase2-path1/block0/attempt" + i);
        }
        assertThat(said(attempts, "phase2-path1/block0/attempt2/evaluation/script", 980, 1_000))
                .isEqualTo("7 of 8 attempts, about 20 s to go");
    }

    @Test
    void attemptsOnWholeScriptsAreCountedThroughAllLegs() {
        Attempts attempts = attempts("{\"search\": \"strong\", \"num_parallel_solutions\": 3, \"attempts\": 30}");
        for (int i = 0; i < 12; i++) {
            ended(attempts, "phase2/leg0/path" + i % 3 + "-attempt" + i / 3);
        }
        ended(attempts, "phase2/leg0");
        ended(attempts, "phase2/leg1/path0-attempt4/evaluation");
        assertThat(said(attempts, "phase2/leg1/path0-attempt4/evaluation/script", 10, 1_000))
                .isEqualTo("13 of 30 attempts");
        ended(attempts, "phase2/leg1");
        ended(attempts, "phase2/leg2");
        assertThat(said(attempts, "phase2/leg2/path0-attempt9/evaluation/script", 10, 1_000))
                .isEqualTo("30 of 30 attempts");
    }

    private static List<String> log(Records records, String printed, int exitCode, @Nullable String bug) {
        World world = new World(1, 0);
        world.running(job -> {
            boolean isIt = job.step().inside().equals(SCRIPT);
            return isIt || job.script().kind() == Kind.SOLUTION
                    ? execution(isIt ? printed : "", isIt ? null : 0.5, isIt ? exitCode : 0, isIt ? bug : null)
                    : job.execution();
        });
        List<String> log = new ArrayList<>();
        try (Ear ear = new Ear("mle_star",
                line -> log.add(line.getLevel() + " " + new SimpleFormatter().formatMessage(line)))) {
            new OneEngine(records.store(), world, new OneEngine.MovingClock(), new StepLog(() -> 2))
                    .runToTheEnd("{\"num_retrieved_models\": 2}");
        }
        return log;
    }

    private static Execution execution(String printed, @Nullable Double score, int exitCode, @Nullable String bug) {
        return Execution.of(new EvaluationResult(Score.printed(score), printed, "", exitCode, 9, bug != null, bug),
                exitCode < 0, null, bug);
    }

    /// The words are the same in the log, on the terminal, in `show`, in the figures and to the
    /// debugger.
    ///
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
    void theWordsForAnEndingAreTheSameEverywhere(String printed, int exitCode, @Nullable String bug, String ending,
            String event) {
        Records records = new Records(new MemoryStore());
        List<String> log = log(records, printed, exitCode, bug);

        assertThat(shown(records, SCRIPT)).contains(SCRIPT + " ", ending);
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
