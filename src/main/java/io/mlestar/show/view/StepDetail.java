package io.mlestar.show.view;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
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
import io.mlestar.show.render.Outline;
import io.mlestar.show.render.PythonCode;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One step whole: its two records, and the texts that people read of it.
///
/// @param result null while it is under way
/// @param program that stored the result; null if it does not say
/// @param texts by name: `prompt`, `system_prompt`, `answer`, `script`, `output`, `traceback`,
///   `plan` and others; what there is of them
@RegisterForReflection
public record StepDetail(
        @JsonIgnore StepView step,
        @JsonIgnore StepRow row,
        StepRequest request,
        Optional<StepResult> result,
        Optional<String> program,
        Map<String, String> texts) {
    /// Characters of a text that a browser bears, and that a terminal shows.
    private static final int LONGEST = 1 << 20;
    private static final int LONGEST_PRINTED = 20_000;
    private static final int MOST_DIFF_ROWS = 400;
    private static final int LONGEST_FACT = 80;
    private static final int LONGEST_REASON = 400;
    private static final Set<String> CODE = Set.of("Script", PhaseReport.PhaseText.BLOCK.heading());
    private static final String LOOKS = "Looks at the data";
    private static final Set<String> OUTPUT = Set.of(LOOKS, "Traceback", "Output", "Errors");

    /// One text under its heading.
    ///
    /// @param cut characters that are not shown
    public record Text(String heading, String content, int cut) {
        Text(String heading, @Nullable String content) {
            this(heading, Objects.requireNonNullElse(content, ""), 0);
        }

        private Text clipped(int most) {
            String all = content.stripTrailing();
            return new Text(heading, Excerpt.clip(all, most), Math.max(0, all.length() - most));
        }

        private String name() {
            return heading.toLowerCase(Locale.ROOT).replace(' ', '_');
        }

        private String asSection() {
            Text printed = clipped(LONGEST_PRINTED);
            return "\n\n## " + heading + "\n\n" + printed.content
                    + (printed.cut == 0
                            ? ""
                            : String.format(Locale.ROOT,
                                    "\n[%,d more characters; --json prints all]", printed.cut));
        }

        public boolean isCode() {
            return CODE.contains(heading);
        }

        /// Its lines as HTML, with the parts of the language marked.
        public List<String> codeLines() {
            return PythonCode.html(content).lines().toList();
        }

        /// The form in which it is shown: prose is wrapped, code has line numbers.
        public String formName() {
            String printed = OUTPUT.contains(heading) ? "output" : "prose";
            return isCode() ? "code" : printed;
        }
    }

    /// Empty if there is no such step.
    public static Optional<StepDetail> of(Records records, StepPath path) {
        return records.known(path).map(known -> {
            StepView step = StepView.of(known);
            Map<String, String> texts = new LinkedHashMap<>();
            written(texts(step)).forEach(text -> texts.put(text.name(), text.content()));
            return new StepDetail(step, StepRow.of(step), known.request(),
                    known.result(), records.endedBy(path), texts);
        });
    }

    private static List<Text> written(Stream<Text> texts) {
        return texts.filter(text -> !text.content().isBlank()).toList();
    }

    private Stream<Text> sections() {
        return texts.entrySet()
                .stream()
                .map(text -> new Text(heading(text.getKey()), text.getValue()));
    }

    private static String heading(String name) {
        return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1).replace('_', ' ');
    }

    private static Stream<Text> texts(StepView step) {
        Stream<Text> found = switch (step.found()) {
            case StepView.Replied(var agent, Answer answer) ->
                Stream.of(new Text("Answer", answer.text()), looked(answer),
                        new Text("Prompt", answer.prompt()),
                        new Text("System prompt", answer.system()));
            case StepView.Executed(var script, Execution execution) -> ran(execution);
            case StepView.Returned<?> returned -> Arrays.stream(PhaseReport.PhaseText.values())
                    .map(text -> new Text(text.heading(),
                            returned.report().texts().getOrDefault(text, "")));
            case StepView.Computed<?> computed -> Stream.empty();
            case StepView.Pending pending -> Stream.empty();
            case StepView.NotDone missed -> Stream.empty();
        };
        return step.step() instanceof RunScript script
                ? Stream.concat(found, Stream.of(new Text("Script", script.content())))
                : found;
    }

    private static Text looked(Answer answer) {
        return new Text(LOOKS,
                answer.looks()
                        .stream()
                        .map(look -> look.script().strip() + "\n\n[shows]\n"
                                + look.output().strip())
                        .collect(Collectors.joining("\n\n[next]\n")));
    }

    private static Stream<Text> ran(Execution execution) {
        EvaluationResult shown = execution.evaluation();
        String bug = execution instanceof Execution.Failed failed ? failed.bug() : "";
        String traceback = shown.errorTraceback() == null ? bug : shown.errorTraceback();
        return Stream.of(new Text("Traceback", traceback), new Text("Output", shown.stdout()),
                new Text("Errors",
                        shown.stderr().strip().equals(traceback.strip()) ? "" : shown.stderr()));
    }

    /// Its texts as a page shows them: none is longer than a browser bears.
    public List<Text> shown() {
        return sections().map(text -> text.clipped(LONGEST)).toList();
    }

    private Text input() {
        return new Text("Input", Outline.of(request.input()));
    }

    private Text given() {
        return new Text("Result",
                step.known().done().map(done -> Outline.of(done.value())).orElse(""));
    }

    /// Texts that few readers want: the input of the step, and what a phase or the harness gave.
    public List<Text> more() {
        Stream<Text> more = switch (step.step()) {
            case RunScript script -> Stream.empty();
            case Agent<?> agent -> Stream.of(input());
            case Arithmetic<?> arithmetic -> Stream.of(input(), given());
            case Phase<?> phase -> Stream.of(input(), given());
        };
        return written(more).stream().map(text -> text.clipped(LONGEST)).toList();
    }

    /// The change that it made, side by side.
    public List<Diffs.DiffRow> diff() {
        return step.revision()
                .map(made -> Diffs.sideBySide(made.before(), made.after(), MOST_DIFF_ROWS))
                .orElse(List.of());
    }

    /// Short values by their names.
    public Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        if (step.found() instanceof StepView.Replied(var agent, Answer answer)) {
            facts.put("Model", Formats.line(answer.usage().model(), LONGEST_FACT));
            facts.put("Tokens in", Formats.tokens(answer.usage().inputTokens()));
            facts.put("Tokens out", Formats.tokens(answer.usage().outputTokens()));
            facts.put("From cache", Formats.tokens(answer.usage().cachedTokens()));
        }
        if (step.step() instanceof RunScript script) {
            facts.put("Kind", script.kind().name().toLowerCase(Locale.ROOT));
            facts.put("Time limit", Formats.duration(script.timeoutSeconds()));
        }
        if (step.found() instanceof StepView.Executed(var script, Execution execution)) {
            facts.put("Exit code", String.valueOf(execution.evaluation().exitCode()));
        }
        program.ifPresent(by -> facts.put("Program", Formats.line(by, LONGEST_FACT)));
        return facts;
    }

    /// The step for a terminal: its figures, then its texts under headings, each cut at a length
    /// that can be read there.
    public String asText() {
        StringBuilder text = new StringBuilder("# ").append(step.path()).append("\n\n");
        figures().forEach((name, value) -> text.append(
                String.format(Locale.ROOT, "%-10s %s%n", name.toLowerCase(Locale.ROOT), value)));
        Stream<Text> texts =
                Stream.of(sections(), Stream.of(change(), missing()), more().stream())
                        .flatMap(part -> part);
        return text.toString().stripTrailing()
                + written(texts).stream().map(Text::asSection).collect(Collectors.joining());
    }

    private Map<String, String> figures() {
        Map<String, String> figures = new LinkedHashMap<>();
        figures.put("Work", request.work());
        figures.put("Status", row.outcome().toString());
        result.filter(end -> !end.isDone())
                .ifPresent(end -> figures.put("Reason",
                        Formats.line(end.reason(), LONGEST_REASON)));
        if (row.score() != null) {
            figures.put("Score", Formats.score(row.score(), row.scoreError()));
        }
        figures.put("Asked", Formats.time(request.askedAt()));
        result.ifPresent(end -> {
            figures.put("Took", row.took(end.endedAt()));
            figures.put("Cost", Formats.dollars(row.costUsd()));
        });
        figures.putAll(facts());
        return figures;
    }

    private Text change() {
        return new Text("What it changed",
                step.revision()
                        .map(made -> String.join("\n",
                                Diffs.unified("before", made.before(), "after", made.after())))
                        .orElse(""));
    }

    private Text missing() {
        return new Text("What is missing",
                step.found() instanceof StepView.Replied replied ? replied.shortfall() : "");
    }

    /// The differences to another step as `diff -u` writes them, text by text; empty if the texts
    /// are the same.
    ///
    /// @throws Invalid if the steps have no kind of text in common
    public List<String> differences(StepDetail other) {
        List<Text> common =
                sections().filter(text -> other.texts.containsKey(text.name())).toList();
        if (common.isEmpty()) {
            throw new Invalid("nothing to compare: " + step.path() + " has " + named() + ", "
                    + other.step.path()
                    + " has " + other.named());
        }
        return common.stream()
                .flatMap(text -> Diffs.unified(row.path() + " (" + words(text.name()) + ")",
                        text.content(), other.row.path() + " (" + words(text.name()) + ")",
                        String.valueOf(other.texts.get(text.name()))).stream())
                .toList();
    }

    private static String words(String name) {
        return name.replace('_', ' ');
    }

    private String named() {
        return texts.isEmpty() ? "no text" : words(String.join(", ", texts.keySet()));
    }
}
