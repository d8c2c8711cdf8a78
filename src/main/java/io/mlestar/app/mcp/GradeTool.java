package io.mlestar.app.mcp;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.mlestar.adapter.tool.RecordTool;
import io.mlestar.adapter.tool.ToolRefused;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.show.grade.Grade;
import io.mlestar.show.grade.Submissions;
import io.mlestar.show.grade.Table;
import io.mlestar.show.report.RunGrade;
import io.mlestar.show.view.MisplacedAnswers;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// `grade`: how a run's submission does on labels that no run may read. The labels come with the question; no file of this machine is opened for them.
record GradeTool(Records records) implements RecordTool<GradeTool.Labels> {
    private static final int MOST_PROBLEMS = 20;

    /// @param labels CSV
    @RegisterForReflection
    record Labels(@JsonPropertyDescription("id of a run in the store that has ended") String runId,
            @JsonPropertyDescription("hidden labels as CSV text with the submission's ids, may have a column weight; the grade is kept with the run. "
                    + "Left out: the grade that the run has, or whether its submission is well formed") Optional<String> labels) {}

    @Override
    public String name() {
        return "grade";
    }

    @Override
    public String description() {
        return "Grades the submission of a run on hidden labels, or tells the grade that it has.";
    }

    @Override
    public Class<Labels> arguments() {
        return Labels.class;
    }

    @Override
    public String use(Labels given) {
        RunHeader run = NamedRun.header(records, given.runId());
        Table submission = RunGrade.submission(records, run.runId())
                .orElseThrow(() -> new ToolRefused("run " + run.runId() + " has no submission"));
        Optional<Grade> kept = given.labels().isPresent() ? Optional.empty() : RunGrade.of(records, run.runId());
        if (kept.isPresent()) {
            return Json.line(kept.get());
        }
        List<String> problems = Submissions.problems(Path.of(run.task().dataDir()), submission);
        if (!problems.isEmpty()) {
            throw new ToolRefused(String.join("\n", problems.subList(0, Math.min(problems.size(), MOST_PROBLEMS))));
        }
        if (given.labels().isEmpty()) {
            return submission.what() + ": well formed, " + submission.rows().size() + " rows; it has no grade yet";
        }
        MisplacedAnswers misplaced = MisplacedAnswers.of(records, run.runId());
        if (misplaced.submission()) {
            throw new ToolRefused(misplaced.said().orElseThrow());
        }
        Table labels = Table.of("labels", given.labels().get().getBytes(StandardCharsets.UTF_8));
        Grade grade = Grade.of(run.task().evaluationMetric(), submission, labels, null);
        RunGrade.keep(records, run.runId(), grade);
        return Json.line(grade);
    }
}
