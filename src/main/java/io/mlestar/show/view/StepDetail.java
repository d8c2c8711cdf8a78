package io.mlestar.show.view;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Arithmetic;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.show.render.Diffs;
import io.mlestar.show.render.Formats;
import io.mlestar.show.render.PythonCode;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One step whole, with the texts that people read of it.
///
/// @param program that stored the result; null if it does not say
/// @param texts prompt and answer of an agent, script and output of a run, what a phase tells of what it gave; none is blank
public record StepDetail(StepView step, StepRow row, @Nullable String program, List<Text> texts) {
    private static final int LONGEST = 1 << 20;
    private static final int MOST_DIFF_ROWS = 400;
    private static final int LONGEST_PROGRAM = 80;

    /// What a text is, and so how it is shown: prose is wrapped, code has line numbers.
    public enum Form {
        PROSE, CODE, OUTPUT
    }

    /// One text under its heading.
    ///
    /// @param cut characters that are not shown
    public record Text(String heading, Form form, String content, int cut) {
        Text(String heading, Form form, @Nullable String content) {
            this(heading, form, Objects.requireNonNullElse(content, ""), 0);
        }

        private Text clipped() {
            return new Text(heading, form, Formats.clip(content.stripTrailing(), LONGEST), Math.max(0, content.length() - LONGEST));
        }

        private String words() {
            return heading.toLowerCase(Locale.ROOT);
        }

        private String asSection() {
            return "\n## " + heading + "\n\n" + content.stripTrailing() + "\n";
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

    /// One step as programs are told it: its two records, and the texts that people read of it.
    ///
    /// @param result null while it is under way
    /// @param program that stored the result; null if it does not say
    /// @param texts by name: `prompt`, `system_prompt`, `answer`, `script`, `output`, `traceback`, `plan` and others; what there is of them
    @RegisterForReflection
    public record WholeStep(StepRequest request, @Nullable StepResult result, @Nullable String program, Map<String, String> texts) {}

    /// Empty if there is no such step.
    public static Optional<StepDetail> of(Records records, StepPath path) {
        return records.known(path).map(StepView::of)
                .map(step -> new StepDetail(step, StepRow.of(step), records.endedBy(path).orElse(null), written(texts(step))));
    }

    private static List<Text> written(Stream<Text> texts) {
        return texts.filter(text -> !text.content().isBlank()).toList();
    }

    private static Stream<Text> texts(StepView step) {
        Stream<Text> found = switch (step.found()) {
            case StepView.Replied(var agent, Answer answer) -> Stream.of(new Text("Answer", Form.PROSE, answer.text()),
                    looked(answer), new Text("Prompt", Form.PROSE, answer.prompt()), new Text("System prompt", Form.PROSE, answer.system()));
            case StepView.Executed(var script, Execution execution) -> ran(execution);
            case StepView.Returned<?> returned -> Arrays.stream(PhaseReport.PhaseText.values())
                    .map(text -> new Text(text.heading(), text.isCode() ? Form.CODE : Form.PROSE, returned.report().texts().getOrDefault(text, "")));
            case StepView.Computed<?> computed -> Stream.empty();
            case StepView.Pending pending -> Stream.empty();
            case StepView.NotDone missed -> Stream.empty();
        };
        return step.step() instanceof RunScript script ? Stream.concat(found, Stream.of(new Text("Script", Form.CODE, script.content()))) : found;
    }

    private static Text looked(Answer answer) {
        return new Text("Looks at the data", Form.OUTPUT, answer.looks().stream().map(look -> look.script().strip() + "\n\n[shows]\n" + look.output().strip())
                .collect(Collectors.joining("\n\n[next]\n")));
    }

    private static Stream<Text> ran(Execution execution) {
        EvaluationResult shown = execution.evaluation();
        String bug = execution instanceof Execution.Failed failed ? failed.bug() : "";
        String traceback = shown.errorTraceback() == null ? bug : shown.errorTraceback();
        return Stream.of(new Text("Traceback", Form.OUTPUT, traceback), new Text("Output", Form.OUTPUT, shown.stdout()),
                new Text("Errors", Form.OUTPUT, shown.stderr().strip().equals(traceback.strip()) ? "" : shown.stderr()));
    }

    /// Its texts as a page shows them: none is longer than a browser bears.
    public List<Text> shown() {
        return texts.stream().map(Text::clipped).toList();
    }

    private Text input() {
        return new Text("Input", Form.PROSE, Json.text(step.known().request().input()));
    }

    private Text result() {
        return new Text("Result", Form.PROSE, step.known().done().map(done -> Json.text(done.value())).orElse(""));
    }

    /// What few will want to see: the step's input, and what a phase or the harness gave.
    public List<Text> more() {
        return written(switch (step.step()) {
            case RunScript script -> Stream.empty();
            case Agent<?> agent -> Stream.of(input());
            case Arithmetic<?> arithmetic -> Stream.of(input(), result());
            case Phase<?> phase -> Stream.of(input(), result());
        }).stream().map(Text::clipped).toList();
    }

    /// What it changed, side by side.
    public List<Diffs.DiffRow> diff() {
        return step.found() instanceof StepView.Returned<?> returned
                ? returned.revision().map(made -> Diffs.sideBySide(made.before(), made.after(), MOST_DIFF_ROWS)).orElse(List.of()) : List.of();
    }

    /// Short values by their names.
    public Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        if (step.found() instanceof StepView.Replied(var agent, Answer answer)) {
            facts.put("Model", answer.usage().model());
            facts.put("Tokens in", tokens(answer.usage().inputTokens()));
            facts.put("Tokens out", tokens(answer.usage().outputTokens()));
            facts.put("From cache", tokens(answer.usage().cachedTokens()));
        }
        if (step.step() instanceof RunScript script) {
            facts.put("Kind", script.kind().name().toLowerCase(Locale.ROOT));
            facts.put("Time limit", Formats.duration(script.timeoutSeconds()));
        }
        if (step.found() instanceof StepView.Executed(var script, Execution execution)) {
            facts.put("Exit code", String.valueOf(execution.evaluation().exitCode()));
        }
        if (program != null) {
            facts.put("Program", Formats.line(program, LONGEST_PROGRAM));
        }
        return facts;
    }

    private static String tokens(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    public WholeStep whole() {
        Map<String, String> byName = new LinkedHashMap<>();
        texts.forEach(text -> byName.put(text.words().replace(' ', '_'), text.content()));
        return new WholeStep(step.known().request(), step.result().orElse(null), program, byName);
    }

    /// All of it for a terminal: what was asked, with the prompt, and what came back.
    public String asText() {
        StepRequest request = step.known().request();
        StringBuilder text = new StringBuilder("# ").append(step.path()).append("\n\nwork   ").append(request.work())
                .append("\nasked  ").append(request.askedAt()).append("\nstatus ").append(step.result()
                        .map(known -> known.status().name().toLowerCase(Locale.ROOT)).orElse(StepState.RUNNING.words()))
                .append('\n');
        step.result().map(StepResult::reason).ifPresent(reason -> text.append("reason ").append(reason).append('\n'));
        text.append(program == null ? "" : "by     mlestar " + program + "\n");
        Stream<Text> sections = switch (step.found()) {
            case StepView.Pending pending -> Stream.of(input());
            case StepView.NotDone missed -> Stream.of(input());
            case StepView.Returned<?> returned -> Stream.of(input(), result());
            case StepView.Computed<?> computed -> Stream.of(input(), result());
            case StepView.Executed executed -> texts.stream();
            case StepView.Replied replied -> Stream.concat(texts.stream(), Stream.of(new Text("What is missing", Form.PROSE, replied.shortfall()),
                    new Text("Usage", Form.PROSE, Json.text(replied.answer().usage()))));
        };
        written(sections).forEach(section -> text.append(section.asSection()));
        return text.toString().stripTrailing();
    }

    /// The differences to another step as `diff -u` writes them, text by text; empty if the texts are the same.
    ///
    /// @throws Invalid if the steps have no kind of text in common
    public List<String> differences(StepDetail other) {
        Map<String, String> after = other.texts.stream().collect(Collectors.toMap(Text::heading, Text::content));
        List<Text> common = texts.stream().filter(text -> after.containsKey(text.heading())).toList();
        if (common.isEmpty()) {
            throw new Invalid("nothing to compare: " + step.path() + " has " + named() + ", " + other.step.path() + " has " + other.named());
        }
        return common.stream().flatMap(text -> Diffs.unified(step.path().inside() + " (" + text.words() + ")", text.content(),
                other.step.path().inside() + " (" + text.words() + ")", String.valueOf(after.get(text.heading()))).stream()).toList();
    }

    private String named() {
        return texts.isEmpty() ? "no text" : texts.stream().map(Text::words).collect(Collectors.joining(", "));
    }
}
