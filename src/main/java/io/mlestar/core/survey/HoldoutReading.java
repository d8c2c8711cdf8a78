package io.mlestar.core.survey;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads what a script printed that hides rows, which quotes untrusted names.
///
/// @param holdout null if no rows are hidden
/// @param missing why not; null if they are, or were not to be
/// @param isFormless whether they are not since no rule finds the form of the data: a `split.py` may know it
public record HoldoutReading(@Nullable Holdout holdout, @Nullable String missing, boolean isFormless) {
    public static final HoldoutReading NONE = new HoldoutReading(null, null, false);
    private static final int MOST_FILES = 12;
    private static final int MOST_FOLDS = 20;

    public static HoldoutReading of(Outcome<Execution> hid) {
        if (hid instanceof Outcome.Failed<Execution>(String reason, boolean _)) {
            return new HoldoutReading(null, DataReading.plain(reason), false);
        }
        String printed = hid instanceof Outcome.Done<Execution>(Execution ran) ? ran.evaluation().stdout() : "";
        Execution.Submission kept = hid instanceof Outcome.Done<Execution>(Execution.Ended ended) ? ended.submission() : null;
        return read(printed, kept == null ? null : kept.key().substring(kept.key().lastIndexOf('/') + 1),
                "the program that hides them " + SurveyScripts.why(hid));
    }

    /// @param digest of what was kept; null if nothing was
    /// @param otherwise why there is nothing, if the program says no reason
    private static HoldoutReading read(String printed, @Nullable String digest, String otherwise) {
        Optional<JsonNode> said = SurveyScripts.printed(printed, SurveyScripts.LONGEST_HIDING);
        List<Integer> rows = new ArrayList<>();
        said.ifPresent(one -> one.path("rows").forEach(count -> rows.add(count.asInt())));
        if (digest == null || said.isEmpty() || !said.get().path("scheme").isTextual() || rows.isEmpty() || rows.size() > MOST_FOLDS) {
            return new HoldoutReading(null, SurveyScripts.missing(printed).map(DataReading::plain).orElse(otherwise),
                    said.isPresent() && said.get().path("formless").asBoolean());
        }
        List<String> files = new ArrayList<>();
        said.get().path("files").forEach(file -> files.add(file.asText()));
        return new HoldoutReading(new Holdout(digest, DataReading.plain(said.get().path("scheme").asText()),
                rows, said.get().path("select").asInt(), said.get().path("in_time").asBoolean(), files.subList(0, Math.min(MOST_FILES, files.size())),
                Optional.of(DataReading.plain(said.get().path("left_out").asText())).filter(text -> !text.isEmpty()).orElse(null)), null, false);
    }

    /// What this and a `split.py` in its place came to.
    ///
    /// @param why it came to nothing
    public HoldoutReading or(HoldoutReading split, String why) {
        return split.holdout() != null ? split : new HoldoutReading(null, missing + "; and " + DataReading.plain(why), false);
    }
}
