package io.mlestar.show.view;

import io.mlestar.core.records.Records;
import io.mlestar.core.records.StepRequest;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.StepPath;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One step as programs are told it: its two records, and the texts that people read of it.
///
/// @param result null while it is under way
/// @param program that stored the result; null if it does not say
/// @param texts by name: `prompt`, `system_prompt`, `answer`, `script`, `output`, `traceback`, `plan` and others; what there is of them
public record WholeStep(StepRequest request, StepResult.@Nullable Stored result, @Nullable String program, Map<String, String> texts) {
    /// Empty if there is no such step.
    public static Optional<WholeStep> of(Records records, StepPath path) {
        return records.known(path).map(known -> {
            Map<String, String> texts = new LinkedHashMap<>();
            StepTexts.of(StepView.of(known)).texts().forEach(text -> texts.put(text.heading().toLowerCase(Locale.ROOT).replace(' ', '_'), text.content()));
            return new WholeStep(known.request(), known.result().map(StepResult::stored).orElse(null), records.endedBy(path).orElse(null), texts);
        });
    }
}
