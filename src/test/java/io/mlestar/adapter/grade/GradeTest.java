package io.mlestar.adapter.grade;

import static io.mlestar.Refusal.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.agent.CardFolder;
import io.mlestar.core.step.DataTables;
import io.mlestar.core.survey.DataReading;
import io.mlestar.core.survey.SurveyScripts;
import module java.base;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The tables of a task, the form of its submission, and what a submission is worth. A sample is
/// well formed by definition; it is found by the survey, and without one by its name.
class GradeTest {
    private static final String SAMPLE = "id,y\n1,0.5\n2,0.5\n3,0.5\n";

    private static final IntFunction<String> ZERO = row -> row + ",0";
    private static final String TRAIN = "id,x,y\n" + CardFolder.rows(1, 30, i -> i + "," + i % 7 + "," + i % 5 * 1.5);
    private static final String TEST = "id,x\n" + CardFolder.rows(31, 50, i -> i + "," + i % 7);
    private static final String TWENTY = "id,y\n" + CardFolder.rows(31, 50, ZERO);

    private static Table table(String csv) {
        return Table.of("table", csv.getBytes(StandardCharsets.UTF_8), 1);
    }

    private static InputStream csv(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static List<String> problems(String sample, String submission) {
        return SubmissionForm.of("sample", () -> csv(sample)).read("table", csv(submission), _ -> true).problems();
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/metric/problems.csv", delimiter = '|', numLinesToSkip = 1,
            quoteCharacter = '`', nullValues = "none")
    void eachThingThatIsWrongWithASubmissionIsOneLine(String csv, String problem) {
        List<String> problems = problems(SAMPLE, csv.replace(";", "\n"));
        if (problem == null) {
            assertThat(problems).isEmpty();
        } else {
            assertThat(problems).contains(problem).allSatisfy(line -> assertThat(line).doesNotContain("\n"));
        }
    }

    /// A byte that is not text lies behind more rows than are read.
    @Test
    void aSubmissionOfFarTooManyRowsIsNotReadToItsEndAndOnlyTheRowsThatAreAskedForAreKept() {
        String rows = IntStream.range(0, 2_000).mapToObj(i -> i + ",1\n").collect(Collectors.joining());
        SubmissionForm form = SubmissionForm.of("sample", () -> csv(SAMPLE));
        InputStream endless =
                new SequenceInputStream(csv("id,y\n" + rows), new ByteArrayInputStream(new byte[] {(byte) 0xff}));
        Table read = form.read("submission", endless, Set.of("2", "7")::contains);
        assertThat(read.problems()).containsExactly("there are more than 1006 rows; there must be 3");
        assertThat(read.rows()).containsOnlyKeys("2");
        assertThat(form.rows()).isEqualTo(3);
    }

    @Test
    void classesMustBeThereButNeedNotBeNumbers() {
        String sample = "id,kind\n1,cat\n2,cat\n";
        assertThat(problems(sample, "id,kind\n1,dog\n2,cat\n")).isEmpty();
        assertThat(problems(sample, "id,kind\n1,NaN\n2,\n"))
                .containsExactly("2 values of kind are missing; the first: \"NaN\" in line 2");
    }

    @Test
    void filesThatAreNoCsvAreRefused() {
        refusal(() -> table("")).contains("empty");
        refusal(() -> Table.of("it", new byte[] {(byte) 0xff, 1}, 1)).contains("no text");
        assertThat(table("\uFEFFid,y\r\n1,\"a,b\"\r\n\r\n").rows().get("1").getFields()).containsExactly("1", "a,b");
    }

    @Test
    void aRowOfNoWeightDoesNotCount() {
        Grade grade = Grade.of("accuracy", table("id,y\n1,a\n2,b\n"), table("id,y,weight\n1,a,1\n2,a,0\n"));
        assertThat(grade.score()).isEqualTo(1);
        assertThat(grade.rows()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    False;False | 1;0         | column y has 1 and 0, where the sample submission writes True and False; not each scorer takes both
                    False;False | true;false  | column y has true and false, where the sample submission writes True and False; not each scorer takes both
                    false;true  | True;false  | column y has false and True, where the sample submission writes true and false; not each scorer takes both
                    False;False | True;False  |
                    0;0         | True;False  |
                    """)
    void booleansThatTheSampleWritesInOtherWordsAreNamed(String sample, String given, String said, @TempDir Path data)
            throws IOException {
        Files.writeString(data.resolve("sample_submission.csv"), "id,y\n1," + sample.replace(";", "\n2,") + "\n");
        assertThat(
                Submissions.spellings(TaskTables.of(data, Optional.empty()),
                        table("id,y\n1," + given.replace(";", "\n2,") + "\n")))
                .isEqualTo(said == null ? List.of() : List.of(said));
    }

    private static Table read(byte[] sample, byte[] submission) {
        return SubmissionForm.of("the sample", () -> new ByteArrayInputStream(sample)).read("it",
                new ByteArrayInputStream(submission), _ -> true);
    }

    private static List<String> problemsOf(String sample, String submission) {
        return read(text(sample), text(submission)).problems();
    }

    private static byte[] text(String lines) {
        return lines.replace("/", "\n").replace("_", "\t").getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void twoFormsOfOneTextAreToldApart() {
        assertThat(problemsOf("id,y/caf\u00e9,0/b,0", "id,y/cafe\u0301,0/b,0")).hasSize(2)
                .anyMatch(line -> line.contains("caf\u00e9") && !line.contains("NFC"))
                .anyMatch(
                        line -> line.contains("cafe\u0301 (with accents apart, not in Unicode's form NFC) in line 2"));
    }

    /// Rows are parted by slashes, and an underscore is a tab. The form: delimiter, decimal sign
    /// and how many columns name a row.
    @ParameterizedTest
    @CsvFileSource(resources = "/metric/forms.csv", delimiter = '!', numLinesToSkip = 1,
            quoteCharacter = '`')
    void realFormsAreTakenAndWhatDiffersIsNot(String sample, String form, String good, String bad) {
        assertThat(problemsOf(sample, sample)).isEmpty();
        assertThat(problemsOf(sample, good)).isEmpty();
        assertThat(problemsOf(sample, bad)).isNotEmpty();
        assertThat(String
                .valueOf(new char[] {read(text(sample), text(sample)).format().delimiter(),
                    read(text(sample), text(sample)).format().decimal()})
                + read(text(sample), text(sample)).format().keys()).isEqualTo(form.replace("\\t", "\t"));
    }

    /// The test has the rows 1 to 9, and the sample the first four of them.
    @ParameterizedTest
    @CsvSource(delimiter = '!', textBlock = """
            1 9 ! ''
            1 4 ! ''
            1 7 ! rows: 7; there must be 9, 2 ids of the test table are missing; the first: 8
            1 10 ! rows: 10; there must be 9, 1 id is not in the sample submission: 10 in line 11
            """)
    void aSampleOfAFewRowsOfTheTestAsksForAllOrForItsOwn(String ids, String problems, @TempDir Path data)
            throws IOException {
        Files.writeString(data.resolve("train.csv"), "id,x,y\n0,1,2\n");
        Files.writeString(data.resolve("test.csv"), "id,x\n" + CardFolder.rows(1, 9, ZERO));
        Files.writeString(data.resolve("sample_submission.csv"), "id,y\n" + CardFolder.rows(1, 4, ZERO));
        String[] range = ids.split(" ");
        byte[] submission = ("id,y\n" + CardFolder.rows(Integer.parseInt(range[0]), Integer.parseInt(range[1]), ZERO))
                .getBytes(StandardCharsets.UTF_8);

        assertThat(Submissions
                .read(TaskTables.of(data, Optional.empty()), "the submission", new ByteArrayInputStream(submission))
                .problems())
                .isEqualTo(problems.isEmpty() ? List.of() : List.of(problems.split(", (?=[12] id)")));
    }

    @Test
    void rowsOfTheTestThatASubmissionLeavesOutAreCounted() {
        SubmissionForm form =
                SubmissionForm
                        .of("the sample",
                                () -> new ByteArrayInputStream(
                                        ("id,y\n" + CardFolder.rows(1, 4, ZERO)).getBytes(StandardCharsets.UTF_8)))
                        .of(IntStream.rangeClosed(1, 9).mapToObj(String::valueOf).collect(Collectors.toSet()));
        assertThat(form.unpredicted(4)).isEqualTo(5);
        assertThat(form.unpredicted(9)).isZero();
    }

    /// In each encoding, with each end of a line, and in each packing.
    @ParameterizedTest
    @ValueSource(strings = {",", ";", "\t", "|"})
    void aCopyOfAnySampleIsWellFormedAndGradedByItself(String delimiter) throws IOException {
        String lines = "key 1;key 2;größe\n\"k0;\"\"\";ä0;0.5\nk0;ä1;NaN\nk1;ä0;5\" pipe\n".replace(";", delimiter);
        for (Charset charset : List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16, StandardCharsets.UTF_16LE,
                Charset.forName("windows-1252"))) {
            for (String end : List.of("\n", "\r\n", "\r")) {
                for (int packing = 0; packing < 3; packing++) {
                    byte[] sample = packed(lines.replace("\n", end), charset, packing);
                    Table read = read(sample, sample);
                    assertThat(read.problems()).as("%s, packing %d", charset, packing).isEmpty();
                    assertThat(read.rows()).hasSize(3);
                    assertThat(Grade.of("accuracy", read, read).score()).isEqualTo(1);
                }
            }
        }
    }

    private static byte[] packed(String text, Charset charset, int how) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        OutputStream out = bytes;
        if (how == 1) {
            out = new GZIPOutputStream(bytes);
        } else if (how == 2) {
            ZipOutputStream zip = new ZipOutputStream(bytes);
            zip.putNextEntry(new ZipEntry("__MACOSX/._sample.csv"));
            zip.putNextEntry(new ZipEntry("sample.csv"));
            out = zip;
        }
        try (OutputStream packing = out) {
            packing.write(text.getBytes(charset));
        }
        return bytes.toByteArray();
    }

    @Test
    void aSampleThatIsNoTableOfTextIsNamed(@TempDir Path data) throws IOException {
        Files.writeString(data.resolve("train.csv"), TRAIN);
        assertThat(TaskTables.of(data, Optional.empty()).unreadSample()).isEmpty();
        Files.write(data.resolve("sample_submission.parquet"), new byte[] {'P', 'A', 'R', '1'});

        assertThat(TaskTables.of(data, Optional.empty()).sample()).isEmpty();
        assertThat(TaskTables.of(data, Optional.empty()).unreadSample())
                .contains("\"sample_submission.parquet\" is no table of text; put it beside the data as CSV");
    }

    /// Files beside `train.csv` and `test.csv`: `=` holds the form, `!` several values, `+` the
    /// rows of the test with a new feature, `?` other rows, `-` something else.
    @ParameterizedTest
    @CsvFileSource(resources = "/metric/samples.csv", delimiter = ',', numLinesToSkip = 1)
    void theSampleIsFoundByItsContentThenByItsName(String files, String found, @TempDir Path folder) throws Exception {
        CardFolder data = CardFolder.in(folder).with("train.csv", TRAIN).with("test.csv", TEST);
        for (String file : files.split(" ")) {
            String name = file.substring(0, file.length() - 1);
            String content = file.endsWith("=") ? TWENTY : file.endsWith("!") ? TWENTY.replace("1,0", "1,2")
                    : file.endsWith("+") ? TWENTY.replace("id,y", "id,z")
                    : file.endsWith("?") ? TWENTY.replaceAll("\n(?=\\d)", "\n90") : "a,b\n1,2\n3,4\n";
            data.with(name, name.endsWith("tsv") ? content.replace(',', '\t') : content);
        }
        DataTables tables = DataReading.tables(data.printed(SurveyScripts.form(CardFolder.PATIENT, "", List.of())));
        assertThat(TaskTables.of(data.data(), Optional.of(tables)).sample())
                .isEqualTo(Optional.ofNullable(found).map(data.data()::resolve));
    }

    @Test
    void withoutASurveyNamesTellAndNoTableLiesElsewhere(@TempDir Path folder) throws Exception {
        Path data = CardFolder.in(folder).with("train.csv", TRAIN).with("test.csv", TEST).with("submission.csv", TWENTY)
                .with("sample_submission.csv", TWENTY).data();
        assertThat(TaskTables.of(data, Optional.empty())).isEqualTo(
                new TaskTables(data, Optional.of(data.resolve("train.csv")), Optional.of(data.resolve("test.csv")),
                        Optional.of(data.resolve("sample_submission.csv"))));
        Files.writeString(folder.resolve("elsewhere.csv"), TWENTY);
        assertThat(TaskTables.of(data, Optional.of(new DataTables(null, null, "../elsewhere.csv"))).sample()).isEmpty();
    }
}
