package io.mlestar.draft;

import static org.assertj.core.api.Assertions.assertThat;

import io.mlestar.agent.CardFolder;
import io.mlestar.agent.SurveyScripts;
import io.mlestar.draft.DataShape.ColumnShape;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
        assertThat(data.unread()).containsExactly("broken.csv");
    }

    @Test
    void namesThatAnybodyMayHaveWrittenAreFitForOneLine() throws Exception {
        DataShape data = shape(CardFolder.in(folder).with("data.csv", "\"a\n# b\u202e\",`c`\n1,2\n3,4\n"));
        assertThat(data.train().names()).containsExactly("a\\u000a# b\\u202e", "\\u0060c\\u0060");
    }

    @Test
    void whatIsNoShapeIsNone() {
        assertThat(DataShape.read("")).isEqualTo(Optional.empty());
        assertThat(DataShape.read("{\"lines\": []}")).isEmpty();
        assertThat(DataShape.read("{\"complete\": true, \"files\": \"many\"}")).isEmpty();
        assertThat(DataShape.read("{\"complete\": true}")).isEmpty();
    }
}
