package io.mlestar.core.survey;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.agent.Prompts;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The scripts of the survey.
public final class SurveyScripts {
    /// Prints what [MachineReading] reads.
    public static final String MACHINE = text("machine.py");

    private static final String DATA =
            joined("card-words.py", "card-columns.py", "card-tables.py", "card-form.py",
                    "card-records.py", "card-files.py", "card-classes.py", "card-links.py",
                    "form-roles.py", "form-tables.py", "form-files.py", "form-labels.py", "form.py",
                    "card.py", "card-pandas.py");

    private static final int LONGEST_DESCRIPTION = 20_000;
    /// Most characters that are read of the output of a program that hides rows.
    static final int LONGEST_HIDING = 64 << 10;

    private SurveyScripts() {}

    /// Prints what [DataReading] reads.
    ///
    /// @param seconds that it may take in all. It prints what it has found after seven tenths of
    ///   them: a busy machine needs the rest
    public static String dataCard(int seconds) {
        return data(seconds, "", List.of()) + joined("card-lines.py");
    }

    /// Hides rows, and prints what [HoldoutReading] reads.
    ///
    /// @param seconds as for the data card
    /// @param folds most folds of the rows; one is a part of them
    /// @param description of the task, which may say what names of files mean
    public static String holdout(int seconds, int folds, String description) {
        return "FOLDS = " + folds + "\n" + data(seconds, description, List.of())
                + joined("holdout-rows.py", "holdout-views.py",
                        "holdout-lines.py", "holdout-files.py", "holdout-cuts.py",
                        "holdout-moments.py", "holdout-likeness.py", "holdout-schemes.py",
                        "split-choice.py", "split-check.py", "holdout.py");
    }

    /// Asks a task's own `split.py` for what is changed in each view, and writes the answer to
    /// `./final/split.json`. With that as `./split.json` the program of [#holdout] hides rows by
    /// it, if it stands the checks.
    ///
    /// @param folds as there
    public static String splitViews(int folds) {
        return "FOLDS = " + folds + "\n" + joined("split-choice.py", "split-views.py");
    }

    /// The reason why a program that hides rows has hidden none; empty if it did not say.
    public static Optional<String> missing(String stdout) {
        return printed(stdout, LONGEST_HIDING).map(said -> said.path("missing").asText())
                .filter(why -> !why.isEmpty());
    }

    /// Prints an object that says what one example of the task is, what names it, and where its
    /// files and its label stand (`form.py`), and what a task file may say of it (`form-task.py`).
    ///
    /// @param seconds as for the data card
    /// @param description of the task, which may say what names of files mean; empty if it is not
    ///   known
    /// @param targets columns to be predicted, if a user names them
    public static String form(int seconds, String description, List<String> targets) {
        return data(seconds, description, targets) + joined("form-task.py");
    }

    private static String data(int seconds, String description, List<String> targets) {
        String begin = description.isEmpty()
                ? "None"
                : Json.line(description.substring(0,
                        Math.min(LONGEST_DESCRIPTION, description.length())));
        return "SECONDS = " + seconds * 7 / 10.0 + "\nDESCRIPTION = " + begin + "\nTARGETS = "
                + Json.line(targets)
                + "\n" + DATA;
    }

    private static String joined(String... names) {
        return Stream.of(names)
                .map(SurveyScripts::text)
                .collect(Collectors.joining("\n\n", "", "\n\n"));
    }

    /// The object that one of them printed: the last line, whatever a library may have printed
    /// before.
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

    /// The output of a script; empty if it did not run.
    public static String output(Outcome<Execution> looked) {
        return looked.done().map(Execution::stdout).orElse("");
    }

    /// The reason why nothing of a script's output counts.
    public static String why(Outcome<Execution> looked) {
        return switch (looked) {
            case Outcome.NoResult<Execution> _ -> "could not be run";
            case Outcome.Done<Execution>(Execution.TimedOut _) -> "did not end in time";
            case Outcome.Done<Execution>(Execution.Killed _) ->
                "was killed, perhaps for lack of memory";
            case Outcome.Done<Execution>(Execution.Crashed _) -> "failed";
            case Outcome.Done<Execution>(Execution.Ended _),Outcome.Done<Execution>(Execution.Doubtful _) ->
                "printed nothing that can be read";
        };
    }

    private static String text(String name) {
        return Prompts.resourceText("/survey/" + name);
    }
}
