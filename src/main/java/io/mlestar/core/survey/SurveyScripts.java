package io.mlestar.core.survey;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.agent.Prompts;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The scripts of the survey.
public final class SurveyScripts {
    /// Prints what [MachineReading] reads.
    public static final String MACHINE = text("machine.py");

    private static final String DATA =
            joined("card-words.py", "card-columns.py", "card-tables.py", "card-form.py", "card-records.py", "card-files.py", "card-classes.py",
                    "card-links.py", "card.py", "card-pandas.py");

    private static final String FORM = joined("form-tables.py", "form-files.py", "form-labels.py", "form.py");
    private static final int LONGEST_DESCRIPTION = 20_000;

    private SurveyScripts() {}

    /// Prints what [DataReading] reads.
    ///
    /// @param seconds that it may take in all. It prints what it has found after seven tenths of them: a busy machine needs the rest
    public static String dataCard(int seconds) {
        return data(seconds, joined("card-lines.py"));
    }

    /// Prints an object with the figures of the same data: tables, columns, likely targets (`card-shape.py`).
    ///
    /// @param seconds as for the data card
    public static String dataShape(int seconds) {
        return data(seconds, joined("card-shape.py"));
    }

    /// Hides rows, and prints what [HoldoutReading] reads.
    ///
    /// @param seconds as for the data card
    /// @param folds most folds of the rows; one is a part of them
    /// @param description of the task, which may say what names of files mean
    public static String holdout(int seconds, int folds, String description) {
        String begin = description.substring(0, Math.min(LONGEST_DESCRIPTION, description.length()));
        return "FOLDS = " + folds + "\nDESCRIPTION = " + Json.line(begin) + "\n" + data(seconds, FORM, joined("holdout-rows.py", "holdout-views.py",
                "holdout-lines.py", "holdout-files.py", "holdout-cuts.py", "holdout-moments.py", "holdout-likeness.py", "holdout-schemes.py", "holdout.py"));
    }

    /// Prints an object that says what one example of the task is, what names it, and where its files and its label stand (`form.py`).
    ///
    /// @param seconds as for the data card
    public static String form(int seconds) {
        return data(seconds, FORM, joined("form-lines.py"));
    }

    private static String data(int seconds, String... rest) {
        return "SECONDS = " + seconds * 7 / 10.0 + "\n" + DATA + String.join("", rest);
    }

    private static String joined(String... names) {
        return Stream.of(names).map(SurveyScripts::text).collect(Collectors.joining("\n\n", "", "\n\n"));
    }

    /// The object that one of them printed: the last line, whatever a library may have printed before.
    ///
    /// @param longest most characters that are read
    /// @return empty if that is no object, or too long
    public static Optional<JsonNode> printed(String stdout, int longest) {
        String text = stdout.strip();
        String line = text.substring(text.lastIndexOf('\n') + 1);
        if (!line.startsWith("{") || line.length() > longest) {
            return Optional.empty();
        }
        try {
            return Optional.of(Json.parse(line));
        } catch (Invalid e) {
            return Optional.empty();
        }
    }

    private static String text(String name) {
        return Prompts.resourceText("/survey/" + name);
    }
}
