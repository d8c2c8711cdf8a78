package io.mlestar.core.survey;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Execution.Submission;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Facts;
import io.mlestar.core.step.Holdout;
import io.mlestar.core.step.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/// The hold-out that a script says it made. What it says quotes untrusted names.
public sealed interface HoldoutReading {
    String BY_AGENT =
            "the metric is computed by the metric.py that an agent wrote, which step survey/coder-metric shows";
    int MOST_FILES = 12;
    int MOST_FOLDS = 20;

    /// These facts with what the script hid.
    Facts in(Facts facts);

    /// A forecast for runs in which an agent is still to write the metric.
    default HoldoutReading planned() {
        return this;
    }

    /// It hid no rows.
    ///
    /// @param isFormless whether no rule finds the form of the data: a `split.py` may know it
    record NoRows(String why, boolean isFormless) implements HoldoutReading {
        @Override
        public Facts in(Facts facts) {
            return facts.hidingNone(why);
        }

        /// The rows that a `split.py` hides in place of this; if it hides none, both reasons.
        ///
        /// @param other why the `split.py` hides none
        public HoldoutReading or(HoldoutReading split, String other) {
            return split instanceof FoundHoldout ? split : both(why, other);
        }
    }

    /// It hid rows.
    ///
    /// @param unscored where no score can be computed yet, why, and on further lines what a
    ///   `metric.py` would see of them; else empty
    record FoundHoldout(Holdout holdout, String unscored) implements HoldoutReading {
        @Override
        public Facts in(Facts facts) {
            return facts.hiding(holdout);
        }

        public boolean needsMetric() {
            return !unscored.isEmpty();
        }

        /// The same rows with a metric that an agent wrote; without it, both reasons.
        ///
        /// @param tried the run in which the rows were kept once more, with the metric
        /// @param why the metric came to nothing
        public HoldoutReading measured(Outcome<Execution> tried, String why) {
            return kept(tried)
                    .map(kept -> measured(digest(kept), BY_AGENT))
                    .orElseGet(() -> both(reason(), why));
        }

        @Override
        public HoldoutReading planned() {
            return needsMetric()
                    ? measured(holdout.digest(),
                            "an agent is asked for the metric, since " + reason())
                    : this;
        }

        private HoldoutReading measured(String digest, String how) {
            return new FoundHoldout(holdout.keptAs(digest, holdout.scheme() + "; " + how), "");
        }

        /// The reason why no score can be computed.
        public String reason() {
            return DataReading.plain(unscored.lines().findFirst().orElse(""));
        }

        /// The tables that a `metric.py` would see.
        public String frames() {
            return unscored.lines().skip(1).collect(Collectors.joining("\n"));
        }
    }

    static HoldoutReading of(Outcome<Execution> hid) {
        if (hid instanceof Outcome.Failed<Execution>(String reason, boolean _)) {
            return new NoRows(DataReading.plain(reason), false);
        }
        String printed = SurveyScripts.output(hid);
        JsonNode said = SurveyScripts.printed(printed, SurveyScripts.LONGEST_HIDING)
                .orElseGet(Json::object);
        return kept(hid).flatMap(kept -> hidden(said, kept)).orElseGet(() -> {
            String why = SurveyScripts.missing(printed)
                    .map(DataReading::plain)
                    .orElseGet(() -> "the program that hides them " + SurveyScripts.why(hid));
            return new NoRows(why, said.path("formless").asBoolean());
        });
    }

    private static Optional<Submission> kept(Outcome<Execution> hid) {
        return hid instanceof Outcome.Done<Execution>(Execution.Ended ended)
                ? Optional.ofNullable(ended.submission())
                : Optional.empty();
    }

    private static String digest(Submission kept) {
        return kept.key().substring(kept.key().lastIndexOf('/') + 1);
    }

    private static HoldoutReading both(String why, String other) {
        return new NoRows(why + "; and " + DataReading.plain(other), false);
    }

    /// Empty if the program did not say what it hid.
    private static Optional<HoldoutReading> hidden(JsonNode said, Submission kept) {
        List<Integer> rows = new ArrayList<>();
        said.path("rows").forEach(count -> rows.add(count.asInt()));
        if (!said.path("scheme").isTextual() || rows.isEmpty() || rows.size() > MOST_FOLDS) {
            return Optional.empty();
        }
        List<String> files = new ArrayList<>();
        said.path("files").forEach(file -> files.add(file.asText()));
        String leftOut = DataReading.plain(said.path("left_out").asText());
        Holdout holdout = new Holdout(digest(kept), DataReading.plain(said.path("scheme").asText()),
                rows, said.path("select").asInt(), said.path("in_time").asBoolean(),
                files.subList(0, Math.min(MOST_FILES, files.size())),
                leftOut.isEmpty() ? null : leftOut);
        return Optional.of(
                new FoundHoldout(holdout, Objects.requireNonNullElse(kept.wrong(), "")));
    }
}
