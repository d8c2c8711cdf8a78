package io.mlestar.core.phase;

import io.mlestar.adapter.script.Tracebacks;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.step.Arithmetic;
import io.mlestar.core.step.Blend;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.SubmissionComparison;
import io.mlestar.core.step.TableFormat;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.Validation;
import module java.base;

/// Runs scripts without Python: what a script does stands in its own comments, so the same text
/// always does the same.
///
/// - `# score 0.8` prints a score; of several, the last one counts
/// - `# prints TEXT` prints something else
/// - `# crash WHY` ends with an error, after everything was printed
/// - `# grumbles WHY` writes a traceback and ends well all the same
/// - `# timeout` is killed for time
/// - `# submits 7` leaves a submission with that many rows
/// - `# crashes` as the last script
/// - `# differs` the last submission is far from what was scored
/// - `# malformed WHY` says what is wrong with the form of that
/// - `# select 0.7` where rows are hidden: the score on rows for the final choice
/// - `# error 0.01` standard error of both scores; of a gain, it is the difference of two scripts'
///   errors
/// - `# all 0.81` the score over all folds, if it is not that of the first, which `# score` is
/// - `# fold2 WHY` ends with an error on that fold
/// - `# seconds 90` how long it takes
/// - `# weight 2` how often a blend takes it; such a blend scores a hundredth better than its best
///   member
public final class MadeUpPython {
    /// Digest of a hold-out of several folds.
    public static final String FOLDED = "folded";

    private MadeUpPython() {}

    public static Execution run(RunScript script) {
        String code = script.content();
        Double score = last(code, "# score ").map(Double::valueOf).orElse(null);
        String stdout = last(code, "# prints ").map(text -> text.replace("\\n", "\n") + "\n").orElse("")
                + (score == null ? "" : "Final Validation Performance: " + score + "\n");
        Optional<Long> rows = last(code, "# submits ").map(Long::valueOf);
        boolean timedOut = code.contains("# timeout");
        Optional<String> malformed = last(code, "# malformed ");
        Optional<String> grumbling = last(code, "# grumbles ").or(() -> malformed);
        String traceback =
                last(code, "# crash ").or(() -> last(code, "# fold" + script.fold() + " "))
                        .or(() -> script.kind() == Kind.SUBMISSION && code.contains("# crashes") ? Optional.of("late")
                                : Optional.empty())
                        .or(() -> grumbling).map(why -> Tracebacks.madeUp("", "ValueError: " + why))
                        .orElse(script.kind() == Kind.SUBMISSION && rows.isEmpty() && !timedOut
                                ? Tracebacks.madeUp("",
                                        "SubmissionError: ./final/submission.csv was not created or is empty")
                                : null);
        boolean error = timedOut || traceback != null;
        String stderr = traceback == null ? "" : traceback;
        boolean crashed = error && grumbling.isEmpty() && !stderr.contains(Execution.SUBMISSION);
        Validation validation = script.holdout() == null || score == null ? null
                : last(code, "# select ").map(select -> validation(script, score, Double.parseDouble(select)))
                        .orElse(null);
        EvaluationResult result = new EvaluationResult(new Score(score, validation), stdout, stderr, crashed ? 1 : 0,
                last(code, "# seconds ").map(Double::valueOf).orElse(2.5), error, traceback);
        return Execution.of(result, timedOut,
                error && grumbling.isEmpty() ? null
                        : rows.map(count -> new Execution.Submission(
                                code.contains("# differs") && script.kind() == Kind.SUBMISSION ? "other.csv"
                                        : "kept.csv",
                                10 * count, count, malformed.orElse(null)))
                                .orElse(null),
                timedOut ? Tracebacks.madeUp("", "TimeoutError: the script was stopped") : traceback);
    }

    /// Its key holds what arithmetic needs of it.
    private static Validation validation(RunScript script, double search, double select) {
        String code = script.content();
        double error = last(code, "# error ").map(Double::valueOf).orElse(0.01);
        String key = String.join("/", last(code, "# weight ").orElse("0"), "" + search, "" + select,
                last(code, "# all ").orElse("" + search), "" + error,
                "" + code.hashCode(), "" + script.fold());
        return new Validation(script.holdout().equals(FOLDED) ? FOLDED + "/" + script.fold() : script.holdout(), key,
                search, select, draws(search, error), draws(select, error));
    }

    private static Arithmetic.CombinedFolds combined(List<String> predictions) {
        String[] key = predictions.getFirst().split("/", -1);
        IntStream.range(0, predictions.size()).forEach(fold -> {
            if (!predictions.get(fold).equals(String.join("/", Arrays.copyOf(key, key.length - 1)) + "/" + fold)) {
                throw new Invalid("predictions of another fold: " + predictions.get(fold));
            }
        });
        double all = Double.parseDouble(key[3]);
        double error = Double.parseDouble(key[4]);
        double select = Double.parseDouble(key[2]);
        String name = key[0] + "/" + all + "/" + select + "/combined/" + key[5];
        return new Arithmetic.CombinedFolds(
                new Validation(FOLDED, name, all, select, draws(all, error), draws(select, error),
                        new Validation.Sample(FOLDED + "/0", Double.parseDouble(key[1]),
                                draws(Double.parseDouble(key[1]), error)),
                        List.of(Double.valueOf(key[1]), all)),
                new Execution.Submission("mean-" + key[5] + ".csv", 70, 7));
    }

    /// The draws of a score, as many as a metric has that costs nothing.
    static List<Double> draws(double score, double error) {
        return Stream.iterate(0, draw -> draw < 27, draw -> draw + 1)
                .map(draw -> score + error * (draw == 26 ? 0 : draw % 2 * 2 - 1)).toList();
    }

    static <R> Outcome<R> compute(Arithmetic<R> arithmetic) {
        try {
            return new Outcome.Done<>(arithmetic.resultType().cast(switch (arithmetic) {
                case Arithmetic.BlendPredictions members -> blend(members);
                case Arithmetic.CombineFolds folds -> combined(folds.predictions());
                case Arithmetic.ComparePredictions pair ->
                    new SubmissionComparison(pair.submitted().equals("other.csv") ? 2 : 0.1, null, null);
            }));
        } catch (Invalid e) {
            return new Outcome.Failed<>(e.getMessage());
        }
    }

    private static Arithmetic.ScoredBlend blend(Arithmetic.BlendPredictions members) {
        List<String[]> keys = members.predictions().stream().map(key -> key.split("/", -1)).toList();
        List<Integer> weights = keys.stream().map(key -> Integer.valueOf(key[0])).toList();
        if (weights.stream().noneMatch(weight -> weight > 0)) {
            throw new Invalid("there is nothing to blend");
        }
        double search = best(keys, 1) + 0.01;
        String rows = members.folded() || !members.holdout().equals(FOLDED) ? members.holdout() : FOLDED + "/0";
        Validation validation = new Validation(rows, "blended", search, best(keys, 2) + 0.01, draws(search, 0.01),
                draws(best(keys, 2) + 0.01, 0.01));
        return new Arithmetic.ScoredBlend(new Blend(Blend.How.MEAN, weights, TableFormat.USUAL), validation,
                new Execution.Submission("blended.csv", 70, 7));
    }

    private static double best(List<String[]> keys, int field) {
        return keys.stream().filter(key -> !key[0].equals("0")).mapToDouble(key -> Double.parseDouble(key[field])).max()
                .orElseThrow();
    }

    private static Optional<String> last(String code, String directive) {
        return code.lines().map(String::strip).filter(line -> line.startsWith(directive))
                .map(line -> line.substring(directive.length())).reduce((first, second) -> second);
    }
}
