package io.mlestar.show.view;

import io.mlestar.core.base.Json;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepPath;
import io.mlestar.show.render.Diffs;
import io.mlestar.show.render.Formats;
import io.mlestar.show.view.StepTexts.Form;
import io.mlestar.show.view.StepTexts.Text;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// All that is known of one step, to be read by people.
///
/// @param facts short values by their names
/// @param texts prompt, answer, script, output, traceback: what there is of them
/// @param diff what it changed, side by side
/// @param more what few will want to see: the step's input, and a phase's result
public record StepDetail(StepRow row, Map<String, String> facts, List<Text> texts, List<Diffs.DiffRow> diff, List<Text> more) {
    private static final int LONGEST = 1 << 20;
    private static final int MOST_DIFF_ROWS = 400;
    private static final int LONGEST_PROGRAM = 80;

    /// Empty if there is no such step.
    public static Optional<StepDetail> of(Records records, StepPath path) {
        return records.known(path).map(StepView::of).map(step -> {
            Text input = new Text("Input", Form.PROSE, step.step() instanceof RunScript ? "" : Json.text(step.known().request().input()));
            Text result = new Text("Result", Form.PROSE, step.known().done().filter(done -> step.step() instanceof Phase<?>)
                    .map(done -> Json.text(done.value())).orElse(""));
            return new StepDetail(StepRow.of(step), facts(records, step), clipped(StepTexts.of(step).texts().stream()), diff(step),
                    clipped(Stream.of(input, result).filter(text -> !text.content().isBlank())));
        });
    }

    private static List<Text> clipped(Stream<Text> texts) {
        return texts.map(text -> text.clipped(LONGEST)).toList();
    }

    private static List<Diffs.DiffRow> diff(StepView step) {
        return step.found() instanceof StepView.Returned<?> returned
                ? returned.revision().map(made -> Diffs.sideBySide(made.before(), made.after(), MOST_DIFF_ROWS)).orElse(List.of()) : List.of();
    }

    private static Map<String, String> facts(Records records, StepView step) {
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
        records.endedBy(step.path()).ifPresent(program -> facts.put("Program", Formats.line(program, LONGEST_PROGRAM)));
        return facts;
    }

    private static String tokens(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }
}
