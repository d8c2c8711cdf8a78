package io.mlestar.adapter.grade;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What samples show, in the forms that competitions really use. A sample is well formed by
/// definition.
class SubmissionFormTest {
    private static Table read(byte[] sample, byte[] submission) {
        return SubmissionForm.of("the sample", () -> new ByteArrayInputStream(sample)).read("it",
                new ByteArrayInputStream(submission), _ -> true);
    }

    private static List<String> problems(String sample, String submission) {
        return read(text(sample), text(submission)).problems();
    }

    private static byte[] text(String lines) {
        return lines.replace("/", "\n").replace("_", "\t").getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void twoFormsOfOneTextAreToldApart() {
        assertThat(problems("id,y/caf\u00e9,0/b,0", "id,y/cafe\u0301,0/b,0")).hasSize(2)
                .anyMatch(line -> line.contains("caf\u00e9") && !line.contains("NFC"))
                .anyMatch(
                        line -> line.contains("cafe\u0301 (with accents apart, not in Unicode's form NFC) in line 2"));
    }

    /// Rows are parted by slashes, and an underscore is a tab. The form: delimiter, decimal sign
    /// and how many columns name a row.
    @ParameterizedTest
    @CsvSource(delimiter = '!', quoteCharacter = '`',
            textBlock = """
                    id,y/1,0/2,0                                      ! ,.1 ! id,y/2,0.5/1,7                                    ! id,y/1,0/1,0
                    city,year,week,cases/sj,2008,18,0/sj,2008,19,0    ! ,.3 ! city,year,week,cases/sj,2008,19,4/sj,2008,18,25   ! city,year,week,cases/sj,2008,18,0/iq,2008,19,0
                    SearchId,PropertyId/1,5/1,6/2,5                   ! ,.0 ! SearchId,PropertyId/1,6/1,5/2,5                   ! SearchId,PropertyId/1,5/1,6
                    image,x,y/a.png,0,0/a.png,0,0/b.png,0,0           ! ,.0 ! image,x,y/a.png,1,2/a.png,3,4/b.png,5,6           ! image,x,y/a.png,1,2/a.png,3,q/b.png,5,6
                    date,store,sales/2020-01-01,1,0/2020-01-01,2,0    ! ,.2 ! date,store,sales/2020-01-01,2,9/2020-01-01,1,8    ! date,store,sales/2020-01-01,2,9/2020-01-02,1,8
                    user_id,item_id,score/1,2,0.5/1,3,0.5             ! ,.2 ! user_id,item_id,score/1,3,0.5/1,2,1               ! user_id,item_id,score/1,3,0.5/1,3,1
                    id;y/41;0,5/42;0,5                                ! ;,1 ! id;y/41;0,7/42;1.25                               ! id,y/41,0.5/42,0.5
                    id;y/41;0/42;0                                    ! ;.1 ! id;y/42;1/41;0,7                                  ! id;y/41;0/42;x
                    id_y/41_0/42_0                                    ! \\t.1 ! id_y/42_1/41_0.7                                 ! id,y/41,0/42,0
                    id|y/41|0/42|0                                    ! |.1 ! id|y/42|1/41|0.7                                  ! id|y/41|0
                    y/0/0/0                                           ! ,.0 ! y/1/2/3                                           ! y/1/2
                    id,pipe,y/1,5" pipe,0/2,x,0                       ! ,.1 ! id,pipe,y/1,5" pipe,3/2,x,4                       ! id,pipe,y/1,5" pipe,3
                    id,kind/1,None/2,nan                              ! ,.1 ! id,kind/1,nan/2,NA                                ! id,kind/1,nan/3,NA
                    id,y/1,"0,5"/2,"0,5"                              ! ,.1 ! id,y/1,"0,7"/2,x                                  ! id,y/1,0.5/2,
                    """)
    void realFormsAreTakenAndWhatDiffersIsNot(String sample, String form, String good, String bad) {
        assertThat(problems(sample, sample)).isEmpty();
        assertThat(problems(sample, good)).isEmpty();
        assertThat(problems(sample, bad)).isNotEmpty();
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
        Files.writeString(data.resolve("test.csv"), "id,x\n" + rows(1, 9));
        Files.writeString(data.resolve("sample_submission.csv"), "id,y\n" + rows(1, 4));
        String[] range = ids.split(" ");
        byte[] submission = ("id,y\n" + rows(Integer.parseInt(range[0]), Integer.parseInt(range[1])))
                .getBytes(StandardCharsets.UTF_8);

        assertThat(Submissions.read(TaskTables.of(data, null), "the submission", new ByteArrayInputStream(submission))
                .problems())
                .isEqualTo(problems.isEmpty() ? List.of() : List.of(problems.split(", (?=[12] id)")));
    }

    @Test
    void rowsOfTheTestThatASubmissionLeavesOutAreCounted() {
        SubmissionForm form =
                SubmissionForm
                        .of("the sample",
                                () -> new ByteArrayInputStream(
                                        ("id,y\n" + rows(1, 4)).getBytes(StandardCharsets.UTF_8)))
                        .of(IntStream.rangeClosed(1, 9).mapToObj(String::valueOf).collect(Collectors.toSet()));
        assertThat(form.unpredicted(4)).isEqualTo(5);
        assertThat(form.unpredicted(9)).isZero();
    }

    private static String rows(int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(row -> row + ",0\n").collect(Collectors.joining());
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
}
