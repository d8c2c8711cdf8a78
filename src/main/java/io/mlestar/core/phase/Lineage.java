package io.mlestar.core.phase;

import io.mlestar.core.base.Digits;
import io.mlestar.core.task.Decision;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.Results.EnsembleAttempt;
import io.mlestar.core.task.Results.FinalResult;
import io.mlestar.core.task.Results.Phase1Result;
import io.mlestar.core.task.Results.Phase2Result;
import io.mlestar.core.task.Results.Phase3Result;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.Validation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Traces the final script back through the phases, in words (REQ-OR-039).
public final class Lineage {
    /// Begins a line on a script that was not chosen.
    private static final String NOT_CHOSEN = "not chosen: ";

    private Lineage() {}

    static List<String> of(
            MetricDirection direction,
            Phase1Result phase1,
            List<Phase2Result> phase2,
            int bestPath,
            @Nullable Phase3Result phase3,
            SolutionScript chosen,
            Finalization.Result last) {
        List<String> lines = new ArrayList<>();
        for (SolutionScript candidate : phase1.candidateSolutions()) {
            lines.add("phase1: candidate " + candidate.sourceModel() + ": "
                    + score(candidate.score()));
        }
        SolutionScript s0 = phase1.initialSolution();
        String origin = s0.sourceModel() == null ? "merged" : "from " + s0.sourceModel();
        lines.add("phase1: initial solution, " + origin + ": " + score(s0.score()));
        for (int path = 0; path < phase2.size(); path++) {
            lines.addAll(path("phase2-path" + path, phase2.get(path), s0));
        }
        SolutionScript input = phase2.get(bestPath).bestSolution();
        lines.add("phase2: best solution, of path" + bestPath + ": " + score(input.score()));
        if (phase3 != null) {
            lines.addAll(ensemble(direction, phase3, input, chosen));
        }
        if (chosen.score().validation() != null) {
            lines.add("chosen: " + chosen.step() + ": " + score(chosen.score()) + "; "
                    + onSelect(chosen.score().validation()));
        }
        if (last.solution().printed() != null) {
            BlendScript.leftOut(last.solution().printed())
                    .forEach(line -> lines.add("finalization: " + line));
        }
        String end = last.submission() == null
                ? "no submission: " + last.failure()
                : "submission written by a script of " + last.solution().content().length()
                        + " characters, made of one of " + chosen.content().length();
        lines.add("finalization: subsampling "
                + (last.subsamplingRemoved() ? "removed" : "not found") + "; " + end);
        return lines;
    }

    private static List<String> path(String name, Phase2Result path, SolutionScript s0) {
        String model = path.bestSolution().sourceModel();    // refinement keeps it
        boolean isOwn = model != null && !model.equals(s0.sourceModel());
        if (path.failed()) {
            String start = isOwn ? "candidate " + model : "the initial solution";
            return List.of(name + ": failed; " + start + " stands for it");
        }
        List<String> lines = new ArrayList<>();
        if (isOwn) {
            lines.add(name + ": began with candidate " + model);
        }
        for (Decision attempt : path.decisions()) {
            if (attempt.isAccepted()) {
                String place = attempt.step().replaceFirst("/", ": ").replace("/", ", ");
                lines.add(place + ": " + score(attempt.score()));
            }
        }
        return lines;
    }

    /// @param input the best single script
    private static List<String> ensemble(
            MetricDirection direction,
            Phase3Result phase3,
            SolutionScript input,
            SolutionScript chosen) {
        Score best = phase3.bestEnsemble().score();
        int round = EnsembleAttempt.solutions(phase3.attempts()).lastIndexOf(phase3.bestEnsemble());
        String line = "phase3: " + how(phase3, round) + ": " + score(best);
        if (round < 0 || !chosen.equals(input) || best.beats(input.score(), direction)) {
            return List.of(line);
        }
        return List.of(line, "phase3: that input alone is "
                + (input.score().beats(best, direction) ? "better" : "as good")
                + ", and was chosen: " + score(input.score()));
    }

    /// A line on a script that was not chosen, since *select* refutes its score.
    static String refuted(SolutionScript script) {
        return NOT_CHOSEN + script.step() + ": " + score(script.score()) + "; "
                + onSelect(script.score().trusted())
                + ", worse beyond chance, as if it knew labels of the search";
    }

    /// The scripts of a run that were not chosen, since they do worse, beyond chance, on the rows
    /// kept for the choice.
    public static List<String> notChosen(FinalResult run) {
        return run.lineage()
                .stream()
                .filter(line -> line.startsWith(NOT_CHOSEN))
                .map(line -> line.substring(NOT_CHOSEN.length()))
                .toList();
    }

    private static String how(Phase3Result phase3, int round) {
        if (round < 0) {
            return "no ensemble worked; the best input stands";
        }
        return BlendedEnsemble.BLEND.equals(phase3.bestEnsemble().step())
                ? phase3.attempts().get(round).plan()
                : "round" + round + " combined " + phase3.inputSolutions().size() + " solutions";
    }

    private static String score(Score score) {
        if (!score.isKnown()) {
            return "no score";
        }
        return "score " + (score.error() == null
                ? score.value()
                : Digits.withError(score.known(), score.error()));
    }

    private static String onSelect(Validation validation) {
        return "on rows kept for this choice: "
                + Digits.withError(validation.select(), validation.selectError());
    }
}
