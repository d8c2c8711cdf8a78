package io.mlestar.cli;

import io.mlestar.report.Report;
import io.mlestar.run.Records;
import io.mlestar.run.StepResult;
import io.mlestar.run.StepResult.Status;
import io.mlestar.step.StepPath;
import io.mlestar.task.Json;
import io.mlestar.task.Results.FinalResult;
import io.quarkus.qute.TemplateException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// What a finished run has to say, and its exit code.
record Ending(Records records, String run) {
    private static final int FAILED = 1;

    int print(boolean json) {
        StepResult result = records.result(StepPath.root(run)).orElseThrow(() -> new IllegalStateException("run " + run + " has not ended"));
        String folder = records.store().address(Records.key(run, ""));
        report();
        if (result.status() != Status.DONE) {
            System.err.println("mlestar: run " + run + " failed: " + result.reason() + " (see " + folder + ")");
            return FAILED;
        }
        byte[] published = records.store().read(Records.key(run, "result.json")).orElseThrow();
        FinalResult ended = Json.read(Json.parse(published), FinalResult.class);
        if (json) {
            System.out.println(new String(published, StandardCharsets.UTF_8));
        } else {
            System.out.println("score      " + ended.bestScore() + " (" + ended.task().evaluationMetric() + " on the validation split)");
            System.out.println("submission " + (ended.submissionPath().isEmpty() ? "none" : ended.submissionPath()));
            System.out.printf(Locale.ROOT, "took       %.1f s, cost %s%n", ended.totalDurationSeconds(),
                    ended.totalCostUsd() == null ? "unknown" : String.format(Locale.ROOT, "$%.4f", ended.totalCostUsd()));
            if (ended.stopReason() != null) {
                System.out.println("cut short  " + ended.stopReason());
            }
            System.out.println("folder     " + folder);
        }
        if (ended.submissionPath().isEmpty()) {
            System.err.println("mlestar: run " + run + " ended without a submission (see " + folder + ")");
            return FAILED;
        }
        return 0;
    }

    /// A report that cannot be told must not hide the result.
    private void report() {
        try {
            records.header(run).ifPresent(header -> Report.of(records, header));
        } catch (TemplateException e) {
            System.err.println("mlestar: run " + run + " has no report: " + e.getMessage());
        }
    }
}
