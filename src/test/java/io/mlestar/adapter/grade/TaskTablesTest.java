package io.mlestar.adapter.grade;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.core.agent.CardFolder;
import io.mlestar.core.step.DataTables;
import io.mlestar.core.survey.DataReading;
import io.mlestar.core.survey.SurveyScripts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The sample submission is found by the survey, and without one by its name.
class TaskTablesTest {
    private static final String TRAIN = "id,x,y\n" + CardFolder.rows(1, 30, i -> i + "," + i % 7 + "," + i % 5 * 1.5);
    private static final String TEST = "id,x\n" + CardFolder.rows(31, 50, i -> i + "," + i % 7);
    private static final String SAMPLE = "id,y\n" + CardFolder.rows(31, 50, i -> i + ",0");

    @Test
    void aSampleThatIsNoTableOfTextIsNamed(@TempDir Path data) throws IOException {
        Files.writeString(data.resolve("train.csv"), TRAIN);
        assertThat(TaskTables.of(data, null).unreadSample()).isEmpty();
        Files.write(data.resolve("sample_submission.parquet"), new byte[] {'P', 'A', 'R', '1'});

        assertThat(TaskTables.of(data, null).sample()).isEmpty();
        assertThat(TaskTables.of(data, null).unreadSample())
                .contains("\"sample_submission.parquet\" is no table of text; put it beside the data as CSV");
    }

    /// Files beside `train.csv` and `test.csv`: `=` holds the form, `!` several values, `+` the
    /// rows of the test with a new feature, `?` other rows, `-` something else.
    @ParameterizedTest
    @CsvSource(textBlock = """
            sample_submission.csv=                              , sample_submission.csv
            gender_submission.csv=                              , gender_submission.csv
            submission_format.csv=                              , submission_format.csv
            SubmissionFormat.csv=                               , SubmissionFormat.csv
            sample_sub.csv=                                     , sample_sub.csv
            sampleSubmission.tsv=                               , sampleSubmission.tsv
            submission_example.csv=                             , submission_example.csv
            submission.csv=                                     , submission.csv
            sample_solution.csv=                                , sample_solution.csv
            sample_submission.txt=                              , sample_submission.txt
            example_entry.csv=                                  , example_entry.csv
            sample_output.csv=                                  , sample_output.csv
            form.csv=                                           , form.csv
            form.csv= labels.csv=                               ,
            sample_submission.csv= labels.csv=                  , sample_submission.csv
            sample_submission.csv= submission.csv=              , sample_submission.csv
            extra.csv+                                          ,
            labels.csv!                                         ,
            sample_submission.csv! labels.csv=                  , sample_submission.csv
            submission_notes.csv- form.csv=                     , form.csv
            sample_submission.csv-                              , sample_submission.csv
            notes.csv-                                          ,
            my_submission.csv? template.csv=                    , template.csv
            final/submission.csv? sample_submission.csv=        , sample_submission.csv
            sample_submission.csv? submission.csv=              , submission.csv
            my_submission.csv?                                  ,
            """)
    void theSampleIsFoundByItsContentThenByItsName(String files, String found, @TempDir Path folder) throws Exception {
        CardFolder data = CardFolder.in(folder).with("train.csv", TRAIN).with("test.csv", TEST);
        for (String file : files.split(" ")) {
            String name = file.substring(0, file.length() - 1);
            String content = file.endsWith("=") ? SAMPLE : file.endsWith("!") ? SAMPLE.replace("1,0", "1,2")
                    : file.endsWith("+") ? SAMPLE.replace("id,y", "id,z")
                    : file.endsWith("?") ? SAMPLE.replaceAll("\n(?=\\d)", "\n90") : "a,b\n1,2\n3,4\n";
            data.with(name, name.endsWith("tsv") ? content.replace(',', '\t') : content);
        }
        DataTables tables = DataReading.tables(data.printed(SurveyScripts.form(CardFolder.PATIENT, "", List.of())));
        assertThat(TaskTables.of(data.data(), tables).sample())
                .isEqualTo(Optional.ofNullable(found).map(data.data()::resolve));
    }

    @Test
    void withoutASurveyNamesTellAndNoTableLiesElsewhere(@TempDir Path folder) throws Exception {
        Path data = CardFolder.in(folder).with("train.csv", TRAIN).with("test.csv", TEST).with("submission.csv", SAMPLE)
                .with("sample_submission.csv", SAMPLE).data();
        assertThat(TaskTables.of(data, null)).isEqualTo(
                new TaskTables(data, Optional.of(data.resolve("train.csv")), Optional.of(data.resolve("test.csv")),
                        Optional.of(data.resolve("sample_submission.csv"))));
        Files.writeString(folder.resolve("elsewhere.csv"), SAMPLE);
        assertThat(TaskTables.of(data, new DataTables(null, null, "../elsewhere.csv")).sample()).isEmpty();
    }
}
