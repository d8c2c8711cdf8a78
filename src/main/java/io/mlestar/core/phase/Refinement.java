package io.mlestar.core.phase;

import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.Scheduling.Load;
import io.mlestar.core.step.Scheduling;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.CodeBlock;
import io.mlestar.core.task.PaperSearch;
import io.mlestar.core.task.Results.Phase2Result;
import io.mlestar.core.task.Results.StepRecord;
import io.mlestar.core.task.SolutionScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Algorithm 2: refines one code block after the other, T times. The next step starts from the best
/// so far.
///
/// @param path number of the parallel path, from 0
/// @param initial s_0, with its score
public record Refinement(int path, SolutionScript initial) implements Phase<Phase2Result> {
    @Override
    public Phase2Result run(Steps steps) {
        SolutionScript best = initial;                                                                // lines 1-2
        List<String> summaries = new ArrayList<>();                                                   // line 3
        List<CodeBlock> blocks = new ArrayList<>();
        List<StepRecord> history = new ArrayList<>();
        for (int t = 0; t < steps.context().config().paper().outerLoopSteps(); t++) {                           // line 4
            List<String> refined = blocks.stream()
                    .map(CodeBlock::content)
                    .filter(block -> !block.isEmpty())
                    .toList();
            Outcome<OuterStep.Result> outcome =
                    steps.outcome(new OuterStep(path, t, best, summaries, refined));
            if (outcome instanceof Outcome.Stopped) {
                break;
            }
            OuterStep.Result stepped = outcome.value().orElse(skipped(t, best));
            best = stepped.solution();                                                                // lines 12-15, 21-24
            summaries.add(stepped.record().ablationSummary());                                        // line 26
            blocks.add(new CodeBlock(stepped.record().codeBlock(), null, t));                         // line 27
            history.add(stepped.record());
        }
        return new Phase2Result(summaries, blocks, best, best.score().known(), history);                      // line 29
    }

    private static OuterStep.Result skipped(int t, SolutionScript best) {
        return new OuterStep.Result(StepRecord.skipped(t, "", best.score().known(), false), best,
                null, "the step failed");
    }

    /// The result of a path that failed as a whole: the solution that it begins with, marked
    /// (REQ-OR-040).
    static Phase2Result failed(SolutionScript initial) {
        return new Phase2Result(List.of(), List.of(), initial, initial.score().known(),
                List.of(StepRecord.skipped(0, "", initial.score().known(), true)));
    }

    @Override
    public String name() {
        return name(path);
    }

    static String name(int path) {
        return "phase2-path" + path;
    }

    /// All paths run at once, so each has the whole time of Phase 2.
    @Override
    public Scheduling scheduling(RunContext context) {
        return new Scheduling(context.limits().timeBudget().phase2Share(),
                Optional.of(Ensemble.load(context.config().paper())),
                context.search().numParallelSolutions());
    }

    /// Answers along one path; scripts of all paths, since they may have to wait for each other.
    static Load load(PaperSearch paper) {
        int attempts = paper.innerLoopSteps();
        return new Load(paper.outerLoopSteps() * (3 + 3 * attempts),
                paper.ablations() * (1 + attempts));
    }

    @Override
    public String title() {
        return "Refinement";
    }

    /// All paths together.
    @Override
    public String part() {
        return "phase2";
    }

    @Override
    public PhaseReport report(Phase2Result result) {
        return PhaseReport.of(result.bestSolution());
    }
}
