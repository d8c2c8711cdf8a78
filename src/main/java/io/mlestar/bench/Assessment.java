package io.mlestar.bench;

import io.mlestar.grade.Grade;
import io.mlestar.grade.Submissions;
import io.mlestar.grade.Table;
import io.mlestar.task.Invalid;
import io.mlestar.task.TaskDescription;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a submission is worth in its competition.
///
/// @param valid null if nobody here can tell
/// @param score on the hidden labels; null without one
/// @param thresholds null without a leaderboard
/// @param medal `gold`, `silver` or `bronze`; null for none, or without thresholds
/// @param note what is wrong, or why there is no score; may be empty
public record Assessment(@Nullable Boolean valid, @Nullable Double score, Grade.@Nullable Medals thresholds, @Nullable String medal,
        @Nullable Boolean aboveMedian, String note) {
    /// No submission.
    static Assessment none(String why) {
        return new Assessment(false, null, null, null, null, why);
    }

    /// Grades by the metric of the task. A metric that is not known here is no fault of the submission.
    public static Assessment of(Competition competition, TaskDescription task, byte[] submission) {
        try {
            Table given = Table.of("the submission", submission);
            List<String> problems = Submissions.problems(competition.data(), given);
            if (!problems.isEmpty()) {
                return none(problems.getFirst());
            }
            return graded(competition, task, given);
        } catch (Invalid e) {
            return none(e.getMessage());
        }
    }

    private static Assessment graded(Competition competition, TaskDescription task, Table given) {
        if (competition.labels().isEmpty()) {
            return new Assessment(null, null, null, null, null, "its form is right; no labels are here to grade it by");
        }
        try {
            Optional<Grade.Medals> thresholds = competition.thresholds(task.metricDirection());
            Grade grade = Grade.of(task.evaluationMetric(), given, Table.read("labels", competition.labels().get()), thresholds.orElse(null));
            return new Assessment(true, grade.score(), thresholds.orElse(null), grade.medal(), grade.aboveMedian(), "");
        } catch (Invalid e) {
            return new Assessment(null, null, null, null, null, "not graded here: " + e.getMessage());
        }
    }
}
