package io.mlestar.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mlestar.task.DataModality;
import io.mlestar.task.Invalid;
import io.mlestar.task.MetricDirection;
import io.mlestar.task.TaskDescription;
import io.mlestar.task.TaskType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompetitionTest {
    @TempDir
    private Path folder;

    static TaskDescription task(String metric) {
        return new TaskDescription("it", TaskType.REGRESSION, DataModality.TABULAR, metric, MetricDirection.MINIMIZE, "Predict y.", "./input",
                TaskDescription.OUTPUT);
    }

    private void write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private Competition prepared() throws IOException {
        write("all/flats/prepared/public/sample_submission.csv", "id,y\n1,0\n2,0\n");
        write("all/flats/prepared/public/description.md", "Submissions are evaluated by the mean absolute error.");
        write("all/flats/prepared/private/test.csv", "id,x,y\n1,5,10\n2,6,20\n");
        return Competition.in(folder.resolve("all"), Optional.of(folder.resolve("checkout"))).getFirst();
    }

    private static Assessment assessment(Competition competition, String metric, String submission) {
        return Assessment.of(competition, task(metric), submission.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void preparedCompetitionsOfMleBenchAndOurExamplesAreBothFound() throws IOException {
        write("checkout/mlebench/competitions/flats/leaderboard.csv", "teamId,score\n1,0.5\n2,1.5\n3,2.5\n");
        prepared();
        write("all/own/task.yaml", "x: y");
        write("all/own/input/train.csv", "a");
        write("all/own/hidden/labels.csv", "id,y\n1,1\n");
        write("all/other/readme.md", "none");
        List<Competition> found = Competition.in(folder.resolve("all"), Optional.of(folder.resolve("checkout")));
        assertThat(found).extracting(Competition::id).containsExactly("flats", "own");
        assertThat(found.getFirst().taskFile()).isEmpty();
        assertThat(found.getFirst().description()).hasValueSatisfying(file -> assertThat(file).endsWith(Path.of("prepared/public/description.md")));
        assertThat(found.getFirst().labels()).hasValueSatisfying(file -> assertThat(file).endsWith(Path.of("prepared/private/test.csv")));
        assertThat(found.getFirst().leaderboard()).isPresent();
        assertThat(found.getLast().leaderboard()).isEmpty();
        assertThat(found.getLast().labels()).isPresent();
        assertThatThrownBy(() -> Competition.in(folder.resolve("checkout"), Optional.empty())).isInstanceOf(Invalid.class)
                .hasMessageContaining("holds no competition");
    }

    @Test
    void aSubmissionIsGradedByTheTasksMetricAndTheLeaderboard() throws IOException {
        write("checkout/mlebench/competitions/flats/leaderboard.csv", "score\n0.5\n1.0\n1.5\n4\n9\n");
        Competition competition = prepared();
        Assessment assessment = assessment(competition, "MAE", "id,y\n1,11\n2,19\n");
        assertThat(assessment.score()).isEqualTo(1.0);
        assertThat(assessment.valid()).isTrue();
        assertThat(assessment.medal()).isEqualTo("bronze");
        assertThat(assessment.aboveMedian()).isTrue();
        assertThat(assessment(competition, "MAE", "id,y\n1,10\n2,20\n").medal()).isEqualTo("gold");
    }

    @Test
    void whatIsWrongWithASubmissionIsToldApartFromWhatCannotBeToldHere() throws IOException {
        Competition competition = prepared();
        assertThat(assessment(competition, "MAE", "id,z\n1,11\n2,19\n")).isEqualTo(Assessment.none("the header is id,z; it must be id,y"));
        assertThat(assessment(competition, "MAE", "").valid()).isFalse();
        Assessment unknown = assessment(competition, "Dice coefficient", "id,y\n1,11\n2,19\n");
        assertThat(unknown.valid()).isNull();
        assertThat(unknown.note()).startsWith("not graded here: evaluation_metric \"Dice coefficient\" cannot be graded here");
        assertThat(assessment(competition, "MAE", "id,y\n1,11\n2,19\n").thresholds()).isNull();
        Files.delete(folder.resolve("all/flats/prepared/private/test.csv"));
        assertThat(assessment(prepared().labels().isEmpty() ? competition : new Competition("flats", competition.home(), competition.data(), Optional.empty(),
                Optional.empty(), Optional.empty(), Optional.empty()), "MAE", "id,y\n1,11\n2,19\n").note()).contains("no labels are here");
    }

    @Test
    void theSplitsAreThoseOfTheCheckoutAndWithoutOneAllIsOne() throws IOException {
        Competition competition = prepared();
        assertThat(Split.of(Optional.empty(), List.of(competition))).containsExactly(new Split("All (%)", List.of("flats")));
        for (String split : List.of("low", "medium", "high", "split75")) {
            write("checkout/experiments/splits/" + split + ".txt", "flats\n\n" + split + "\n");
        }
        assertThat(Split.of(Optional.of(folder.resolve("checkout")), List.of(competition))).extracting(Split::title)
                .containsExactly("Low == Lite (%)", "Medium (%)", "High (%)", "All (%)");
        assertThatThrownBy(() -> Split.of(Optional.of(folder), List.of(competition))).isInstanceOf(Invalid.class)
                .hasMessageContaining("low.txt cannot be read");
    }

    @Test
    void aContestIsTheSameRunEachTime() throws IOException {
        Competition competition = prepared();
        assertThat(new Contest(Contest.PIPELINE, competition, task("MAE"), 2).id()).isEqualTo("flats-seed2");
        assertThat(new Contest("boosting", competition, task("MAE"), 2).id()).isEqualTo("boosting-flats-seed2");
    }
}
