package io.mlestar.core.survey;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.agent.Prompts;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The scripts of the survey.
public final class SurveyScripts {
    /// Prints what [MachineReading] reads.
    public static final String MACHINE = text("machine.py");

    private static final String DATA =
            joined("card-words.py", "card-columns.py", "card-tables.py", "card-form.py", "card-records.py", "card-files.py", "card-classes.py",
                    "card-links.py", "form-roles.py", "form-tables.py", "form-files.py", "form-labels.py", "form.py", "card.py", "card-pandas.py");

    private static final int LONGEST_DESCRIPTION = 20_000;

    private SurveyScripts() {}

    /// Prints what [DataReading] reads.
    ///
    /// @param seconds that it may take in all. It prints what it has found after seven tenths of them: a busy machine needs the rest
    public static String dataCard(int seconds) {
        return data(seconds, null, List.of()) + joined("card-lines.py");
    }

    /// Hides rows, and prints what [HoldoutReading] reads.
    ///
    /// @param seconds as for the data card
    /// @param folds most folds of the rows; one is a part of them
    /// @param description of the task, which may say what names of files mean
    public static String holdout(int seconds, int folds, String description) {
        return "FOLDS = " + folds + "\n" + data(seconds, description, List.of()) + joined("holdout-rows.py", "holdout-views.py",
                "holdout-lines.py", "holdout-files.py", "holdout-cuts.py", "holdout-moments.py", "holdout-likeness.py", "holdout-schemes.py", "holdout.py");
    }

    /// Prints an object that says what one example of the task is, what names it, and where its files and its label stand (`form.py`), and what a task file may
    /// say of it (`form-task.py`).
    ///
    /// @param seconds as for the data card
    /// @param description of the task, which may say what names of files mean; null if it is not known
    /// @param targets columns to be predicted, if a user names them
    public static String form(int seconds, @Nullable String description, List<String> targets) {
        return data(seconds, description, targets) + joined("form-task.py");
    }

    private static String data(int seconds, @Nullable String description, List<String> targets) {
        String begin = description == null ? "None" : Json.line(description.substring(0, Math.min(LONGEST_DESCRIPTION, description.length())));
        return "SECONDS = " + seconds * 7 / 10.0 + "\nDESCRIPTION = " + begin + "\nTARGETS = " + Json.line(targets) + "\n" + DATA;
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
