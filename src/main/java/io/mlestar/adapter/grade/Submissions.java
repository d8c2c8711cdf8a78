package io.mlestar.adapter.grade;

import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Checks that a submission has the form that the task's sample submission shows.
public final class Submissions {
    /// With larger samples, in bytes, submissions are not compared while a run goes on.
    private static final long MOST_COMPARED = 64L << 20;
    private static final int LONGEST = 1_000;
    private static final List<List<String>> BOOLEANS =
            List.of(List.of("True", "False"), List.of("true", "false"), List.of("TRUE", "FALSE"));

    private Submissions() {}

    /// Says in one line how the submission that a script left differs from the sample submission;
    /// empty if it does not, or cannot be compared.
    public static Optional<String> wrong(TaskTables tables, Path submission) {
        try {
            Optional<Path> sample = tables.sample();
            if (sample.isEmpty() || Files.size(sample.get()) > MOST_COMPARED) {
                return Optional.empty();
            }
            List<String> problems = problems(tables.form().orElseThrow(), submission);
            return problems.isEmpty()
                    ? Optional.empty()
                    : Optional.of(Excerpt.line(
                            "not as " + sample.get().getFileName() + ": "
                                    + String.join("; ", problems),
                            LONGEST));
        } catch (Invalid | IOException e) {
            return Optional.empty();
        }
    }

    private static List<String> problems(SubmissionForm form, Path submission) {
        try {
            return form.read("the submission", Table.open("the submission", submission), _ -> false)
                    .problems();
        } catch (Invalid e) {
            return List.of(e.getMessage());
        }
    }

    /// Reads the form of submissions from a sample.
    ///
    /// @throws Invalid if it cannot be read
    public static SubmissionForm form(Path sample) {
        return SubmissionForm.of("the sample submission",
                () -> Table.open("the sample submission " + sample, sample));
    }

    /// A submission for the task of that folder with all its problems, as far as a sample shows
    /// them. Closes the stream.
    ///
    /// @param what it is called in messages
    /// @throws Invalid if it is no CSV in UTF-8
    public static Table read(TaskTables tables, String what, InputStream submission) {
        return tables.form()
                .map(form -> form.read(what, submission, _ -> true))
                .orElseGet(() -> Table.of(what, submission, 1));
    }

    /// Names the columns whose values a submission spells in another way than the sample: 1 and 0
    /// in place of True and False. A scorer may take both.
    ///
    /// @throws Invalid if the sample cannot be read
    public static List<String> spellings(TaskTables tables, Table submission) {
        Optional<Path> sample = tables.sample();
        if (sample.isEmpty()) {
            return List.of();
        }
        Table asked = Table.read("the sample submission", sample.get(), submission.format().keys());
        return submission.columns()
                .stream()
                .filter(asked.columns()::contains)
                .flatMap(name -> spelling(name, asked, submission).stream())
                .toList();
    }

    private static Optional<String> spelling(String column, Table asked, Table given) {
        Set<String> words = texts(asked, column);
        Set<String> others = texts(given, column);
        Optional<List<String>> pair =
                BOOLEANS.stream().filter(each -> each.containsAll(words)).findFirst();
        return pair.filter(each -> !each.containsAll(others))
                .map(each -> "column " + Excerpt.line(column, 40) + " has "
                        + Excerpt.line(
                                others.stream()
                                        .sorted(Comparator.reverseOrder())
                                        .limit(2)
                                        .collect(Collectors.joining(" and ")),
                                60)
                        + ", where the sample submission writes " + String.join(" and ", each)
                        + "; not each scorer takes both");
    }

    private static Set<String> texts(Table table, String column) {
        int place = table.column(column);
        return table.rows()
                .values()
                .stream()
                .map(row -> row.getField(place).strip())
                .collect(Collectors.toSet());
    }

    private static final Pattern DECIMAL_COMMA = Pattern.compile("[-+]?[0-9]{1,30},[0-9]{1,30}");

    /// A number with a decimal comma as one with a point. Between commas it would be a text, as
    /// pandas reads it.
    static String plain(String text, char delimiter) {
        String field = text.strip();
        return delimiter != ',' && DECIMAL_COMMA.matcher(field).matches()
                ? field.replace(',', '.')
                : field;
    }

    /// NaN if it is none.
    static double number(String text) {
        try {
            return text.matches("[-+0-9.eE]{1,40}") ? Double.parseDouble(text) : Double.NaN;
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }
}
