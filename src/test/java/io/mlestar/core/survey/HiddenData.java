package io.mlestar.core.survey;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.core.agent.CardFolder;
import io.mlestar.core.base.Json;
import module java.base;
import org.assertj.core.api.AbstractStringAssert;

/// Data of which the real program hides rows. The target y is the number of a row, so the labels
/// tell which ones are hidden.
///
/// @param folder where the program works
record HiddenData(Path folder) {
    static final int TEST = 60;

    /// A hidden row. The group is what is resampled as a whole.
    record Hidden(String id, int row, String group, String part) {
        private static Hidden of(String line) {
            String[] fields = line.split(",");
            return new Hidden(fields[0], (int) Double.parseDouble(fields[1]), fields[2], fields[3]);
        }
    }

    /// By which scheme the program says that it hid rows.
    static AbstractStringAssert<?> assertScheme(JsonNode said) {
        return assertThat(said.path("scheme").asText());
    }

    /// Moments, as many as are asked for, so many hours apart.
    static IntFunction<String> moments(String pattern, int hours) {
        DateTimeFormatter format = DateTimeFormatter.ofPattern(pattern, Locale.US);
        return i -> LocalDateTime.of(2020, 1, 1, 0, 0).plusHours((long) i * hours).format(format);
    }

    /// @param columns the header, without the id in front and the target behind
    /// @param train the values of each row, up to `rows`; they stand in the file in another order
    JsonNode hide(int folds, String columns, int rows, IntFunction<String> train, IntFunction<String> test)
            throws Exception {
        return hide(folds, "id," + columns, rows, i -> i + "," + train.apply(i), i -> 5000 + i, test);
    }

    JsonNode hide(int folds, String columns, int rows, IntFunction<String> train, IntFunction<?> ids,
            IntFunction<String> test) throws Exception {
        return hide(SurveyScripts.holdout(CardFolder.PATIENT, folds, ""), columns, rows, train, ids, test, TEST);
    }

    JsonNode hide(String program, String columns, int rows, IntFunction<String> train, IntFunction<?> ids,
            IntFunction<String> test, int tests) throws Exception {
        String id = columns.split(",")[0];
        CardFolder data = CardFolder.in(folder)
                .with("train.csv",
                        columns + ",y\n"
                                + CardFolder.rows(0, rows - 1, i -> train.apply(i * 17 % rows) + "," + i * 17 % rows))
                .with("test.csv",
                        columns + "\n"
                                + CardFolder.rows(0, tests - 1,
                                        i -> ids.apply(i) + (columns.equals(id) ? "" : "," + test.apply(i))))
                .with("sample_submission.csv", id + ",y\n" + CardFolder.rows(0, tests - 1, i -> ids.apply(i) + ",0"));
        return Json.parse(data.printed(program));
    }

    /// All hidden rows.
    List<Hidden> hidden() throws IOException {
        return lines("labels.csv").stream().map(Hidden::of).toList();
    }

    List<Hidden> hidden(String part) throws IOException {
        return hidden().stream().filter(row -> row.part().equals(part)).toList();
    }

    int[] rows(String part) throws IOException {
        return hidden(part).stream().mapToInt(Hidden::row).sorted().toArray();
    }

    /// The rows that the training table of a fold has.
    int[] trained(int fold) throws IOException {
        return trained("fold" + fold).stream().mapToInt(Integer::intValue).sorted().toArray();
    }

    /// In their order.
    List<Integer> trained(String view) throws IOException {
        return lines(view + "/train.csv").stream()
                .map(line -> Integer.valueOf(line.substring(line.lastIndexOf(',') + 1))).toList();
    }

    /// The folds that studies are told, one for each row of their training table.
    List<String> studyFolds() throws IOException {
        return lines("study/study_folds.csv").stream().map(line -> line.replaceFirst(",.*", "")).toList();
    }

    /// The ids of a fold's table, in its order.
    List<String> ids(int fold, String table) throws IOException {
        return lines("fold" + fold + "/" + table).stream().map(line -> line.split(",")[0]).toList();
    }

    private List<String> lines(String file) throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve("final/holdout").resolve(file));
        return lines.subList(1, lines.size());
    }
}
