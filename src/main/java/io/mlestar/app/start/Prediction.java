package io.mlestar.app.start;

import io.mlestar.adapter.bucket.DataSets;
import io.mlestar.adapter.grade.NewRows;
import io.mlestar.adapter.grade.Submissions;
import io.mlestar.adapter.grade.TaskTables;
import io.mlestar.adapter.script.DataViews;
import io.mlestar.adapter.script.ScriptListener;
import io.mlestar.adapter.script.ScriptRunner;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Sha256;
import io.mlestar.core.phase.BlendScript;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.store.ChecksummedJson;
import io.mlestar.core.task.Results.FinalResult;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// The final solution of a run, applied to new rows: it is trained on all data once more, as
/// finalization did it, and is shown these rows in the place of the test table. The store keeps
/// what it predicts, by a digest of script, data and rows.
///
/// @param submission key of the predictions in the store
/// @param rows as many as were given
/// @param seconds that the script took
/// @param leftOut members of a blend that the script left out, and why, one line each
@RegisterForReflection
public record Prediction(String submission, int rows, double seconds, List<String> leftOut) {
    private static final int DIGITS = 16;

    public Prediction {
        Invalid.text("submission", submission);
        leftOut = List.copyOf(leftOut);
    }

    /// @param records of the run
    /// @param data finds the task's data on this machine
    /// @param result of the run
    /// @param key of the answer in the store
    public record Question(
            Records records,
            DataSets data,
            FinalResult result,
            String key,
            NewRows rows) {
        /// @throws Invalid as [NewRows]
        public static Question of(Records records, DataSets data, FinalResult result, Path file) {
            Path folder = data.local(result.task().dataDir());
            if (!Files.isDirectory(folder)) {
                throw new Invalid("the data of run " + result.runId()
                        + ", from which its final solution learns, are not in " + folder);
            }
            NewRows rows =
                    new NewRows(TaskTables.of(folder, records, result.runId()),
                            Invalid.file("--rows " + file, file));
            return new Question(records, data, result, key(data, result, file), rows);
        }

        /// The prediction that the store holds; empty if this question was not asked before.
        public Optional<Prediction> known() {
            return ChecksummedJson.read(records.store(), key + ".json", Prediction.class);
        }

        /// Trains and predicts.
        ///
        /// @throws StepFailed if the script fails, or predicts something else
        public Prediction answer(ScriptRunner scripts) {
            DataViews views = new DataViews();
            try {
                return answer(scripts, views.of(result.runId(), key, rows::show));
            } finally {
                views.keep(run -> false);
            }
        }

        private Prediction answer(ScriptRunner scripts, Path view) {
            RunScript script =
                    new RunScript(result.finalSolution().content(), RunScript.Kind.SUBMISSION,
                            result.config().limits().timeLimitSeconds());
            Execution execution = scripts.runAlone(script, view, new ScriptListener() {
                @Override
                public String keep(String name, InputStream content) {
                    records.store().create(key + "." + name, content);
                    return key + "." + name;
                }

                @Override
                public Optional<String> wrong(Path submission) {
                    return Submissions.wrong(TaskTables.of(view, records, result.runId()),
                            submission);
                }

                @Override
                public long most() {
                    return result.config().limits().mostSubmissionBytes();
                }
            }, Optional.empty());
            // A traceback beside a good submission is as harmless as it was in the run.
            if (!(execution.trusted() instanceof Execution.Ended ended)
                    || ended.submission() == null
                    || ended.submission().wrong() != null) {
                throw new StepFailed(
                        "the final solution of run " + result.runId() + " gave no predictions: "
                                + execution.ending(RunScript.Kind.SUBMISSION));
            }
            Prediction made =
                    new Prediction(ended.submission().key(), rows.count(),
                            execution.evaluation().durationSeconds(),
                            BlendScript.leftOut(execution.evaluation().stdout()));
            records.store().create(key + ".json", ChecksummedJson.bytes(made));
            return known().orElse(made);
        }

        private static String key(DataSets data, FinalResult result, Path file) {
            try {
                String asked = Sha256
                        .hex(result.finalSolution().content().getBytes(StandardCharsets.UTF_8))
                        + data.digest(result.task().dataDir())
                        + Sha256.hex(Files.newInputStream(file));
                return Records.key(result.runId(),
                        "predictions/" + Sha256.hex(asked.getBytes(StandardCharsets.UTF_8))
                                .substring(0, DIGITS));
            } catch (IOException e) {
                throw new Invalid("--rows " + file + " cannot be read: " + Invalid.reason(e));
            }
        }
    }
}
