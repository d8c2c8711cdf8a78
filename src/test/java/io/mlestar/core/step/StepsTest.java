package io.mlestar.core.step;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.OneEngine;
import io.mlestar.core.engine.World;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.records.Trace;
import io.mlestar.core.step.Execution.Submission;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.Score;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.NullSource;

/// The names of steps, in events and in traces, and the outcomes of steps: a model's answer, or the
/// end of a script, and the JSON form of results, which programs of other languages read too.
class StepsTest {
    private static final Submission SUBMISSION = new Submission("key", 10, 2);
    private static final StepPath CODER = StepPath.parse("titanic-7/phase2-path0/block1/coder");
    private static final StepPath STEP = StepPath.parse("r/phase1/candidate0");
    private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private static Execution execution(Double score, int exitCode, boolean timedOut) {
        boolean error = exitCode != 0;
        EvaluationResult evaluation = new EvaluationResult(Score.printed(score), "", "", exitCode, 1.5, error, null);
        return Execution.of(evaluation, timedOut, error ? null : SUBMISSION,
                error ? "Traceback\nValueError: no\n" : null);
    }

    @Test
    void aScorePrintedBeforeAFailureDoesNotCountAndATimeoutOrASignalIsNoCrash() {
        assertThat(execution(0.9, 0, false)).isInstanceOfSatisfying(Execution.Scored.class, scored -> {
            assertThat(scored.evaluation().score().value()).isEqualTo(0.9);
            assertThat(scored.submission()).isEqualTo(SUBMISSION);
        });
        assertThat(execution(0.9, 1, false)).isInstanceOfSatisfying(Execution.Crashed.class,
                crashed -> assertThat(crashed.error()).isEqualTo("ValueError: no"));
        assertThat(execution(null, 0, false)).isInstanceOf(Execution.Silent.class);
        assertThat(execution(0.9, 143, true)).isInstanceOf(Execution.TimedOut.class);
        assertThat(execution(0.9, 137, false)).isInstanceOf(Execution.Killed.class);
        assertThat(execution(0.9, 128, false)).isInstanceOf(Execution.Crashed.class);
    }

    /// @param printed the last line, and the exit code
    @ParameterizedTest
    @CsvFileSource(resources = "/cases/script-endings.csv", delimiter = '|', quoteCharacter = '^', numLinesToSkip = 1)
    void howAScriptEndedIsSaidInWordsAndOnlyACrashATimeoutOrATracebackIsAnError(String printed, int exitCode,
            String bug, String ending, boolean isError) {
        EvaluationResult evaluation =
                new EvaluationResult(Score.NONE, "epoch 1\n" + printed + "\n", "", exitCode, 1_234.5, bug != null, bug);
        Execution execution = Execution.of(evaluation, exitCode < 0, null, bug);
        assertThat(execution.ending(Kind.SOLUTION)).isEqualTo(ending);
        assertThat(execution.isError()).isEqualTo(isError);
        assertThat(execution.reason(Kind.SOLUTION)).isEqualTo(ending.replaceFirst("^crashed: ", ""));
    }

    @Test
    void onlyASolutionHasToPrintItsScore() {
        assertThat(execution(null, 0, false).ending(Kind.ABLATION)).isEqualTo("ran");
        assertThat(execution(null, 0, false).ending(Kind.SUBMISSION)).isEqualTo("ran");
        assertThat(execution(0.5, 0, false).ending(Kind.SOLUTION)).isEqualTo("ran");
    }

    @Test
    void theInnermostFramesOfTheScriptStandInPlaceOfTheDump() {
        String library =
                "\n\nThread 0x1:\n  File \"/lib.py\", line 1 in deep\n  File \"./variants.py\", line 2 in run\n";
        String dump = "Fatal Python error: Aborted" + library + library
                + "  File \"./study.py\", line 2 in fit\n".repeat(50);

        String shortened = StackDump.shortened("warning\n" + dump, "first\n" + "x".repeat(500));

        assertThat(shortened).startsWith("warning\n  File \"./study.py\", line 2, in fit\n    xxx")
                .hasSizeLessThan(1_500);
        assertThat(StackDump.place(shortened)).startsWith(", in line 2: xxx");
    }

    private static EvaluationResult shown(Double score, int exitCode) {
        return new EvaluationResult(Score.printed(score), "out", "err", exitCode, 1.5, exitCode != 0, null);
    }

    private static StepResult again(StepResult result) {
        return Json.read(Json.parse(Json.bytes(result)), StepResult.class);
    }

    @Test
    void whateverAScriptShowedIsReadAsItWasWritten() {
        List<Execution> shown = List.of(new Execution.Scored(shown(0.9, 0), new Submission("key", 10, 2)),
                new Execution.Silent(shown(null, 0), null),
                new Execution.Crashed(shown(0.9, 1), "bug"), new Execution.TimedOut(shown(null, -1), "bug"),
                new Execution.Killed(shown(null, 137), "bug"));
        assertThat(shown).allSatisfy(execution -> assertThat(again(
                StepResult.of(new Outcome.Done<>(execution), World.NOW, World.NOW, 0.0)).done().orElseThrow()
                .execution()).isEqualTo(execution));
    }

    @Test
    void itsFieldsAreThoseOfEveryResult() {
        StepResult ran = StepResult.of(new Outcome.Done<>(new Execution.Crashed(shown(null, 1), "bug")), World.NOW,
                World.NOW, 0.0);
        assertThat(Json.tree(ran).fieldNames()).toIterable()
                .containsExactly("status", "value", "reason", "started_at", "ended_at", "cost_usd", "shared_with",
                        "totals", "scorings");
        assertThat(Json.tree(ran).path("status").asText()).isEqualTo("done");
        assertThat(Json.tree(ran).path("value").fieldNames()).toIterable().containsExactly("evaluation", "timed_out",
                "submission", "bug");
    }

    private static String said(String text) {
        return new Answer(text, new Answer.Usage("m", 1, 1, 0, null, 0), null, "", "").said();
    }

    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = "/cases/thoughts.csv", delimiter = '|', quoteCharacter = '^', numLinesToSkip = 1)
    void whatAModelSaysToItselfIsNotItsAnswer(String name, String text, String said) {
        assertThat(said(text.translateEscapes())).isEqualTo(said.translateEscapes());
    }

    @Test
    void longThoughtsAreNoTrouble() {
        assertThat(said("word ".repeat(400_000) + "\n</think>Yes.")).isEqualTo("Yes.");
    }

    @Test
    void halvesNoCharacter() {
        assertThat(UnreadableAnswer.of("no code", "ab\uD83D\uDE42cd", 3)).hasMessage("no code; the answer began: ab…");
    }

    @Test
    void theIdFollowsFromTheStepAndTheCause() {
        String type = Event.phaseType("outer-step");
        assertThat(Event.work(type, CODER, "asked")).isEqualTo(Event.work(type, CODER, "asked"));
        assertThat(Event.work(type, CODER, "asked").id()).isNotEqualTo(Event.work(type, CODER, "asked-2").id())
                .isNotEqualTo(Event.work(type, CODER.parent().orElseThrow(), "asked").id());
    }

    @Test
    void isAClaimCheckThatNamesRunAndStepOfThatRun() {
        Event event = Event.work(Event.SCRIPT, CODER, "asked");
        assertThat(event.subject()).isEqualTo("titanic-7/phase2-path0/block1/coder");
        assertThat(event.data())
                .isEqualTo(
                        Json.parse("{\"run_id\": \"titanic-7\", \"step\": \"titanic-7/phase2-path0/block1/coder\"}"));
        assertThat(Event.stepOf(event.data())).isEqualTo(CODER);
        refusal(() -> Event.stepOf(Json.parse("{\"run_id\": \"other\", \"step\": \"titanic-7/phase1\"}")))
                .contains("other", "titanic-7/phase1");
    }

    @Test
    void headersAreThoseOfBinaryModeWithoutATimeAndWithASourceThatFitsALabel() {
        Event event = Event.work(Event.SCRIPT, CODER, "asked");
        assertThat(event.headers())
                .containsOnlyKeys("ce-specversion", "ce-type", "ce-id", "ce-source", "ce-subject", "Content-Type")
                .containsEntry("ce-specversion", "1.0").containsEntry("ce-type", Event.SCRIPT)
                .containsEntry("ce-id", event.id())
                .containsEntry("ce-subject", CODER.toString()).containsEntry("Content-Type", "application/json");
        assertThat(Event.SOURCE).matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    }

    @ParameterizedTest
    @NullSource
    @CsvFileSource(resources = "/cases/no-step.csv", delimiter = '|', quoteCharacter = '^', numLinesToSkip = 1)
    void dataThatNamesNoStepIsRefused(String data) {
        assertThatThrownBy(() -> Event.stepOf(data == null ? null : Json.parse(data))).isInstanceOf(Invalid.class);
    }

    @ParameterizedTest
    @CsvSource({"titanic-7, '', ''", "titanic-7/phase1, phase1, ''",
        "a.b_C/phase2-path0/block1/coder-2, coder-2, phase2-path0/block1"})
    void aPathSaysItsNameAndItsParent(String text, String name, String parent) {
        StepPath path = StepPath.parse(text);

        assertThat(path).hasToString(text);
        assertThat(path.name()).isEqualTo(name);
        assertThat(path.parent().map(StepPath::inside).orElse("")).isEqualTo(parent);
        path.parent().ifPresent(above -> assertThat(above.child(name)).isEqualTo(path));
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/cases/no-path.csv", delimiter = '|', quoteCharacter = '^', numLinesToSkip = 1)
    void whatCouldLeaveTheRunsFolderIsNoPath(String text) {
        assertThatThrownBy(() -> StepPath.parse(text.translateEscapes())).isInstanceOf(Invalid.class);
    }

    @Test
    void whatIsAPathIsWhatTheseExpressionsSay() {
        Random random = new Random(1);
        String[] pieces = {"a", "z", "0", "9", "A", "-", "_", ".", "/", "/", "b/c", "{", "`", "@", ":", "d".repeat(61),
            "a/a/a/a/a"};
        for (int i = 0; i < 20_000; i++) {
            String text = random.ints(random.nextInt(8), 0, pieces.length).mapToObj(piece -> pieces[piece])
                    .collect(Collectors.joining());
            boolean run = text.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,62}") && !text.contains("..");
            boolean inside = text.matches("(?:[a-z0-9][a-z0-9_-]{0,62}(?:/(?!$)|$)){0,12}");

            assertThat(isPath(text, "")).as(text).isEqualTo(run);
            assertThat(isPath("r", text)).as(text).isEqualTo(inside);
        }
    }

    private static boolean isPath(String run, String inside) {
        try {
            return new StepPath(run, inside).inside().equals(inside);
        } catch (Invalid e) {
            return false;
        }
    }

    @Test
    void longNamesAreRefused() {
        assertThat(StepPath.root("r".repeat(63)).child("s".repeat(63)).name()).hasSize(63);
        refusal(() -> StepPath.root("r".repeat(64))).startsWith("run_id must be");
        assertThatThrownBy(() -> StepPath.root("r").child("s".repeat(64))).isInstanceOf(Invalid.class);
        assertThatThrownBy(() -> new StepPath(null, "")).isInstanceOf(Invalid.class);
        assertThatThrownBy(() -> new StepPath("r", null)).isInstanceOf(Invalid.class);
    }

    @Test
    void theTopOfAStepIsThePhaseOfThePipelineThatHoldsIt() {
        StepPath path = StepPath.parse("r/phase2-path1/block0/coder");

        assertThat(path.top()).isEqualTo(StepPath.parse("r/phase2-path1"));
        assertThat(path.top().top()).isEqualTo(path.top());
        assertThat(path.top().isTop()).isTrue();
        assertThat(path.isTop()).isFalse();
        assertThat(StepPath.root("r").top()).isEqualTo(StepPath.root("r"));
        assertThat(StepPath.root("r").isTop()).isFalse();
    }

    @Test
    void allProcessesNameTheSameSpans() {
        Trace one = Trace.of(World.header("r", "{}"));
        Trace other = Trace.of(World.header("r", "{}"));
        assertThat(one.id()).isEqualTo(other.id()).matches("[0-9a-f]{32}");
        assertThat(one.span(STEP)).isEqualTo(other.span(STEP)).matches("[0-9a-f]{16}");
        assertThat(one.parent(STEP)).contains(one.span(StepPath.parse("r/phase1")));
        assertThat(one.parent(StepPath.root("r"))).isEmpty();
        assertThat(Trace.of(World.header("s", "{}")).id()).isNotEqualTo(one.id());
        assertThat(one.context(STEP)).isEqualTo(Map.of("traceparent", "00-" + one.id() + "-" + one.span(STEP) + "-01"));
    }

    @Test
    void aRunRequestedInATraceStaysInItInAllProcesses() {
        OneEngine one = new OneEngine();
        one.records.join("r", Trace.parse(PARENT, "vendor=1").orElseThrow());
        one.records.join("r", Trace.parse(PARENT.replace("0af7", "ffff"), "").orElseThrow());
        assertThat(one.records.trace("r")).as("no such run yet").isEmpty();
        one.records.create(World.header("r", "{}"));
        Trace trace = one.records.trace("r").orElseThrow();
        assertThat(trace)
                .isEqualTo(new Trace("0af7651916cd43dd8448eb211c80319c", Optional.of("b7ad6b7169203331"), true,
                        "vendor=1"));
        assertThat(trace.parent(StepPath.root("r"))).contains("b7ad6b7169203331");
        assertThat(trace.context(STEP)).containsEntry("tracestate", "vendor=1");
    }

    @Test
    void whatTheCallerDoesNotRecordIsNotRecorded() {
        Trace trace = Trace.parse(PARENT.replaceFirst("01$", "00"), null).orElseThrow();
        assertThat(trace.sampled()).isFalse();
        assertThat(trace.context(STEP).get("traceparent")).endsWith("-00");
    }

    @ParameterizedTest
    @NullAndEmptySource
    @CsvFileSource(resources = "/cases/no-trace.csv", delimiter = '|', quoteCharacter = '^', numLinesToSkip = 1)
    void whatIsNoContextStartsATraceOfItsOwn(String traceparent) {
        assertThat(Trace.parse(traceparent, "")).isEmpty();
    }

    @Test
    void aLaterVersionIsReadAsFarAsItIsUnderstoodAndAHostileStateIsDropped() {
        assertThat(Trace.parse("01" + PARENT.substring(2) + "-more", "a=b\r\nx-evil: 1")).contains(
                new Trace("0af7651916cd43dd8448eb211c80319c", Optional.of("b7ad6b7169203331"), true, ""));
        assertThat(Trace.parse(PARENT, "a=" + "b".repeat(600)).orElseThrow().state()).isEmpty();
    }
}
