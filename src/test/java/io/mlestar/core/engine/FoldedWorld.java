package io.mlestar.core.engine;

import io.mlestar.core.base.Invalid;
import io.mlestar.core.phase.MadeUpHarness;
import io.mlestar.core.step.Arithmetic;
import io.mlestar.core.step.Blend;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.RunScript;
import io.mlestar.core.step.SubmissionComparison;
import io.mlestar.core.step.TableFormat;
import io.mlestar.core.task.EvaluationResult;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.Validation;
import module java.base;

/// Hides rows in three folds in the made-up world. What a script predicts follows from its text
/// alone, and so do all scores.
record FoldedWorld(String digest) {
    static final int FOLDS = 3;
    private static final int DRAWS = 30;
    private static final double NOISE = 0.05;

    World in(World world) {
        return world.running(this::ran).scoring((_, _) -> MadeUpHarness.computing(this::computed));
    }

    Execution ran(World.Job job) {
        Execution made = job.execution();
        RunScript script = job.script();
        if (script.kind() == RunScript.Kind.HOLDOUT) {
            return Execution.of(
                    new EvaluationResult(Score.NONE,
                            "{\"scheme\": \"at random\", \"rows\": " + Collections.nCopies(FOLDS, 100)
                                    + ", \"select\": 100, \"files\": []}",
                            "", 0, 0.1, false, null),
                    false, new Execution.Submission("holdouts/" + digest, 1, 1), null);
        }
        if (!(made instanceof Execution.Scored) || script.holdout() == null) {
            return made;
        }
        Validation by =
                validation(digest + "/" + script.fold(), script.content().hashCode() + "/" + script.fold(), null);
        return Execution.of(new EvaluationResult(Score.by(by), CannedAnswers.OUTPUT, "", 0, 0.1, false, null), false,
                new Execution.Submission("kept", 10, 1), null);
    }

    private static Validation validation(String rows, String predictions, Validation first) {
        return new Validation(rows, predictions, draws(predictions).getFirst(),
                draws(predictions + "select").getFirst(), draws(predictions), draws(predictions + "select"),
                first == null ? null : new Validation.Sample(first.rows(), first.search(), first.searchDraws()),
                List.of());
    }

    private static List<Double> draws(String from) {
        Random random = new Random(from.hashCode());
        double score = random.nextDouble();
        return random.doubles(DRAWS, score - NOISE, score + NOISE).boxed().toList();
    }

    private Object computed(Arithmetic<?> arithmetic) {
        if (!arithmetic.holdout().equals(digest)) {
            throw new Invalid("predictions for other rows");
        }
        Execution.Submission submission = new Execution.Submission("kept", 10, 1);
        return switch (arithmetic) {
            case Arithmetic.CombineFolds folds ->
                new Arithmetic.CombinedFolds(validation(digest, "all" + folds.predictions(),
                        validation(digest + "/0", folds.predictions().getFirst(), null)), submission);
            case Arithmetic.BlendPredictions members -> new Arithmetic.ScoredBlend(new Blend(Blend.How.MEAN,
                    members.predictions().stream().map(key -> 1 + Math.floorMod(key.hashCode(), 3)).toList(),
                    TableFormat.USUAL),
                    validation(members.folded() ? digest : digest + "/0",
                            members.predictions().stream().collect(Collectors.joining()), null),
                    submission);
            case Arithmetic.ComparePredictions pair ->
                new SubmissionComparison(Math.floorMod(pair.scored().hashCode(), 2), null, null);
        };
    }
}
