package io.mlestar.app.cli.draft;

import static io.mlestar.core.agent.CardFolder.rows;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.app.cli.draft.DataForm.Obstacle;
import io.mlestar.core.agent.CardFolder;
import io.mlestar.core.survey.SurveyScripts;
import io.mlestar.core.task.DataModality;
import io.mlestar.core.task.TaskType;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The form that the real program prints for data as they usually are.
class DataFormTest {
    @TempDir
    private Path folder;

    private DataForm form(CardFolder data, String... targets) throws Exception {
        return DataForm.read(data.printed(SurveyScripts.form(CardFolder.PATIENT, "", List.of(targets))))
                .orElseThrow();
    }

    private CardFolder train(String content) throws IOException {
        return CardFolder.in(folder).with("train.csv", content);
    }

    /// A table for training of which the test has the columns but y.
    private CardFolder split() throws IOException {
        return train("id,x,y\n" + rows(1, 40, i -> i + "," + i % 7 + "," + i % 2));
    }

    /// @param target what stands in the column y of 60 rows; `#` for a row's number
    /// @param asked the same in the sample submission
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {i % 2}       | 0    | 0  | classification       | tabular | accuracy
            {i % 2}       | 0.5  | 0  | classification       | tabular | ROC-AUC
            {i % 5}       | 0    | 0  | classification       | tabular | accuracy
            k{i % 5}      | oak  | 0  | classification       | tabular | accuracy
            {i}           | 0    | 0  | regression           | tabular | RMSE
            {i}.5         | 0.5  | 0  | regression           | tabular | RMSE
            k{i % 5}      | oak  | 90 | image_classification | image   | accuracy
            {i}.5         | 0.5  | 90 | regression           | image   | RMSE
            """)
    void typeModalityAndMetricAreGuessedFromTheTargetAndTheSampleSubmission(String target, String asked, int images,
            String type, String modality,
            String metric) throws Exception {
        IntFunction<String> y =
                i -> target.replace("{i % 2}", "" + i % 2).replace("{i % 5}", "" + i % 5).replace("{i}", "" + i);
        CardFolder data = train("id,x,y\n" + rows(1, 60, i -> i + "," + i * 1.5 + "," + y.apply(i)))
                .with("test.csv", "id,x\n" + rows(61, 80, i -> i + "," + i * 1.5))
                .with("sample_submission.csv", "id,y\n" + rows(61, 80, i -> i + "," + asked));
        for (int i = 1; i <= images; i++) {
            data.with("images/" + i + ".png", "no real one");
        }
        DataForm form = form(data);
        assertThat(List.of(form.type(), form.modality())).map(each -> each.name().toLowerCase(Locale.ROOT))
                .containsExactly(type, modality);
        assertThat(form.metric()).isEqualTo(Optional.ofNullable(metric));
        assertThat(form.target()).isEqualTo("y: sample_submission.csv has it, and test.csv lacks it");
        assertThat(form.data()).isEqualTo("train.csv (60 rows, 3 columns), test.csv (20 rows), sample_submission.csv");
        assertThat(form.text().getFirst()).isEqualTo("Predict \"y\" for each row of \"test.csv\".");
        assertThat(form.wrong()).isNull();
    }

    @Test
    void theOnlyTableWithLabelsIsTheOneForTrainingAndClassesAreColumnsOfTheSubmission() throws Exception {
        CardFolder leaves = CardFolder.in(folder)
                .with("labels.csv",
                        "id,kind\n" + rows(1, 40, i -> i + ".png," + (i % 2 == 0 ? "oak" : "elm")))
                .with("sample_submission.csv", "id,elm,oak\n" + rows(1, 9, i -> "t" + i + ".png,0.5,0.5"))
                .with("broken.csv", new byte[] {0, 1, 2});
        for (int i = 1; i <= 40; i++) {
            leaves.with("images/" + i + ".png", "no real one").with("images/t" + i + ".png", "no real one");
        }
        DataForm form = form(leaves);
        assertThat(form.target()).isEqualTo("kind: its values are the columns of sample_submission.csv");
        assertThat(form.metric()).hasValue("log loss");
        assertThat(form.lines()).contains("example: a file of \"labels.csv\", named by \"id\"",
                "files: \"images/{key}\" for training, \"images/{key}\" for the test");
    }

    /// A column that is asked for by its name is told, whatever its place and however many there
    /// are.
    @ParameterizedTest
    @CsvSource({"200", "285"})
    void theTargetIsToldBehindAnyNumberOfColumns(int columns) throws Exception {
        String names = IntStream.range(0, columns).mapToObj(i -> "f" + i).collect(Collectors.joining(","));
        String values = "0.5,".repeat(columns);
        DataForm form = form(train("id," + names + ",target\n" + rows(1, 40, i -> i + "," + values + i % 2))
                .with("test.csv",
                        "id," + names + "\n"
                                + rows(41, 60, i -> i + "," + values.substring(0, values.length() - 1)))
                .with("sample_submission.csv", "id,target\n" + rows(41, 60, i -> i + ",0.5")));
        assertThat(form.typeWhy()).isEqualTo("target is of two values");
    }

    @Test
    void classesMayStandBehindAPrefix() throws Exception {
        DataForm form = form(train("id,Status\n" + rows(1, 40, i -> i + "," + (i % 2 == 0 ? "C" : "CL")))
                .with("test.csv", "id\n" + rows(41, 60, i -> "" + i))
                .with("sample_submission.csv",
                        "id,Status_C,Status_CL\n" + rows(41, 60, i -> i + ",0.5,0.5")));
        assertThat(form.target()).startsWith("Status: ");
        assertThat(form.doubts()).as("no column that training lacks").isEmpty();
    }

    @Test
    void aTargetThatCannotBeToldIsAskedForWithItsCandidates() throws Exception {
        CardFolder data = train("id,a,b\n" + rows(1, 60, i -> i + "," + i + ".5," + i % 2))
                .with("test.csv", "id\n" + rows(61, 80, i -> "" + i));
        assertThat(form(data).wrong())
                .isEqualTo(new Obstacle(
                        "which column is to be predicted cannot be told from the data; say --target a or b", false,
                        List.of("a", "b")));
        assertThat(form(data, "b").typeWhy()).isEqualTo("b is of two values");
        assertThat(form(data, "a", "b").target()).isEqualTo("a, b: as you say");
        assertThat(form(data, "c").wrong()).isEqualTo(
                new Obstacle("\"train.csv\" has no column \"c\"; it has \"id\", \"a\", \"b\"", true, List.of()));
    }

    @Test
    void aUsualNameIsTakenWhereNothingElseTells() throws Exception {
        DataForm form = form(CardFolder.in(folder).with("data.csv",
                "id,a,Label\n" + rows(1, 60, i -> i + "," + i + ".5," + i % 2)));
        assertThat(form.text().getFirst())
                .isEqualTo("Predict \"Label\" for each row that is like those of \"data.csv\".");
        assertThat(form.doubts())
                .containsExactly("no rows can be hidden: there is no table for the form of the submission");
    }

    @Test
    void longTextsMakeATaskOfTextsAndWithManyOtherColumnsAMixedOne() throws Exception {
        String text = "a long text about something that is well worth reading as number ";
        assertThat(form(train("id,words,y\n" + rows(1, 60, i -> i + "," + text + i + "," + i % 2))).type())
                .isEqualTo(TaskType.TEXT_CLASSIFICATION);
        assertThat(form(
                train("id,words,a,b,c,d,y\n" + rows(1, 60,
                        i -> i + ",\"" + text + i + "\",1" + i % 3 + ",2" + i
                                % 3 + ",3" + i % 3 + ",4" + i % 3 + "," + i % 2)))
                .modality()).isEqualTo(DataModality.MIXED);
    }

    @Test
    void withoutATableForTrainingItSaysWhatIsMissing() throws Exception {
        assertThat(form(CardFolder.in(folder).with("notes.md", "Nothing.").with("a.csv", "")).wrong().why())
                .startsWith(
                        "the data hold no table that tells what is to be predicted (csv, tsv, json or parquet); a.csv: it is empty; or write");
        assertThat(form(CardFolder.in(folder).with("a.csv", "x,z\n1,2\n").with("b.csv", "x,z\n1,2\n")).wrong().why())
                .startsWith(
                        "which table is the one for training cannot be told: a.csv, b.csv; call it train, e.g. train.csv");
    }

    /// @param files with how many of each, `*` for a number
    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    train/cats/*.jpg 3, train/dogs/*.jpg 2, test/*.jpg 4                | train      | cats dogs | 5 | test      | 4 | false
                    train/cats/*.jpg 3, train/dogs/*.jpg 2, test/unknown/*.jpg 4        | train      | cats dogs | 5 | test      | 4 | false
                    train/cats/*.jpg 3, train/dogs/*.jpg 2, test/cats/*.jpg 4           | train      | cats dogs | 5 | test      | 4 | true
                    train/a/*.wav 3, train/b/x/*.wav 2, val/a/*.wav 9, test/*.wav 1     | train      | a b       | 5 | test      | 1 | false
                    pets/Train/cats/*.jpg 3, pets/Train/dogs/*.png 2, pets/Test/*.jpg 4 | pets/Train | cats dogs | 5 | pets/Test | 4 | false
                    cats/*.jpg 3, dogs/*.jpg 2, test/*.jpg 4                            | ''         | cats dogs | 5 | test      | 4 | false
                    cats/*.mp3 3, dogs/*.mp3 2                                          | ''         | cats dogs | 5 |           | 0 | false
                    train/p1/sick/*.png 2, train/p1/well/*.png 2, train/p2/sick/*.png 2, train/p2/well/*.png 1, test/p9/*.png 3 | train | sick well | 7 | test | 3 | false
                    train/train/cat/*.jpg 3, train/train/dog/*.jpg 2, test/test/*.jpg 4 | train/train | cat dog | 5 | test | 4 | false
                    seg_train/a/ice/*.jpg 3, seg_train/a/sea/*.jpg 2, seg_test/a/ice/*.jpg 1, seg_pred/a/*.jpg 4 | seg_train/a | ice sea | 5 | seg_pred | 4 | true
                    training_set/1/*.jpg 1, training_set/2/*.jpg 1, test_set/*.jpg 1, logo.png 1 | training_set | 1 2 | 2 | test_set | 1 | false
                    """)
    void foldersOfImagesOrSoundsAreClasses(String files, String folder, String names, int learned, String test,
            int asked, boolean answered)
            throws Exception {
        DataForm form = form(made(files));
        assertThat(form.target()).isEqualTo("label: the name of the folder in " + (folder.isEmpty() ? "." : folder)
                + ": " + names.replace(" ", ", "));
        assertThat(form.data()).isEqualTo((folder.isEmpty() ? "." : folder) + " (" + learned + " files with labels)");
        assertThat(form.wrong() == null ? "" : form.wrong().why())
                .startsWith(test == null ? "the folders in . are classes (" + names.replace(" ", ", ")
                        + "), but there is nothing to predict"
                        : answered ? "the files in " + test + " lie in folders of their classes" : "");
        assertThat(form.text().getLast()).contains(test == null ? "" : "a row for each file of \"" + test + "\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"train/*.jpg 4, test/*.jpg 4",
        "train/images/*.png 4, train/masks/*.png 4, test/images/*.png 2", "images/*.jpg 9, masks/*.jpg 9",
        "train/cats/*.jpg 3, train/*.jpg 1", "train/cats/*.jpg 3, test/*.jpg 1", "cats/*.txt 3, dogs/*.txt 3",
        "train_a/x/*.jpg 1, train_b/y/*.jpg 1",
        "train/cats/*.jpg 3, train/dogs/*.jpg 2, extra/*.jpg 4", "cats/*.jpg 3, dogs/*.jpg 2, *.jpg 1", "a.jpg 1"})
    void foldersThatMayBeSomethingElseAreNoClasses(String files) throws Exception {
        assertThat(form(made(files)).target()).isEmpty();
    }

    /// @param rows of the sample submission
    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    id,y      | 41 60 | ''
                    id,foo    | 41 60 | ''
                    id,foo,y  | 41 60 | ''
                    id,a,b    | 41 60 | 'no rows can be hidden: it is not clear which columns of "train.csv" the submission asks for: it lacks "a", "b"'
                    row,y     | 41 61 | 'no rows can be hidden: "test.csv" has no column "row", and the rows of both are not the same'
                    id,y      | 43 70 | 'no rows can be hidden: the ids of "sample_submission.csv" are not those of "test.csv"'
                    id,y      | 41 50 | '"sample_submission.csv" has only 10 of the 20 rows of "test.csv", and a submission needs all of them'
                    """)
    void aSampleSubmissionThatContradictsTheTablesIsDoubted(String header, String rows, String doubt) throws Exception {
        String[] ends = rows.split(" ");
        DataForm form = form(split()
                .with("test.csv", "id,x\n" + rows(41, 60, i -> i + "," + i % 7))
                .with("sample_submission.csv",
                        header + "\n" + rows(Integer.parseInt(ends[0]), Integer.parseInt(ends[1]),
                                i -> i + ",0".repeat(header.split(",").length - 1))));
        assertThat(String.join("; ", form.doubts())).isEqualTo(doubt);
        assertThat(form.target()).startsWith("y: ");
    }

    /// All doubts but that there is no sample submission.
    private static List<String> ofTables(DataForm form) {
        return form.doubts().stream().filter(doubt -> !doubt.startsWith("no rows can be hidden: there is no table"))
                .toList();
    }

    /// @param row what stands in its place: the 10th and the 30th of 60 rows
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`',
            textBlock = """
                    10,a,1,5      | 30,b     | train.csv: 2 rows with another number of fields
                    10,"a,1       | 30,b",1  | train.csv: a quote in the row that begins in line 11 holds 19 lines that look like rows
                    10,a,1        | 30,"b,1  | train.csv: a quote in the row that begins in line 31 holds 30 lines that look like rows; train.csv: 1 row with another number of fields
                    10,"a,no b",1 | 30,"b",0 | ``
                    """)
    void rowsThatMayBeMisreadAreDoubted(String tenth, String thirtieth, String doubts) throws Exception {
        DataForm form = form(train("id,kind,y\n"
                + rows(1, 60, i -> i == 10 ? tenth : i == 30 ? thirtieth : i + ",k" + i % 3 + "," + i % 2)));
        assertThat(String.join("; ", ofTables(form))).isEqualTo(doubts);
    }

    /// @param train what stands in `train.csv`; `#` for a row's number, from 1 to 60
    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    id,kind,y   | #,k,1     | train.csv: NUL characters in it
                    id,x,x,y    | #,7,8,1   | train.csv: columns of one name: "x"
                    id,kind,y   | ''        | train.csv: a header and no row
                    39,gov,yes  | #,gov,yes | train.csv: no header
                    id,größe,y  | #,ä,1     | train.csv: encoding Windows-1252 or Latin-1, not UTF-8
                    id,kind,y   | #,k,None  | train.csv: of y, 49.2 % are written "None", which pandas reads as missing (keep_default_na=False)
                    id,kind,y   | #,None,1  | train.csv: in "kind", pandas reads words such as "None" as missing (keep_default_na=False if they are categories)
                    """)
    void aTrainingTableThatScriptsMayMisreadIsDoubted(String header, String row, String doubt) throws Exception {
        String rows = rows(1, row.isEmpty() ? 0 : 60,
                i -> (i % 2 == 0 ? row : row.replace("None", "some")).replace("#", "" + i));
        String end = doubt.contains("NUL") ? "\0\0\0" : doubt.contains("49.2") ? "61,k,more\n" : "";
        DataForm form = form(CardFolder.in(folder).with("train.csv", (header + "\n" + rows + end)
                .getBytes(doubt.contains("1252") ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8))
                .with("test.csv", "id,kind\n" + rows(62, 70, i -> i + ",k")));
        assertThat(form.doubts()).contains(doubt);
    }

    @Test
    void aTableThatMayHoldTheAnswersIsDoubted() throws Exception {
        DataForm form = form(split()
                .with("test.csv", "id,x\n" + rows(41, 60, i -> i + "," + i % 7))
                .with("labels.csv", "id,y\n" + rows(41, 60, i -> i + "," + i % 2))
                .with("weather.csv", "id,rain\n" + rows(1, 60, i -> i + "," + i % 9)));
        assertThat(ofTables(form)).containsExactly(
                "labels.csv has the id of 100 % of test.csv, and \"y\": if these are the answers, scripts can read them;"
                        + " move it out of the folder");
    }

    @Test
    void aTargetThatTheTestTableHoldsTooIsStillTheTarget() throws Exception {
        DataForm form = form(split()
                .with("test.csv", "id,x,y\n" + rows(41, 60, i -> i + "," + i % 7 + ",1"))
                .with("sample_submission.csv", "id,y\n41,0\n"));
        assertThat(form.target()).isEqualTo("y: asked for by sample_submission.csv");
    }

    private CardFolder made(String files) throws Exception {
        CardFolder data = CardFolder.in(folder);
        for (String one : files.split(", ")) {
            String[] parts = one.split(" ");
            for (int i = 1; i <= Integer.parseInt(parts[1]); i++) {
                data.with(parts[0].replace("*", "f" + i), "nothing");
            }
        }
        return data;
    }

    @Test
    void hostileNamesAreMadeFitForOneLine() throws Exception {
        DataForm form = form(CardFolder.in(folder).with("data.csv", "\"a\n# b\u202e\",`c`\n1,2\n3,4\n"));
        assertThat(form.wrong().candidates()).containsExactly("a\\u000a# b\\u202e", "\\u0060c\\u0060");
    }

    @Test
    void outputOfAnotherKindIsNoForm() {
        assertThat(DataForm.read("")).isEmpty();
        assertThat(DataForm.read("{\"lines\": []}")).isEmpty();
        assertThat(DataForm.read("{\"task\": {\"type\": \"many\"}}")).isEmpty();
        assertThat(DataForm.read("{\"task\": {}}")).isEmpty();
    }
}
