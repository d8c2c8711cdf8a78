package io.mlestar.adapter.grade;

import de.siegmar.fastcsv.reader.CsvRecord;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// Whether a submission has the form that the task's sample submission shows.
public final class Submissions {
    /// Larger files, in bytes, are not compared while a run goes on.
    private static final long MOST_COMPARED = 64L << 20;
    private static final int LONGEST = 1_000;

    private Submissions() {}

    /// How the submission that a script left differs from the sample submission, in one line; empty if it does not, or cannot be compared.
    ///
    /// @param rows of the submission, without the header
    public static Optional<String> wrong(Path dataDir, Path submission, long rows) {
        try {
            Optional<Path> sample = sample(dataDir);
            if (sample.isEmpty() || Files.size(sample.get()) > MOST_COMPARED || Files.size(submission) > MOST_COMPARED) {
                return Optional.empty();
            }
            List<String> problems = problems(Table.read("sample submission", sample.get()), submission, rows);
            return problems.isEmpty() ? Optional.empty()
                    : Optional.of(Excerpt.line("not as " + sample.get().getFileName() + ": " + String.join("; ", problems), LONGEST));
        } catch (Invalid | IOException e) {
            return Optional.empty();
        }
    }

    /// A script may write anything: a file with far more rows than expected is not read.
    private static List<String> problems(Table sample, Path submission, long rows) {
        if (rows > 2L * sample.rows().size() + LONGEST) {
            return List.of("there are " + rows + " rows; there must be " + sample.rows().size());
        }
        try {
            return problems(sample, Table.of("submission", Table.bytes("submission", submission)));
        } catch (Invalid e) {
            return List.of(String.valueOf(e.getMessage()));
        }
    }

    /// The sample submission in a task's data: a CSV file whose name holds `sample` and `submission`, or else ends with `_submission`, as
    /// Kaggle's `gender_submission.csv`.
    ///
    /// @throws Invalid if the folder cannot be read
    public static Optional<Path> sample(Path dataDir) {
        try (Stream<Path> files = Files.walk(dataDir, 2)) {
            List<Path> named = files.filter(file -> name(file).matches("(?=.*submission).*\\.csv")).sorted().toList();
            return named.stream().filter(file -> name(file).contains("sample")).findFirst()
                    .or(() -> named.stream().filter(file -> name(file).endsWith("_submission.csv")).findFirst());
        } catch (IOException e) {
            throw new Invalid("data_dir " + dataDir + " cannot be read: " + e.getMessage());
        }
    }

    private static String name(Path file) {
        return file.getFileName().toString().toLowerCase(Locale.ROOT);
    }

    /// The problems of a submission for the task of that folder, one sentence each; without a sample, only those of any submission.
    ///
    /// @throws Invalid if the folder cannot be read
    public static List<String> problems(Path dataDir, Table submission) {
        return sample(dataDir).map(file -> problems(Table.read("sample submission", file), submission)).orElseGet(submission::problems);
    }

    /// The problems of a submission, one sentence each; empty if it is well formed.
    public static List<String> problems(Table sample, Table submission) {
        if (!submission.header().equals(sample.header())) {
            return List.of("the header is " + shown(submission.header()) + "; it must be " + shown(sample.header()));
        }
        List<String> found = new ArrayList<>(submission.problems());
        if (submission.rows().size() != sample.rows().size()) {
            found.add("there are " + submission.rows().size() + " different ids; there must be " + sample.rows().size());
        }
        Table.Problems problems = new Table.Problems();
        sample.rows().keySet().stream().filter(id -> !submission.rows().containsKey(id))
                .forEach(id -> problems.add("ids are missing", Excerpt.line(id, 40)));
        submission.rows().forEach((id, row) -> {
            if (!sample.rows().containsKey(id)) {
                problems.add("ids are not in the sample submission", Excerpt.line(id, 40) + " in " + Table.line(row));
            }
        });
        for (int column = 1; column < sample.header().size(); column++) {
            boolean numbers = isNumeric(sample, column);
            String kind = "values of " + Excerpt.line(sample.header().get(column), 40) + (numbers ? " are no finite numbers" : " are missing");
            for (CsvRecord row : submission.rows().values()) {
                String value = row.getField(column).strip();
                boolean good = numbers ? Double.isFinite(number(value)) : !value.isEmpty() && !value.equalsIgnoreCase("nan");
                if (!good) {
                    problems.add(kind, "\"" + Excerpt.line(value, 40) + "\" in " + Table.line(row));
                }
            }
        }
        found.addAll(problems.sentences());
        return found;
    }

    private static boolean isNumeric(Table table, int column) {
        return table.rows().values().stream().limit(100).allMatch(row -> Double.isFinite(number(row.getField(column).strip())));
    }

    /// NaN if it is none.
    static double number(String text) {
        try {
            return text.matches("[-+0-9.eE]{1,40}") ? Double.parseDouble(text) : Double.NaN;
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    private static String shown(List<String> header) {
        return Excerpt.line(String.join(",", header), 120);
    }
}
