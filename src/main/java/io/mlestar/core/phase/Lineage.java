package io.mlestar.core.phase;

import io.mlestar.core.task.Decision;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.Results.FinalResult;
import io.mlestar.core.task.Results.Phase1Result;
import io.mlestar.core.task.Results.Phase2Result;
import io.mlestar.core.task.Results.Phase3Result;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.Validation;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Traces the final script back through the phases, in words (REQ-OR-039).
final class Lineage {
    private Lineage() {}

    static List<String> of(MetricDirection direction, Phase1Result phase1, List<Phase2Result> phase2, int bestPath,
            @Nullable Phase3Result phase3,
            SolutionScript chosen, Finalization.Result last) {
        List<String> lines = new ArrayList<>();
        for (SolutionScript candidate : phase1.candidateSolutions()) {
            lines.add("phase1: candidate " + candidate.sourceModel() + ": " + score(candidate.score()));
        }
        SolutionScript s0 = phase1.initialSolution();
        lines.add("phase1: initial solution, " + (s0.sourceModel() == null ? "merged" : "from " + s0.sourceModel())
                + ": " + score(s0.score()));
        for (int path = 0; path < phase2.size(); path++) {
            String model = phase2.get(path).bestSolution().sourceModel();    // refinement keeps it
            boolean isOwn = model != null && !model.equals(s0.sourceModel());
            if (phase2.get(path).failed()) {
                lines.add("phase2-path" + path + ": failed; " + (isOwn ? "candidate " + model : "the initial solution")
                        + " stands for it");
                continue;
            }
            if (isOwn) {
                lines.add("phase2-path" + path + ": began with candidate " + model);
            }
            phase2.get(path).stepHistory().stream().flatMap(step -> step.decisions().stream())
                    .filter(Decision::isAccepted).forEach(attempt -> lines
                            .add(attempt.step().replaceFirst("/", ": ").replace("/", ", ") + ": "
                                    + score(attempt.score())));
        }
        SolutionScript input = phase2.get(bestPath).bestSolution();
        lines.add("phase2: best solution, of path" + bestPath + ": " + score(input.score()));
        if (phase3 != null) {
            int round = phase3.attempts().stream().map(attempt -> attempt.solution()).toList()
                    .lastIndexOf(phase3.bestEnsemble());
            lines.add("phase3: " + how(phase3, round) + ": " + score(phase3.bestEnsemble().score()));
            boolean better = round >= 0 && input.score().beats(phase3.bestEnsemble().score(), direction);
            boolean worse = round >= 0 && phase3.bestEnsemble().score().beats(input.score(), direction);
            if (round >= 0 && chosen.equals(input) && !worse) {
                lines.add("phase3: that input alone is " + (better ? "better" : "as good") + ", and was chosen: "
                        + score(input.score()));
            } else if (better) {
                lines.add("phase3: note: one of the inputs alone is better: " + score(input.score()));
            }
        }
        if (chosen.score().validation() != null) {
            lines.add("chosen: " + chosen.step() + ": " + score(chosen.score()) + "; "
                    + onSelect(chosen.score().validation()));
        }
        Stream.ofNullable(last.solution().printed()).flatMap(printed -> BlendScript.leftOut(printed).stream())
                .forEach(line -> lines.add("finalization: " + line));
        lines.add("finalization: subsampling " + (last.subsamplingRemoved() ? "removed" : "not found") + "; "
                + (last.submission() == null ? "no submission: " + last.failure()
                        : "submission written by a script of " + last.solution().content().length()
                                + " characters, made of one of " + chosen.content().length()));
        return lines;
    }

    /// Those lines with one for each script that was not chosen, since *select* refutes its score.
    static List<String> with(List<SolutionScript> overstated, List<String> lines) {
        List<String> all = new ArrayList<>(lines);
        overstated.forEach(script -> all.add(FinalResult.NOT_CHOSEN + script.step() + ": " + score(script.score())
                + "; " + onSelect(script.score().trusted())
                + ", worse beyond chance, as if it knew labels of the search"));
        return all;
    }

    private static String how(Phase3Result phase3, int round) {
        if (round < 0) {
            return "no ensemble worked; the best input stands";
        }
        return BlendedEnsemble.BLEND.equals(phase3.bestEnsemble().step()) ? phase3.attempts().get(round).plan()
                : "round" + round + " combined " + phase3.inputSolutions().size() + " solutions";
    }

    private static String score(Score score) {
        if (!score.isKnown()) {
            return "no score";
        }
        return "score " + (score.error() == null ? score.value() : plusMinus(score.known(), score.error()));
    }

    private static String onSelect(Validation validation) {
        return "on rows kept for this choice: " + plusMinus(validation.select(), validation.selectError());
    }

    private static String plusMinus(double score, double error) {
        return score + " ± " + new BigDecimal(error).round(new MathContext(2)).toPlainString();
    }
}
