package io.mlestar.show.view;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.show.render.Diffs;
import io.mlestar.show.render.Formats;
import io.mlestar.show.render.PythonCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// The texts of one step that people read: prompt and answer of an agent, script and output of a run, what a phase tells of what it gave.
///
/// @param texts those that are blank are left out
public record StepTexts(StepPath step, List<Text> texts) {
    /// What a text is, and so how it is shown: prose is wrapped, code has line numbers.
    public enum Form {
        PROSE, CODE, OUTPUT
    }

    /// One text under its heading.
    ///
    /// @param cut characters that are not shown
    public record Text(String heading, Form form, String content, int cut) {
        Text(String heading, Form form, String content) {
            this(heading, form, content, 0);
        }

        /// At most so many characters of it.
        Text clipped(int most) {
            return new Text(heading, form, Formats.clip(content.stripTrailing(), most), Math.max(0, content.length() - most));
        }

        public boolean isCode() {
            return form == Form.CODE;
        }

        /// Its lines as HTML, with the parts of the language marked.
        public List<String> codeLines() {
            return PythonCode.html(content).lines().toList();
        }

        public String formName() {
            return form.name().toLowerCase(Locale.ROOT);
        }
    }

    public static StepTexts of(StepView step) {
        List<Text> texts = new ArrayList<>(switch (step.found()) {
            case StepView.Replied(var agent, Answer answer) -> answered(answer);
            case StepView.Executed(var script, Execution execution) -> ran(execution);
            case StepView.Returned<?> returned -> Arrays.stream(PhaseReport.Text.values()).map(text -> new Text(text.heading(),
                    text.isCode() ? Form.CODE : Form.PROSE, returned.report().texts().getOrDefault(text, ""))).toList();
            case StepView.Pending pending -> List.<Text>of();
            case StepView.NotDone missed -> List.<Text>of();
        });
        if (step.step() instanceof RunScript script) {
            texts.add(new Text("Script", Form.CODE, script.content()));
        }
        texts.removeIf(text -> text.content().isBlank());
        return new StepTexts(step.path(), texts);
    }

    private static List<Text> answered(Answer answer) {
        return List.of(new Text("Answer", Form.PROSE, answer.text()), new Text("Prompt", Form.PROSE, orEmpty(answer.prompt())),
                new Text("System prompt", Form.PROSE, orEmpty(answer.system())));
    }

    private static List<Text> ran(Execution execution) {
        EvaluationResult shown = execution.evaluation();
        String bug = execution instanceof Execution.Failed failed ? failed.bug() : "";
        String traceback = shown.errorTraceback() == null ? bug : shown.errorTraceback();
        return List.of(new Text("Traceback", Form.OUTPUT, traceback), new Text("Output", Form.OUTPUT, shown.stdout()),
                new Text("Errors", Form.OUTPUT, shown.stderr().strip().equals(traceback.strip()) ? "" : shown.stderr()));
    }

    private static String orEmpty(String text) {
        return text == null ? "" : text;
    }

    private Optional<Text> text(String heading) {
        return texts.stream().filter(text -> text.heading().equals(heading)).findFirst();
    }

    /// The differences to another step as `diff -u` writes them, text by text; empty if the texts are the same.
    ///
    /// @throws Invalid if the steps have no kind of text in common
    public List<String> differences(StepTexts other) {
        List<Text> common = texts.stream().filter(text -> other.text(text.heading()).isPresent()).toList();
        if (common.isEmpty()) {
            throw new Invalid("nothing to compare: " + step + " has " + named() + ", " + other.step + " has " + other.named());
        }
        return common.stream().flatMap(text -> {
            String label = " (" + text.heading().toLowerCase(Locale.ROOT) + ")";
            return Diffs.unified(step.inside() + label, text.content(), other.step.inside() + label,
                    other.text(text.heading()).orElseThrow().content()).stream();
        }).toList();
    }

    private String named() {
        return texts.isEmpty() ? "no text" : texts.stream().map(Text::heading).collect(Collectors.joining(", ")).toLowerCase(Locale.ROOT);
    }
}
