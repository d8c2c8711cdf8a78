package io.mlestar.core.agent;

import static io.mlestar.core.agent.CardFolder.rows;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.survey.DataReading;
import module java.base;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The data card's words on data as they usually are.
class DataCardScriptTest {
    @TempDir
    private Path folder;
    private CardFolder data;

    @BeforeEach
    void prepare() throws IOException {
        data = CardFolder.in(folder);
    }

    private static byte[] png(int width, int height, int colour) {
        return ByteBuffer.allocate(33).put(new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'}).putInt(13)
                .put("IHDR".getBytes(StandardCharsets.US_ASCII))
                .putInt(width).putInt(height).put((byte) 8).put((byte) colour).array();
    }

    private static byte[] jpeg(int width, int height, int channels) {
        return ByteBuffer.allocate(40).put(new byte[] {(byte) 0xff, (byte) 0xd8, (byte) 0xff, (byte) 0xe0, 0, 16})
                .put(new byte[14])
                .put(new byte[] {(byte) 0xff, (byte) 0xc0, 0, 11, 8}).putShort((short) height).putShort((short) width)
                .put((byte) channels).array();
    }

    private static byte[] wav(int rate, int channels, int seconds) {
        int bytes = rate * channels * 2 * seconds;
        return ByteBuffer.allocate(44 + bytes).order(ByteOrder.LITTLE_ENDIAN)
                .put("RIFF".getBytes(StandardCharsets.US_ASCII)).putInt(36 + bytes)
                .put("WAVEfmt ".getBytes(StandardCharsets.US_ASCII)).putInt(16).putShort((short) 1)
                .putShort((short) channels).putInt(rate)
                .putInt(rate * channels * 2).putShort((short) (channels * 2)).putShort((short) 16)
                .put("data".getBytes(StandardCharsets.US_ASCII)).putInt(bytes)
                .array();
    }

    @Test
    void foldersThatAreClassesAreTold() throws Exception {
        for (int i = 0; i < 9; i++) {
            data.with("train/" + (i % 3 == 0 ? "cats" : "dogs") + "/" + i + ".png", png(8, 8, 2))
                    .with("test/" + i + ".png", png(8, 8, 2));
        }
        assertThat(data.lines()).contains(
                "- label: \"label\", which is the folder name: 2 values: \"dogs\" 66.7 %, \"cats\" 33.3 %",
                "- not clear: there is no table for the form of the submission");
    }

    @Test
    void tablesAreToldColumnByColumnAndWhatTheyHaveToDoWithEachOther() throws Exception {
        data.with("train.csv",
                "id,city,when,price,note,flag,same,damaged\n" + rows(1, 20,
                        i -> i + "," + (i % 3 == 0 ? "Oslo" : "\"Bern, CH\"") + ",2024-01-" + (10 + i) + ","
                                + (i % 4 == 0 ? "" : i + ".5") + ",\"two\nlines " + i + "\","
                                + (i % 2 == 0 ? "yes" : "no") + ",7," + (i % 5 == 0 ? 1 : 0)))
                .with("test.csv",
                        "id,city,when,price,note,flag,same\n"
                                + rows(21, 30, i -> i + ",Oslo,2024-02-" + i + ",NA,x,no,7"))
                .with("sample_submission.csv", "id,damaged\n" + rows(21, 30, i -> i + ",0"))
                .with("extra.tsv", "id\tweight\n" + rows(1, 25, i -> i + "\t" + i + "e-1"));

        List<String> card = Files.readAllLines(Path.of("src/test/resources/cases/data-card.txt"));
        assertThat(data.lines()).filteredOn(line -> !line.contains("read_csv")).isEqualTo(card);
    }

    /// Else the label of a hidden row stood in every prompt.
    @Test
    void neitherTheLeastNorTheMostNumberToBePredictedIsTold() throws Exception {
        data.with("train.csv", "id,x,y\n" + rows(1, 200, i -> i + "," + i % 7 + "," + (1000.25 + 3 * i)))
                .with("backup.csv", "id,y\n" + rows(1, 200, i -> i + "," + (1000.25 + 3 * i)))
                .with("test.csv", "id,x\n" + rows(201, 230, i -> i + "," + i % 7))
                .with("sample_submission.csv", "id,y\n" + rows(201, 230, i -> i + ",0"));

        assertThat(String.join("\n", data.lines())).doesNotContain("1003.25", "1600.25")
                .contains("label: \"y\": real, mostly 1.03e+03 to 1.57e+03, quartiles 1.15e+03, 1.3e+03, 1.45e+03")
                .contains("- \"y\": real, mostly 1.03e+03 to 1.57e+03");
    }

    @Test
    void longNumbersThatNameRowsAreToldInFull() throws Exception {
        data.with("train.csv",
                "id,user,y\n" + rows(1, 50, i -> 9_007_199_254_740_993L + 2 * i + ","
                        + (1_234_567_890_123_456_789L + i % 20) + "," + i % 3));

        assertThat(data.lines()).contains("- \"id\": identifier, 9007199254740995 to 9007199254741093")
                .anyMatch(line -> line.startsWith("- \"user\": integer, 1234567890123456789 to 1234567890123456808"));
    }

    @Test
    void formsOfNumbersAndDatesAreRecognized() throws Exception {
        data.with("train.csv",
                "a;b;c;d;e;f;g;h\n" + rows(10, 59,
                        i -> i + ",5;0" + i + ";1,0" + i + ";" + (i - 9) % 13 + "/12/2020;" + i % 24 + ":30;"
                                + (i == 30 ? "unknown" : i) + ";" + (i == 40 ? "-inf" : i + "e3") + ";2020-01-02T03:04:"
                                + i + "Z"));
        assertThat(data.lines()).contains(
                "Table \"train.csv\": 50 rows, 8 columns; delimiter semicolon",
                "- \"a\": real with decimal comma, 10.5 to 59.5, quartiles 22.5, 34.5, 46.5, 50 values",
                "- \"b\": digits with leading zeros, 10 to 59, quartiles 22, 34, 46, 50 values",
                "- \"c\": number with commas between thousands, 1010 to 1059, quartiles 1022, 1034, 1046, 50 values",
                "- \"d\": date, day and month first, 13 values, e.g. \"1/12/2020\", \"2/12/2020\", \"3/12/2020\"",
                "- \"e\": time, 24 values, e.g. \"10:30\", \"11:30\", \"12:30\"",
                "- \"f\": text, but 98 % are numbers, the others: \"unknown\" 2.0 %",
                "- \"g\": real, -inf to 59000, quartiles 21000, 33000, 46000, 50 values",
                "- \"h\": date, \"2020-01-02T03:04:10Z\" to \"2020-01-02T03:04:59Z\", 50 values");
    }

    @Test
    void encodingsAreRecognized() throws Exception {
        Map<String, String> words = Map.of("UTF-8", "Größe", "UTF-16", "Größe", "UTF-16LE", "Größe", "UTF-16BE",
                "Größe", "windows-1252", "Ö1", "UTF-32", "Größe", "windows-1251", "Москва", "Shift_JIS",
                "東京タワー");
        for (Map.Entry<String, String> word : words.entrySet()) {
            String text = "a,b\n" + rows(1, 30, i -> word.getValue() + "," + i);
            data.with(word.getKey() + ".csv", word.getKey().equals("UTF-32")
                    ? ("\ufeff" + text).getBytes(Charset.forName("UTF-32LE"))
                    : text.getBytes(Charset.forName(word.getKey())));
        }
        List<String> lines = data.lines();
        assertThat(lines).filteredOn(line -> line.startsWith("Table ")).containsExactlyInAnyOrder(
                "Table \"UTF-8.csv\": 30 rows, 2 columns",
                "Table \"UTF-16.csv\": 30 rows, 2 columns; encoding UTF-16",
                "Table \"UTF-16LE.csv\": 30 rows, 2 columns; encoding UTF-16-LE",
                "Table \"UTF-16BE.csv\": 30 rows, 2 columns; encoding UTF-16-BE",
                "Table \"UTF-32.csv\": 30 rows, 2 columns; encoding UTF-32",
                "Table \"windows-1252.csv\": 30 rows, 2 columns; encoding Windows-1252 or Latin-1, not UTF-8",
                "Table \"windows-1251.csv\": 30 rows, 2 columns; encoding Windows-1251, not UTF-8",
                "Table \"Shift_JIS.csv\": 30 rows, 2 columns; encoding Shift-JIS (cp932), not UTF-8");
        assertThat(lines).filteredOn(line -> line.startsWith("- \"a\": constant")).containsExactlyInAnyOrderElementsOf(
                words.values().stream().map(word -> "- \"a\": constant, always \"" + word + "\"").toList());
    }

    @Test
    void aFileThatIsNotWhatItsNameSaysIsNamed() throws Exception {
        Map<String, String> begins = Map.of("PK\u0003\u0004........[Content_Types].xml",
                "a workbook of Excel: save it as CSV", "PK\u0003\u0004........train.csv", "a zip: call it .zip",
                "version https://git-lfs.github.com/spec/v1", "a pointer of git-lfs, not the data: git lfs pull",
                "<!DOCTYPE html><html><body>Log in</body>", "a web page, perhaps one to log in, not the data", "PAR1",
                "Parquet: call it .parquet");
        for (String begin : begins.keySet()) {
            data.with(begin.hashCode() + ".csv", begin + "\n1,2\n");
        }
        List<String> lines = data.lines();
        assertThat(begins).allSatisfy((begin, what) -> assertThat(lines)
                .contains("Table \"" + begin.hashCode() + ".csv\" could not be read: it is " + what));
    }

    @Test
    void wordsThatPandasReadsAsMissingAreCategoriesWhereWordsStand() throws Exception {
        String[] kinds = {"None", "Apnea", "Insomnia"};
        data.with("train.csv",
                "id,kind,size,ok,all\n"
                        + rows(1, 60, i -> i + "," + kinds[i % 3] + "," + (i % 2 == 0 ? "NA" : i) + ","
                                + (i % 4 == 0 ? "NA" : i % 2 == 0) + ",NULL"));
        assertThat(data.lines()).contains(
                "- \"kind\": category, 33.3 % are written \"None\", which pandas reads as missing (keep_default_na=False), "
                        + "3 values: \"Apnea\" 33.3 %, \"Insomnia\" 33.3 %, \"None\" 33.3 %",
                "- \"size\": integer, 50 % missing, 1 to 59, quartiles 15, 29, 43, 30 values",
                "- \"ok\": boolean, 25 % missing, 25 % are written \"NA\", which pandas reads as missing (keep_default_na=False), \"false\" 66.7 %, \"true\" 33.3 %",
                "- \"all\": empty");
    }

    @Test
    void aFirstRowWhoseWordsStandBelowAgainIsNoHeader() throws Exception {
        data.with("adult.csv",
                rows(0, 39,
                        i -> (i == 0 ? 39 : i) + "," + (i % 3 == 0 ? "State-gov" : "Private") + ","
                                + (i % 2 == 0 ? "<=50K" : ">50K")))
                .with("twice.csv",
                        "kind,place\n" + rows(0, 39, i -> i == 20 ? "kind,place" : "k" + i % 3 + ",Rome"));
        assertThat(data.lines()).contains("Table \"adult.csv\": 40 rows, 3 columns; no header",
                "- \"column 3\": category, 2 values: \"<=50K\" 50 %, \">50K\" 50 %")
                .anyMatch(line -> line.startsWith("- \"place\": "));
    }

    @Test
    void packedTablesAndRecordsAreReadAndParquetSaysWhatItNeeds() throws Exception {
        data.with("a.csv.gz", CardFolder.packed("x,y\n1,2\n3,4\n", 1))
                .with("b.jsonl", "{\"x\": 1, \"y\": \"a\"}\n{\"x\": 2.5, \"z\": [1]}\nnope\n")
                .with("c.json", "{\"version\": 1, \"rows\": [{\"x\": true}, {\"x\": null}]}").with("d.parquet", "PAR1")
                .with("e.npy", "\u0093NUMPY\u0001\0v\0{'descr': '<f4', 'fortran_order': False, 'shape': (100, 28), }\n"
                        .getBytes(StandardCharsets.ISO_8859_1));
        assertThat(data.lines())
                .contains("Table \"a.csv.gz\": 2 rows, 2 columns",
                        "Table \"b.jsonl\": 3 rows, 3 columns; figures of 2 of them; 1 line is no JSON objects",
                        "- \"z\": constant, 50 % missing, always \"[1]\"",
                        "Table \"c.json\": 2 rows, 1 column; the list under \"rows\"",
                        "- \"e.npy\": array of shape (100, 28), type \"<f4\"")
                .anyMatch(line -> line.startsWith("Table \"d.parquet\" could not be read: "));
    }

    @Test
    void imagesAndSoundsAreToldByTheirHeaders() throws Exception {
        for (int i = 0; i < 40; i++) {
            data.with("train/class" + i % 10 + "/" + i + ".png", png(28, i < 30 ? 28 : 30, 0));
        }
        for (int i = 0; i < 8; i++) {
            data.with("test/" + i + ".jpg", i == 0 ? new byte[0] : jpeg(640, 480, 3)).with("calls/" + i + ".wav",
                    wav(8_000, 1, 1 + i % 2));
        }
        data.with("labels.csv",
                "id,label\n" + rows(0, 39, i -> "train/class" + i % 10 + "/" + i + ".png,class" + i % 10));
        assertThat(data.lines()).contains(
                "- \"train/*/*.png\": 40 files, 1.32 kB, each 33 bytes; 10 folders with 4 to 4 files, e.g. \"class0\", \"class1\", \"class2\"",
                "- \"id\" of \"labels.csv\" names files: 100 % of those looked at, e.g. \"train/class0/0.png\"",
                "- \"train/*/*.png\": 40 images; PNG grey; pixels (width x height) 28 x 28 75 %, 28 x 30 25 %",
                "- \"test/*.jpg\": 8 images; JPEG RGB; pixels (width x height) 640 x 480; 1 could not be read: no image of a format that is known here",
                "- \"calls/*.wav\": 8 sounds; seconds 1 to 2, quartiles 1, 1, 2; 8000 Hz, 1 channel");
    }

    @Test
    void manyColumnsAreShortenedToTheFirstAndTheRemarkableOnes() throws Exception {
        List<String> names =
                IntStream.range(0, 2_000).mapToObj(i -> "n" + i + "x").collect(Collectors.toCollection(ArrayList::new));
        names.set(1_500, "forgotten");
        data.with("train.csv", String.join(",", names) + "\n" + rows(1, 60, row -> IntStream.range(0, 2_000)
                .mapToObj(i -> i == 1_500 ? "7" : Integer.toString(row * (i + 13) % 101))
                .collect(Collectors.joining(","))));
        List<String> lines = data.lines();
        assertThat(String.join("\n", lines)).hasSizeBetween(12_000, 16_000);
        assertThat(lines).contains("Table \"train.csv\": 60 rows, 2,000 columns", "- \"forgotten\": constant, always 7")
                .anyMatch(line -> line.matches("- and 1,[0-9]{3} more columns: 1,[0-9]{3} integer"));
    }

    @Test
    void columnsThatDifferInANumberAreToldInOneLine() throws Exception {
        data.with("train.csv",
                "label," + IntStream.range(0, 784).mapToObj(i -> "pixel" + i).collect(Collectors.joining(","))
                        + ",last\n"
                        + rows(1, 30,
                                row -> row % 3 + ","
                                        + String.join(",", Collections.nCopies(783, row % 2 == 0 ? "0" : "255")) + ",5,"
                                        + row));
        assertThat(data.lines()).contains("- \"label\": integer, 3 values: \"0\" 33.3 %, \"1\" 33.3 %, \"2\" 33.3 %",
                "- \"pixel0\" to \"pixel783\", 784 columns: 783 integer, 1 constant; values 0 to 255, quartiles 0, 5, 255 (of the different ones of each)",
                "- \"last\": integer, 1 to 30, quartiles 8, 15, 22, 30 values").hasSize(9);
    }

    @Test
    void columnsOfOneAndTheSameValueAreToldInOneLine() throws Exception {
        data.with("sample_submission.csv",
                "id,ant,bee,cat,dog,p1,p2,p3\n" + rows(1, 20, row -> row + ",0.2,0.2,0.2,0.2,0,0,0"));
        assertThat(data.lines()).contains("- \"ant\" to \"dog\", 4 columns: constant, always 0.2",
                "- \"p1\": constant, always 0");
    }

    @Test
    void textsWorthReadingAreShownAtLength() throws Exception {
        String word = "a sentence of this table that says something, number ";
        data.with("train.csv",
                "id,text,name\n" + rows(1, 60, row -> row + ",\"" + word + row + "\",the name " + row));
        assertThat(data.lines()).anyMatch(line -> line.startsWith("- \"text\": text, 60 values") && line.endsWith(
                IntStream.rangeClosed(1, 4).mapToObj(row -> "\"" + word + row + "\"")
                        .collect(Collectors.joining(", "))))
                .anyMatch(
                        line -> line.startsWith("- \"name\": text") && line.endsWith("\"the name 1\", \"the name 2\""));
    }

    @Test
    void aLargeTableIsToldByRowsSpreadOverItAndItsLinesAreCounted() throws Exception {
        int rows = 1_200_000;
        StringBuilder table = new StringBuilder(48 << 20).append("id,part,text\n");
        for (int i = 0; i < rows; i++) {
            table.append(i).append(',').append(i * 4L / rows).append(",some words that are not short\n");
        }
        List<String> lines = data.with("train.csv", table.toString()).lines();
        assertThat(lines)
                .anyMatch(line -> line.matches(
                        "Table \"train.csv\": 1,200,000 rows, 3 columns; figures of [0-9]{2,3},[0-9]{3} of them"))
                .anyMatch(line -> line.matches("- \"id\": identifier, [0-9] to 1199[0-9]{3}"))
                .anyMatch(line -> line.matches("- \"part\": integer, 4 values: \"[0-3]\" 2[0-9.]* %.*"));
    }

    @Test
    void whatIsNotDoneInTimeIsLeftOutAndItSaysSo() throws Exception {
        data.with("train.csv", "a,b\n1,2\n");
        List<String> lines = DataReading.read(data.printed(0)).lines();
        assertThat(lines.getFirst()).startsWith("Cut: after 0 seconds");
    }
}
