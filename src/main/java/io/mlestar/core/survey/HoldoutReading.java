package io.mlestar.core.survey;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.step.Execution.Submission;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Reads what a script printed that hides rows, which quotes untrusted names.
///
/// @param holdout null if no rows are hidden
/// @param missing why not; null if they are, or were not to be
/// @param isFormless whether they are not since no rule finds the form of the data: a `split.py`
///   may know it
/// @param unscored where they are hidden and no score can be computed yet, why, and on further
///   lines what a `metric.py` would see of them; else null
public record HoldoutReading(
        @Nullable Holdout holdout,
        @Nullable String missing,
        boolean isFormless,
        @Nullable String unscored) {
    public static final HoldoutReading NONE = none(null);
    private static final String BY_AGENT =
            "the metric is computed by the metric.py that an agent wrote, which step survey/coder-metric shows";
    private static final int MOST_FILES = 12;
    private static final int MOST_FOLDS = 20;

    public static HoldoutReading of(Outcome<Execution> hid) {
        if (hid instanceof Outcome.Failed<Execution>(String reason, boolean _)) {
            return none(DataReading.plain(reason));
        }
        String printed = hid.done().map(ran -> ran.evaluation().stdout()).orElse("");
        Submission kept = kept(hid);
        HoldoutReading read = read(printed, kept == null ? null : digest(kept),
                "the program that hides them " + SurveyScripts.why(hid));
        return new HoldoutReading(read.holdout, read.missing, read.isFormless,
                read.holdout == null || kept == null ? null : kept.wrong());
    }

    private static @Nullable Submission kept(Outcome<Execution> hid) {
        return hid instanceof Outcome.Done<Execution>(Execution.Ended ended)
                ? ended.submission()
                : null;
    }

    private static HoldoutReading hidden(Holdout holdout) {
        return new HoldoutReading(holdout, null, false, null);
    }

    private static HoldoutReading none(@Nullable String missing) {
        return new HoldoutReading(null, missing, false, null);
    }

    private static String digest(Submission kept) {
        return kept.key().substring(kept.key().lastIndexOf('/') + 1);
    }

    /// @param digest of what was kept; null if nothing was
    /// @param otherwise why there is nothing, if the program says no reason
    private static HoldoutReading read(String printed, @Nullable String digest, String otherwise) {
        Optional<JsonNode> said = SurveyScripts.printed(printed, SurveyScripts.LONGEST_HIDING);
        List<Integer> rows = new ArrayList<>();
        said.ifPresent(one -> one.path("rows").forEach(count -> rows.add(count.asInt())));
        if (digest == null || said.isEmpty() || !said.get().path("scheme").isTextual()
                || rows.isEmpty()
                || rows.size() > MOST_FOLDS) {
            return new HoldoutReading(null,
                    SurveyScripts.missing(printed).map(DataReading::plain).orElse(otherwise),
                    said.isPresent() && said.get().path("formless").asBoolean(), null);
        }
        List<String> files = new ArrayList<>();
        said.get().path("files").forEach(file -> files.add(file.asText()));
        String leftOut = DataReading.plain(said.get().path("left_out").asText());
        return hidden(new Holdout(digest, DataReading.plain(said.get().path("scheme").asText()),
                rows, said.get().path("select").asInt(), said.get().path("in_time").asBoolean(),
                files.subList(0, Math.min(MOST_FILES, files.size())),
                leftOut.isEmpty() ? null : leftOut));
    }

    /// The rows that a `split.py` hides in place of this; if it hides none, both reasons.
    ///
    /// @param why the `split.py` hides none
    public HoldoutReading or(HoldoutReading split, String why) {
        return split.holdout() != null ? split : none(missing + "; and " + DataReading.plain(why));
    }

    /// The same rows with a metric that an agent wrote; without rows or metric, both reasons.
    ///
    /// @param tried the run in which the rows were kept once more, with the metric
    /// @param why the metric came to nothing
    public HoldoutReading measured(Outcome<Execution> tried, String why) {
        Submission kept = kept(tried);
        return holdout == null || kept == null
                ? none(reason() + "; and " + DataReading.plain(why))
                : hidden(holdout.keptAs(digest(kept), holdout.scheme() + "; " + BY_AGENT));
    }

    /// A forecast for runs in which an agent is still to write the metric.
    public HoldoutReading planned() {
        return holdout == null || unscored == null
                ? this
                : hidden(holdout.keptAs(holdout.digest(),
                        holdout.scheme() + "; an agent is asked for the metric, since "
                                + reason()));
    }

    /// The reason why no score can be computed.
    public String reason() {
        return DataReading.plain(String.valueOf(unscored).lines().findFirst().orElse(""));
    }

    /// The tables that a `metric.py` would see.
    public String frames() {
        return String.valueOf(unscored).lines().skip(1).collect(Collectors.joining("\n"));
    }
}
