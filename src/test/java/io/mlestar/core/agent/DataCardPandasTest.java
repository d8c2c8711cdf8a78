package io.mlestar.core.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.Installed;
import io.mlestar.core.survey.DataReading;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/// What the data card says of tables that the defaults of pandas.read_csv misread.
class DataCardPandasTest {
    private static final String TRAPS = "/pandas-traps.csv";
    private static final int ROWS = 30;
    private static final boolean HAS_PANDAS = hasPandas();

    @TempDir
    private Path folder;

    private CardFolder data;

    @BeforeEach
    void prepare() throws IOException {
        data = CardFolder.in(folder);
    }

    /// @param begin of the file; `¶` ends a line
    /// @param row a Java format of the row's number, that modulo 3 and that plus 2^53
    private List<String> lines(String begin, String row, String charset) throws Exception {
        String content = (begin == null ? "" : begin.replace("¶", "\n"))
                + CardFolder.rows(1, ROWS, i -> String.format(row, i, i % 3, (1L << 53) + 2 * i - 1));
        return data.with("t.csv", content.getBytes(Charset.forName(charset == null ? "UTF-8" : charset))).lines();
    }

    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = TRAPS, delimiter = '~', quoteCharacter = '^')
    void eachTrapIsALineWithTheArgumentThatReadsItRight(String trap, String begin, String row, String charset,
            String line) throws Exception {
        assertThat(lines(begin, row, charset)).contains(
                "What the defaults of pandas.read_csv misread, and what reads it right", "- \"t.csv\": " + line);
    }

    /// Of the same files.
    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = TRAPS, delimiter = '~', quoteCharacter = '^')
    void pandasReadsWithTheArgumentsWhatTheDefaultsMisread(String trap, String begin, String row, String charset)
            throws Exception {
        Installed.assume(HAS_PANDAS, "pandas for python3", "the arguments of the data card against pandas itself");
        List<String> tried =
                lines(begin, row, charset).stream().filter(line -> line.contains("tried with pandas")).toList();
        assertThat(tried).singleElement().asString().containsPattern(
                "tried with pandas [0-9.]+ on (29|3[0-2]) rows: the defaults (misread|give|fail|name)");
    }

    private static boolean hasPandas() {
        try {
            return new ProcessBuilder("python3", "-c", "import pandas").redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start()
                    .onExit().join().exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void theWholeCallIsALineAndItsTryOrWhyThereWasNone() throws Exception {
        assertThat(lines("id;price¶", "%05d;%1$d,5", null)).anyMatch(line -> line.matches(
                "- \"t.csv\": read_csv\\(sep=\";\", decimal=\",\", dtype=\\{\"id\": str}\\); (not tried: .+|tried with pandas .+ on 30 rows: .+)"));
    }

    @Test
    void withoutTimeForATryTheLinesStandAndItIsSaid() throws Exception {
        assertThat(DataReading.read(data.with("t.csv", "a;b\n1;x\n2;y\n").printed(0)).lines())
                .noneMatch(line -> line.contains("tried with pandas"));
    }

    @Test
    void aTableThatIsReadRightHasNoLine() throws Exception {
        data.with("a.csv",
                "id,x,kind,flag,day\n"
                        + CardFolder.rows(1, 30,
                                i -> i + "," + i + ".5,k" + i % 3 + "," + (i % 2 == 0 ? "True" : "") + ",2024-01-"
                                        + (10 + i % 20)))
                .with("b.csv", "id,text\n" + CardFolder.rows(1, 30, i -> i + ",\"one, two\nand \"\"more\"\"\""))
                .with("c.csv", "#id,x\n" + CardFolder.rows(1, 30, i -> i + "," + i % 7));
        assertThat(data.lines()).noneMatch(line -> line.contains("pandas"));
    }

    @Test
    void whatStandsBeforeTheHeaderIsNotTakenForData() throws Exception {
        assertThat(lines("Sales of 2024¶¶id,kind¶", "%d,k%2$d", null)).contains(
                "Table \"t.csv\": 30 rows, 2 columns; 2 lines before the header",
                "- \"id\": identifier, 1 to 30",
                "- \"kind\": category, 3 values: \"k0\" 33.3 %, \"k1\" 33.3 %, \"k2\" 33.3 %");
    }

    @Test
    void rowsLongerThanTheHeaderAreTakenAsTheHeaderNamesThem() throws Exception {
        assertThat(lines("kind,x¶", "\"r%d\",k%2$d,%1$d", null)).contains(
                "Table \"t.csv\": 30 rows, 2 columns; rows have 1 field more than the header",
                "- \"kind\": category, 3 values: \"k0\" 33.3 %, \"k1\" 33.3 %, \"k2\" 33.3 %",
                "- \"t.csv\": the first field of each row has no name, and becomes the index: index_col=False would shift the names to the left");
    }
}
