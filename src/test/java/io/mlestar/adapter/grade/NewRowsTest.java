package io.mlestar.adapter.grade;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.core.agent.CardFolder;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Rows that take the place of a task's test table.
class NewRowsTest {
    private static final String TRAIN =
            "id,x,name,y\n" + CardFolder.rows(1, 30, i -> i + "," + i % 7 + ",n" + i + "," + i % 5 * 1.5);
    private static final String TEST = "id,x,name\n" + CardFolder.rows(31, 50, i -> i + "," + i % 7 + ",n" + i);
    private static final String SAMPLE = "id,y\n" + CardFolder.rows(31, 50, i -> i + ",0");

    @TempDir
    private Path folder;

    private CardFolder data() throws IOException {
        return CardFolder.in(folder);
    }

    private CardFolder usual() throws IOException {
        return data().with("train.csv", TRAIN).with("test.csv", TEST).with("sample_submission.csv", SAMPLE);
    }

    private NewRows rows(String content) throws IOException {
        return new NewRows(TaskTables.of(folder.resolve("input"), Optional.empty()),
                Files.writeString(folder.resolve("new.csv"), content));
    }

    private Path shown(NewRows rows) throws IOException {
        Path view = Files.createDirectories(folder.resolve("view"));
        rows.show(view);
        return view;
    }

    @Test
    void theyStandInTheTestTableAndTheSampleAndAllElseIsAsItWas() throws IOException {
        usual().with("more/notes.txt", "a\n");
        NewRows rows = rows("name,id,extra,x\n\"a,b\",900,1,3\nc,901,2,\n");

        Path view = shown(rows);

        assertThat(view.resolve("test.csv")).hasContent("id,x,name\n900,3,\"a,b\"\n901,,c\n");
        assertThat(view.resolve("sample_submission.csv")).hasContent("id,y\n900,0\n901,0\n");
        assertThat(view.resolve("train.csv")).hasContent(TRAIN);
        assertThat(view.resolve("more/notes.txt")).hasContent("a\n");
        assertThat(rows.count()).isEqualTo(2);
        assertThat(rows.remarks()).singleElement().asString().contains("test.csv lacks the column extra");
        assertThat(folder.resolve("input/test.csv")).as("the task's own").hasContent(TEST);
    }

    /// Digits and pixels: the test table names no rows, the sample counts them.
    @Test
    void whereTheSampleCountsTheRowsSoItDoesNow() throws IOException {
        data().with("train.csv", "label,p0\n" + CardFolder.rows(1, 30, i -> i % 3 + "," + i))
                .with("test.csv", "p0\n" + CardFolder.rows(1, 20, i -> "" + i * 3 % 7))
                .with("sample_submission.csv", "ImageId,Label\n" + CardFolder.rows(1, 20, i -> i + ",0"));

        assertThat(shown(rows("p0\n5\n5\n7\n")).resolve("sample_submission.csv"))
                .hasContent("ImageId,Label\n1,0\n2,0\n3,0\n");
        assertThat(folder.resolve("view/test.csv")).hasContent("p0\n5\n5\n7\n");
    }

    @Test
    void whereRowsHaveNoNamesTheirPlacesCount() throws IOException {
        data().with("train.csv", "x,y\n1,2\n").with("test.csv", "x\n1\n2\n3\n").with("sample_submission.csv",
                "y\n0\n0\n0\n");

        assertThat(shown(rows("x\n5\n5\n")).resolve("sample_submission.csv")).hasContent("y\n0\n0\n");
    }

    @Test
    void anotherFormOfTheTestTableIsNotShown() throws IOException {
        usual().with("test.parquet", "PAR1").with("sub/Test.json", "[]");

        assertThat(shown(rows("id,x,name\n60,1,a\n"))).isDirectoryNotContaining("glob:**.parquet");
        assertThat(folder.resolve("view/sub")).isEmptyDirectory();
    }

    /// Semicolons, decimal commas, Windows' encoding and gzip stay what they are, however the new
    /// rows are written.
    @Test
    void theTablesKeepTheirFormAndPacking() throws IOException {
        Charset windows = Charset.forName("windows-1252");
        String test = "id;x;name\n31;1,5;Größe\n32;2,5;b\n";
        data().with("train.csv", "id;x;name;y\n1;1,5;Größe;0\n".getBytes(windows));
        try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(folder.resolve("input/test.csv.gz")))) {
            out.write(test.getBytes(windows));
        }
        try (ZipOutputStream out =
                new ZipOutputStream(Files.newOutputStream(folder.resolve("input/sample_submission.csv.zip")))) {
            out.putNextEntry(new ZipEntry("sample.csv"));
            out.write("id;y\n31;0,5\n32;0,5\n".getBytes(StandardCharsets.UTF_8));
        }

        Path view = shown(rows("id,x,name\n9,2.25,Maß\n"));

        try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(view.resolve("test.csv.gz")))) {
            assertThat(new String(in.readAllBytes(), windows)).isEqualTo("id;x;name\n9;2,25;Maß\n");
        }
        try (ZipInputStream in = new ZipInputStream(Files.newInputStream(view.resolve("sample_submission.csv.zip")))) {
            assertThat(in.getNextEntry().getName()).isEqualTo("sample.csv");
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("id;y\n9;0,5\n");
        }
        NewRows strange = rows("id,x,name\n9,2.25,数\n");
        refusal(() -> strange.show(Files.createDirectories(folder.resolve("other"))))
                .contains("the encoding of test.csv.gz cannot say");
    }

    /// In a row, `/` ends a line.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            id,name/60,a                    | lacks the column x of test.csv
            x,name/60,a                     | lacks the column id of test.csv
            a,b/60,a                        | lacks the columns id, x, name of test.csv
            id,x,name,x/60,1,a,1            | has more than one column x
            id,x,name                       | has a header and no rows
            id,x,name/60,1,a/60,2,b         | 1 row repeats an id: id 60 in line 3
            id,x,name/60,1,a/,2,b           | 1 row without an id: line 3
            id,x,name/60,1                  | 1 line with another number of fields than the header's 3: line 2 with 2
            ''                              | is empty
            """)
    void oneLineSaysWhatIsWrongWithThem(String content, String said) throws IOException {
        usual();
        refusal(() -> rows(content.equals("''") ? "" : content.replace('/', '\n'))).contains(said, "new.csv")
                .doesNotContain("\n");
    }

    @Test
    void theTrainingTableIsRefusedUnderAnyName() throws IOException {
        usual();
        assertThatThrownBy(() -> rows(TRAIN)).hasMessageContaining("holds the rows of train.csv");
    }

    @Test
    void whatIsNoTableOfRowsIsRefusedWithAReason() throws IOException {
        data().with("train/a/1.png", "x").with("train/b/2.png", "y").with("test/3.png", "z");
        assertThatThrownBy(() -> rows("id\n1\n")).hasMessageContaining("have no test table in text");

        usual();
        assertThatThrownBy(() -> rows("id,x,name\n60,1,a\n"))
                .hasMessageContaining("lies in files of its own, e.g. test/3.png");

        Files.delete(folder.resolve("input/test/3.png"));
        data().with("sample_submission.csv", "id_day,y\n31_1,0\n31_2,0\n");
        assertThatThrownBy(() -> rows("id,x,name\n60,1,a\n"))
                .hasMessageContaining("the rows of the sample submission are not those of test.csv, by id_day");
    }
}
