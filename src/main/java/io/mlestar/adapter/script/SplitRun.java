package io.mlestar.adapter.script;

import io.mlestar.adapter.script.isolation.Workspace;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.Harness;
import io.mlestar.core.step.Execution;
import io.mlestar.core.survey.SurveyScripts;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.Score;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/// Hides rows by a task's own `split.py`: asks it twice, each time in a sandbox of its own, and
/// lets the program check in a third one what it gave. All that `split.py` could touch is gone by
/// then but its answer, one file, in which nothing is believed (`survey/split-check.py`).
///
/// @param data that it sees
/// @param longest that each of the three may take
record SplitRun(Sandbox sandbox, Scratch scratch, Path data, Harness harness, Duration longest) {
    /// The number of runs among which the time of the step is divided.
    static final int PARTS = 3;
    private static final String SOURCE = "split.py";
    private static final String PROGRAM = "program.py";
    private static final String ANSWER = "split.json";
    private static final long LARGEST = 512L << 20;

    /// @return the same as if the survey had hidden the rows; if it did not work, with the reason
    ///   both for the survey and for the debugger
    Execution run(String source) throws IOException, InterruptedException {
        Workspace first = workspace();
        Workspace second = workspace();
        Workspace checked = workspace();
        try {
            Sandbox.Raw asked = ask(first, source);
            if (Evaluator.isError(asked)) {
                return failed(asked);
            }
            Sandbox.Raw again = ask(second, source);
            if (Evaluator.isError(again)) {
                return failed(again);
            }
            Path answer = answer(first);
            if (Files.mismatch(answer, answer(second)) >= 0) {
                throw new Invalid(
                        "two runs of it gave different answers: nothing in it may depend on chance, time or the order of folders");
            }
            Files.copy(answer, checked.folder().resolve(ANSWER), LinkOption.NOFOLLOW_LINKS);
            return held(checked);
        } catch (Invalid refusal) {
            return refused(SOURCE, "SplitError", refusal);
        } finally {
            Scratch.remove(first);
            Scratch.remove(second);
            Scratch.remove(checked);
        }
    }

    private Workspace workspace() throws IOException {
        return Workspace.over(scratch.folder(), data);
    }

    private int folds() {
        return harness.context().config().search().mostFolds();
    }

    private Sandbox.Raw ask(Workspace workspace, String source)
            throws IOException, InterruptedException {
        workspace.write(source, SOURCE);
        Files.writeString(workspace.folder().resolve(PROGRAM), SurveyScripts.splitViews(folds()));
        return sandbox.python(workspace, data, PROGRAM, longest);
    }

    /// A link does not count: it might lead anywhere.
    private static Path answer(Workspace workspace) throws IOException {
        Path answer = workspace.finalFolder().resolve(ANSWER);
        boolean isThere = !Files.isSymbolicLink(workspace.finalFolder())
                && Files.isRegularFile(answer, LinkOption.NOFOLLOW_LINKS);
        if (!isThere || Files.size(answer) > LARGEST || !Files.isReadable(answer)) {
            throw new Invalid("it ended without an answer, or with one of more than "
                    + (LARGEST >> 20) + " MB");
        }
        return answer;
    }

    private Execution held(Workspace workspace) throws IOException, InterruptedException {
        String check = SurveyScripts.holdout((int) Math.max(1, longest.toSeconds()), folds(),
                harness.context().task().description());
        Files.writeString(workspace.folder().resolve(PROGRAM), check);
        Sandbox.Raw raw = sandbox.python(workspace, data, PROGRAM, longest);
        Path folder = workspace.finalFolder().resolve("holdout");
        if (Evaluator.isError(raw) || !Files.isDirectory(folder)) {
            throw new Invalid(SurveyScripts.missing(raw.stdout())
                    .orElse("what it gave could not be checked in " + longest.toSeconds()
                            + " seconds"));
        }
        return Execution.of(Evaluator.result(raw), false, harness.hold(folder), "");
    }

    private Execution failed(Sandbox.Raw raw) {
        EvaluationResult result = Evaluator.result(raw);
        String bug = Evaluator.bug(result, "", raw.timedOut(), longest.toSeconds());
        return Execution.of(told(result, SOURCE, Execution.lastLine(bug), bug), raw.timedOut(),
                null, bug);
    }

    /// @param file that the program refused
    /// @param error how the debugger reads it
    static Execution refused(String file, String error, Invalid refusal) {
        String bug = Tracebacks.madeUp("", error + ": " + refusal.getMessage());
        return new Execution.Crashed(
                told(Evaluator.refused(refusal), file, refusal.getMessage(), bug),
                bug);
    }

    private static EvaluationResult told(
            EvaluationResult result,
            String file,
            String why,
            String bug) {
        return new EvaluationResult(Score.NONE, Json.line(Map.of("missing", file + ": " + why)),
                result.stderr(), result.exitCode(), result.durationSeconds(), true, bug);
    }
}
