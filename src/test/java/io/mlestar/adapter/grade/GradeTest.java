package io.mlestar.adapter.grade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mlestar.core.base.Invalid;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GradeTest {
    private static final String SAMPLE = "id,y\n1,0.5\n2,0.5\n3,0.5\n";

    private static Table table(String csv) {
        return Table.of("table", csv.getBytes(StandardCharsets.UTF_8), 1);
    }

    private static InputStream csv(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static List<String> problems(String sample, String submission) {
        return SubmissionForm.of("sample", () -> csv(sample)).read("table", csv(submission), _ -> true).problems();
    }

    private static double score(String metric, String submission, String labels) {
        return Grade.of(metric, table(submission), table(labels)).score();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "none", textBlock = """
            id,y;1,0.1;2,0.2;3,1e-3            | none
            id,y;3,1;1,0;2,.5                  | none
            id,z;1,0;2,0;3,0                   | the header is id,z; it must be id,y
            id,y;1,0;2,0                       | 1 id is missing: 3
            id,y;1,0;2,0;3,0;4,0               | 1 id is not in the sample submission: 4 in line 5
            id,y;1,0;2,0;2,0;3,0               | 1 row repeats an id: id 2 in line 4
            id,y;1,0;2,nan;3,inf               | 2 values of y are not finite numbers; the first: "nan" in line 3
            id,y;1,0;2,;3,0                    | 1 value of y is not a finite number: "" in line 3
            id,y;1,0;2,0,7;3,0                 | 1 line with another number of fields than the header's 2: line 3 with 3
            """)
    void eachThingThatIsWrongWithASubmissionIsOneLine(String csv, String problem) {
        List<String> problems = problems(SAMPLE, csv.replace(";", "\n"));
        if (problem == null) {
            assertThat(problems).isEmpty();
        } else {
            assertThat(problems).contains(problem).allSatisfy(line -> assertThat(line).doesNotContain("\n"));
        }
    }

    /// What is not text lies behind more rows than are read.
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
        assertThatThrownBy(() -> table("")).isInstanceOf(Invalid.class).hasMessageContaining("empty");
        assertThatThrownBy(() -> Table.of("it", new byte[] {(byte) 0xff, 1}, 1)).isInstanceOf(Invalid.class)
                .hasMessageContaining("no text");
        assertThat(table("\uFEFFid,y\r\n1,\"a,b\"\r\n\r\n").rows().get("1").getFields()).containsExactly("1", "a,b");
    }

    @Test
    void rowsAreMatchedByTheirIds() {
        assertThat(score("accuracy", "id,y\n2,False\n1,1.0\n", "id,y\n1,True\n2,0\n")).isEqualTo(1);
        assertThat(score("RMSE", "id,y\n2,5\n1,1\n3,100\n", "id,Usage,y\n1,Public,1\n2,Private,3\n"))
                .isCloseTo(Math.sqrt(2), within(1e-12));
        assertThat(score("MAE", "id,a,b\n1,1,10\n", "id,b,a\n1,13,2\n")).as("mean over two targets").isEqualTo(2);
        assertThat(score("log loss", "id,cat,dog\n1,0.25,0.75\n", "id,kind\n1,dog\n")).isCloseTo(-Math.log(0.75),
                within(1e-12));
        assertThat(score("F1", "id,y\n1,1\n2,0\n", "id,y\n1,true\n2,true\n")).isCloseTo(2 / 3.0, within(1e-12));
    }

    @Test
    void aRowOfNoWeightDoesNotCount() {
        Grade grade = Grade.of("accuracy", table("id,y\n1,a\n2,b\n"), table("id,y,weight\n1,a,1\n2,a,0\n"));
        assertThat(grade.score()).isEqualTo(1);
        assertThat(grade.rows()).isEqualTo(1);
    }

    @Test
    void labelsThatDoNotFitAreNamed() {
        assertThatThrownBy(() -> score("RMSE", "id,y\n1,1\n", "id,y\n2,1\n")).isInstanceOf(Invalid.class)
                .hasMessageContaining("no row for id 2");
        assertThatThrownBy(() -> score("RMSE", "id,y\n1,1\n", "id,z\n1,1\n")).isInstanceOf(Invalid.class)
                .hasMessageContaining("no column y");
        assertThatThrownBy(() -> score("RMSE", "id,y\n1,1\n", "id,y\n1,x\n")).isInstanceOf(Invalid.class)
                .hasMessageContaining("\"x\" is no finite number");
        assertThatThrownBy(() -> score("log loss", "id,a,b\n1,.5,.5\n", "id,y\n1,c\n")).isInstanceOf(Invalid.class)
                .hasMessageContaining("none of the classes a, b");
        assertThatThrownBy(() -> score("F1", "id,y\n1,a\n", "id,y\n1,b\n")).isInstanceOf(Invalid.class)
                .hasMessageContaining("macro F1");
        assertThatThrownBy(() -> score("accuracy", "id,y\n1,a\n", "id,y\n1,b\n1,c\n")).isInstanceOf(Invalid.class)
                .hasMessageContaining("repeat");
        assertThatThrownBy(() -> score("accuracy", "id,y\n1,a\n", "id,y,weight\n1,b,-1\n")).isInstanceOf(Invalid.class)
                .hasMessageContaining("weight");
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
                Submissions.spellings(TaskTables.of(data, null), table("id,y\n1," + given.replace(";", "\n2,") + "\n")))
                .isEqualTo(said == null ? List.of() : List.of(said));
    }
}
