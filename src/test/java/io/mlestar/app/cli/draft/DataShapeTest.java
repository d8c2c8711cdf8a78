package io.mlestar.app.cli.draft;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.app.cli.draft.DataShape.ColumnShape;
import io.mlestar.core.agent.CardFolder;
import io.mlestar.core.survey.SurveyScripts;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The figures that the real script prints of data as they usually are.
class DataShapeTest {
    @TempDir
    private Path folder;

    private DataShape shape(CardFolder data) throws Exception {
        return DataShape.read(data.printed(SurveyScripts.dataShape(CardFolder.PATIENT))).orElseThrow();
    }

    @Test
    void tablesHaveTheirRolesAndTheTargetIsWhatTheSubmissionHasAndTheTestTableLacks() throws Exception {
        DataShape data = shape(CardFolder.in(folder)
                .with("train.csv", "PassengerId,Survived,Age\n" + CardFolder.rows(1, 40, i -> i + "," + i % 2 + "," + i % 11 * 1.5))
                .with("test.csv", "PassengerId,Age\n" + CardFolder.rows(41, 60, i -> i + "," + i))
                .with("gender_submission.csv", "PassengerId,Survived\n" + CardFolder.rows(41, 60, i -> i + ",0")));
        assertThat(data.complete()).isTrue();
        assertThat(data.train().path()).isEqualTo("train.csv");
        assertThat(data.train().rows()).isEqualTo(40);
        assertThat(data.test().rows()).isEqualTo(20);
        assertThat(data.submission().path()).isEqualTo("gender_submission.csv");
        assertThat(data.targets()).containsExactly("Survived");
        assertThat(data.train().column("Survived")).contains(new ColumnShape("Survived", "boolean", 2, 0, 1, List.of("0", "1")));
        assertThat(data.train().names()).containsExactly("PassengerId", "Survived", "Age");
    }

    @Test
    void theOnlyTableIsTheOneForTrainingAndClassesAreColumnsOfTheSubmission() throws Exception {
        CardFolder leaves = CardFolder.in(folder).with("labels.csv", "id,kind\n" + CardFolder.rows(1, 40, i -> i + ".png," + (i % 2 == 0 ? "oak" : "elm")))
                .with("sample_submission.csv", "id,elm,oak\n" + CardFolder.rows(1, 9, i -> "t" + i + ".png,0.5,0.5")).with("broken.csv", new byte[] {0, 1, 2});
        for (int i = 1; i <= 40; i++) {
            leaves.with("images/" + i + ".png", "no real one");
        }
        DataShape data = shape(leaves);
        assertThat(data.train().path()).isEqualTo("labels.csv");
        assertThat(data.targets()).isEmpty();
        assertThat(data.ofClasses()).containsExactly("kind");
        assertThat(data.images()).isEqualTo(40);
        assertThat(data.unread()).containsExactly("broken.csv: it is no text");
    }

    /// A column that is asked for by its name is told, whatever its place and however many there are.
    @ParameterizedTest
    @CsvSource({"200", "285"})
    void theTargetIsToldBehindAnyNumberOfColumns(int columns) throws Exception {
        String names = IntStream.range(0, columns).mapToObj(i -> "f" + i).collect(Collectors.joining(","));
        String values = "0.5,".repeat(columns);
        DataShape data = shape(CardFolder.in(folder).with("train.csv", "id," + names + ",target\n" + CardFolder.rows(1, 40, i -> i + "," + values + i % 2))
                .with("test.csv", "id," + names + "\n" + CardFolder.rows(41, 60, i -> i + "," + values.substring(0, values.length() - 1)))
                .with("sample_submission.csv", "id,target\n" + CardFolder.rows(41, 60, i -> i + ",0.5")));
        assertThat(data.train().column("target")).contains(new ColumnShape("target", "boolean", 2, 0, 1, List.of("0", "1")));
    }

    @Test
    void classesMayStandBehindAPrefix() throws Exception {
        DataShape data = shape(CardFolder.in(folder).with("train.csv", "id,Status\n" + CardFolder.rows(1, 40, i -> i + "," + (i % 2 == 0 ? "C" : "CL")))
                .with("test.csv", "id\n" + CardFolder.rows(41, 60, i -> "" + i))
                .with("sample_submission.csv", "id,Status_C,Status_CL\n" + CardFolder.rows(41, 60, i -> i + ",0.5,0.5")));
        assertThat(data.targets()).containsExactly("Status");
        assertThat(data.doubts()).as("no column that training lacks").isEmpty();
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
    void foldersOfImagesOrSoundsAreClasses(String files, String folder, String names, int learned, String test, int asked, boolean answered)
            throws Exception {
        DataShape.ClassFolders classes = shape(made(files)).classes();
        assertThat(classes).isEqualTo(new DataShape.ClassFolders(folder, names.split(" ").length, learned, List.of(names.split(" ")), test, asked, answered));
    }

    @ParameterizedTest
    @ValueSource(strings = {"train/*.jpg 4, test/*.jpg 4", "train/images/*.png 4, train/masks/*.png 4, test/images/*.png 2", "images/*.jpg 9, masks/*.jpg 9",
        "train/cats/*.jpg 3, train/*.jpg 1", "train/cats/*.jpg 3, test/*.jpg 1", "cats/*.txt 3, dogs/*.txt 3", "train_a/x/*.jpg 1, train_b/y/*.jpg 1",
        "train/cats/*.jpg 3, train/dogs/*.jpg 2, extra/*.jpg 4", "cats/*.jpg 3, dogs/*.jpg 2, *.jpg 1", "a.jpg 1"})
    void foldersThatMayBeSomethingElseAreNoClasses(String files) throws Exception {
        assertThat(shape(made(files)).classes()).isNull();
    }

    /// @param rows of the sample submission
    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    id,y      | 41 60 | ''
                    id,foo    | 41 60 | 'sample_submission.csv asks for "foo", and train.csv has no such column'
                    id,foo,y  | 41 60 | 'sample_submission.csv asks for "foo", and train.csv has no such column'
                    row,y     | 41 60 | 'test.csv has no column row, by which sample_submission.csv names its rows'
                    id,y      | 43 70 | '10 of the 28 different id of sample_submission.csv are not in test.csv; 2 of the 20 different id of test.csv are not in sample_submission.csv'
                    id,y      | 41 50 | '10 of the 20 different id of test.csv are not in sample_submission.csv'
                    x,y       | 1 5   | 'sample_submission.csv has 5 rows, test.csv has 20 rows'
                    """)
    void aSampleSubmissionThatContradictsTheTablesIsDoubted(String header, String rows, String doubt) throws Exception {
        String[] ends = rows.split(" ");
        DataShape data = shape(CardFolder.in(folder).with("train.csv", "id,x,y\n" + CardFolder.rows(1, 40, i -> i + "," + i % 7 + "," + i % 2))
                .with("test.csv", "id,x\n" + CardFolder.rows(41, 60, i -> i + "," + i % 7))
                .with("sample_submission.csv", header + "\n" + CardFolder.rows(Integer.parseInt(ends[0]), Integer.parseInt(ends[1]),
                        i -> i + ",0".repeat(header.split(",").length - 1))));
        assertThat(String.join("; ", data.doubts())).isEqualTo(doubt);
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
        DataShape data = shape(CardFolder.in(folder).with("train.csv", "id,kind,y\n"
                + CardFolder.rows(1, 60, i -> i == 10 ? tenth : i == 30 ? thirtieth : i + ",k" + i % 3 + "," + i % 2)));
        assertThat(String.join("; ", data.doubts())).isEqualTo(doubts);
    }

    /// @param train what stands in `train.csv`; `#` for a row's number, from 1 to 60
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            id,kind,y   | #,k,1     | train.csv: NUL characters in it
            id,x,x,y    | #,7,8,1   | train.csv: columns of one name: "x"
            id,kind,y   | ''        | train.csv: a header and no row
            39,gov,yes  | #,gov,yes | train.csv: no header
            id,größe,y  | #,ä,1     | train.csv: encoding Windows-1252 or Latin-1, not UTF-8
            id,kind,y   | #,k,None  | train.csv: of y, 49.2 % are written "None", which pandas reads as missing (keep_default_na=False)
            id,kind,y   | #,None,1  | train.csv: in "kind", pandas reads words such as "None" as missing (keep_default_na=False if they are categories)
            """)
    void aTrainingTableThatScriptsMayMisreadIsDoubted(String header, String row, String doubt) throws Exception {
        String rows = CardFolder.rows(1, row.isEmpty() ? 0 : 60, i -> (i % 2 == 0 ? row : row.replace("None", "some")).replace("#", "" + i));
        String end = doubt.contains("NUL") ? "\0\0\0" : doubt.contains("49.2") ? "61,k,more\n" : "";
        DataShape data = shape(CardFolder.in(folder).with("train.csv", (header + "\n" + rows + end)
                .getBytes(doubt.contains("1252") ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8))
                .with("test.csv", "id,kind\n" + CardFolder.rows(62, 70, i -> i + ",k")));
        assertThat(data.doubts()).contains(doubt);
    }

    @Test
    void aTableThatMayHoldTheAnswersIsDoubted() throws Exception {
        DataShape data = shape(CardFolder.in(folder).with("train.csv", "id,x,y\n" + CardFolder.rows(1, 40, i -> i + "," + i % 7 + "," + i % 2))
                .with("test.csv", "id,x\n" + CardFolder.rows(41, 60, i -> i + "," + i % 7))
                .with("labels.csv", "id,y\n" + CardFolder.rows(41, 60, i -> i + "," + i % 2))
                .with("weather.csv", "id,rain\n" + CardFolder.rows(1, 60, i -> i + "," + i % 9)).with("more.xlsx", "PK"));
        assertThat(data.doubts()).containsExactly("labels.csv has the id of 100 % of test.csv, and \"y\": if these are the answers, scripts can read them;"
                + " move it out of the folder");
        assertThat(data.unread()).containsExactly("more.xlsx: not of a kind that is read here; save it as CSV");
    }

    @Test
    void aTargetThatTheTestTableHoldsTooIsStillTheTarget() throws Exception {
        DataShape data = shape(CardFolder.in(folder).with("train.csv", "id,x,y\n" + CardFolder.rows(1, 40, i -> i + "," + i % 7 + "," + i % 2))
                .with("test.csv", "id,x,y\n" + CardFolder.rows(41, 60, i -> i + "," + i % 7 + ",1")).with("sample_submission.csv", "id,y\n41,0\n"));
        assertThat(data.targets()).containsExactly("y");
    }

    @Test
    void textsOfSeveralLinesAreNoRows() throws Exception {
        assertThat(shape(CardFolder.in(folder).with("train.csv", "id,text,y\n"
                + CardFolder.rows(1, 40, i -> i + ",\"one, two\nand more\n\nthe, end of, it, all\n\"," + i % 2))).doubts()).isEmpty();
    }

    @Test
    void aTableToLearnFromSaysMoreThanFolders() throws Exception {
        DataShape data = shape(made("train/cats/*.jpg 3, train/dogs/*.jpg 2, test/*.jpg 4").with("train.csv", "id,kind\n1,cat\n2,dog\n"));
        assertThat(data.classes()).isNull();
        assertThat(data.train().path()).isEqualTo("train.csv");
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
        DataShape data = shape(CardFolder.in(folder).with("data.csv", "\"a\n# b\u202e\",`c`\n1,2\n3,4\n"));
        assertThat(data.train().names()).containsExactly("a\\u000a# b\\u202e", "\\u0060c\\u0060");
    }

    @Test
    void outputOfAnotherFormIsNoShape() {
        assertThat(DataShape.read("")).isEqualTo(Optional.empty());
        assertThat(DataShape.read("{\"lines\": []}")).isEmpty();
        assertThat(DataShape.read("{\"complete\": true, \"files\": \"many\"}")).isEmpty();
        assertThat(DataShape.read("{\"complete\": true}")).isEmpty();
    }
}
