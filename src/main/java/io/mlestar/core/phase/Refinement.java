package io.mlestar.core.phase;

import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.Scheduling.Load;
import io.mlestar.core.step.Scheduling;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.CodeBlock;
import io.mlestar.core.task.PhaseTimeBudget;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Results.Phase1Result;
import io.mlestar.core.task.Results.Phase2Result;
import io.mlestar.core.task.Results.StepRecord;
import io.mlestar.core.task.SearchSettings.FirstSolutions;
import io.mlestar.core.task.SolutionScript;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Algorithm 2: refines one code block after the other, T times. The next step starts from the best so far.
///
/// @param path number of the parallel path, from 0
/// @param initial s_0, or a candidate of Phase 1 that is refined in its place, with its score
public record Refinement(int path, SolutionScript initial) implements Phase<Phase2Result> {
    /// The paths of a run. The candidate that s_0 was made from is path 0's; where there are fewer others than paths, the rest begin with s_0, too.
    static List<Refinement> all(Phase1Result phase1, RunContext context) {
        List<SolutionScript> ranked = phase1.ranked();
        return IntStream.range(0, context.config().loop().numParallelSolutions()).mapToObj(path -> {
            boolean isOwn = context.config().search().firstSolutions() == FirstSolutions.OWN && path > 0 && path < ranked.size();
            return new Refinement(path, isOwn ? ranked.get(path) : phase1.initialSolution());
        }).toList();
    }

    @Override
    public Phase2Result run(Steps steps) {
        SolutionScript best = initial;                                                                // lines 1-2
        List<String> summaries = new ArrayList<>();                                                   // line 3
        List<CodeBlock> blocks = new ArrayList<>();
        List<StepRecord> history = new ArrayList<>();
        for (int t = 0; t < steps.context().config().loop().outerLoopSteps(); t++) {                           // line 4
            List<String> refined = blocks.stream().map(CodeBlock::content).filter(block -> !block.isEmpty()).toList();
            Outcome<OuterStep.Stepped> outcome = steps.outcome(new OuterStep(path, t, best, summaries, refined));
            if (outcome instanceof Outcome.Stopped) {
                break;
            }
            OuterStep.Stepped stepped = outcome.value().orElse(skipped(t, best));
            best = stepped.solution();                                                                // lines 12-15, 21-24
            summaries.add(stepped.record().ablationSummary());                                        // line 26
            blocks.add(new CodeBlock(stepped.record().codeBlock(), null, t));                         // line 27
            history.add(stepped.record());
        }
        return new Phase2Result(summaries, blocks, best, best.knownScore(), history);                      // line 29
    }

    private static OuterStep.Stepped skipped(int t, SolutionScript best) {
        return new OuterStep.Stepped(StepRecord.skipped(t, "", best.knownScore(), false), best, null, "the step failed");
    }

    /// What stands for a path that failed as a whole: what it begins with, marked (REQ-OR-040).
    Phase2Result failed() {
        return new Phase2Result(List.of(), List.of(), initial, initial.knownScore(),
                List.of(StepRecord.skipped(0, "", initial.knownScore(), true)));
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
        PhaseTimeBudget budget = context.config().limits().timeBudget();
        return new Scheduling(budget.phase2() / (budget.phase2() + budget.phase3() + budget.finalization()),
                Ensemble.load(context.config(), context.config().search().mostFolds()),
                context.config().loop().numParallelSolutions());
    }

    /// Answers along one path; scripts of all paths, since they may have to wait for each other.
    ///
    /// @param folds on which the harness scores each of their scripts
    static Load load(PipelineConfig config, int folds) {
        if (config.search().isByScript()) {
            return new Load(Search.attempts(config) / config.loop().numParallelSolutions(), Search.attempts(config) * folds);
        }
        int steps = config.loop().outerLoopSteps();
        int attempts = config.loop().innerLoopSteps();
        return new Load(steps * (3 + 3 * attempts), config.loop().numParallelSolutions() * steps * (1 + attempts * folds));
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
