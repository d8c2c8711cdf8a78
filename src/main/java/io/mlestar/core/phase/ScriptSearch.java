package io.mlestar.core.phase;

import io.mlestar.core.phase.SearchRounds.PathAttempt;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.Scheduling;
import io.mlestar.core.step.Scheduling.Load;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.AttemptRecord.AttemptKind;
import io.mlestar.core.task.AttemptRecord;
import io.mlestar.core.task.Decision;
import io.mlestar.core.task.LimitSettings;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PhaseTimeBudget;
import io.mlestar.core.task.Results.Phase1Result;
import io.mlestar.core.task.Results.Phase2Result;
import io.mlestar.core.task.Results.RefinementAttempt;
import io.mlestar.core.task.Results.StepRecord;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.StrongSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Phase 2 of [StrongSearch]: rounds of attempts on all paths, each one answer and one script,
/// which knows what all the others have found. In the place of Algorithm 2.
///
/// @param starts what the paths begin with
/// @param found before: the first study, and what became of the candidates
public record ScriptSearch(
        List<SolutionScript> starts,
        List<AttemptRecord> found) implements Phase<ScriptSearch.Result> {
    public static final String NAME = "phase2";

    /// @param paths as those of Algorithm 2, each with one record of all its attempts
    /// @param bestPath number of the one whose script is the best
    /// @param isWhole whether it ended by itself, and no attempt was left out
    /// @param isSaturated whether it ended before its last attempt, since no path gained more than
    ///   noise any more
    public record Result(
            List<Phase2Result> paths,
            int bestPath,
            boolean isWhole,
            boolean isSaturated) implements PhaseResult {}

    public ScriptSearch {
        starts = List.copyOf(starts);
        found = List.copyOf(found);
    }

    /// The candidate that s_0 is begins path 0; where there are fewer others than paths, the rest
    /// begin with it, too.
    static ScriptSearch of(Phase1Result phase1, int paths) {
        List<SolutionScript> ranked = phase1.ranked();
        List<SolutionScript> starts = IntStream.range(0, paths)
                .mapToObj(
                        path -> path < ranked.size() ? ranked.get(path) : phase1.initialSolution())
                .toList();
        List<AttemptRecord> found = new ArrayList<>();
        if (phase1.study() != null) {
            found.add(phase1.study());
        }
        phase1.candidateSolutions().forEach(candidate -> found.add(finding(candidate, starts)));
        return new ScriptSearch(starts, found);
    }

    private static AttemptRecord finding(SolutionScript candidate, List<SolutionScript> starts) {
        int path = starts.indexOf(candidate);
        String begun = path < 0 ? "" : "; path " + path + " began with it";
        Score score = candidate.score();
        return new AttemptRecord.Draft(String.valueOf(candidate.step()), AttemptKind.SOLUTION,
                "first solution, with " + candidate.sourceModel() + begun)
                .scored(score.value(), ScriptAttempt.predictions(score))
                .ran(candidate.durationSeconds())
                .remark(score.isKnown() ? null : candidate.printed())
                .record();
    }

    /// @param folds on which each script is scored
    static Load load(StrongSearch strong, int folds) {
        return new Load(Math.ceilDiv(strong.attempts(), strong.numParallelSolutions()),
                strong.attempts() * folds);
    }

    @Override
    public Result run(Steps steps) {
        int all = steps.context().config().strong().attempts();
        List<SearchPath> paths =
                IntStream.range(0, starts.size())
                        .mapToObj(path -> SearchPath.of(path, starts.get(path)))
                        .toList();
        List<PathAttempt> attempts = new ArrayList<>();
        int secondsLeft = seconds(steps.context().limits());
        boolean isCut = false;
        boolean isSaturated = false;
        for (int leg = 0; !isCut && !isSaturated && attempts.size() < all; leg++) {
            SearchRounds rounds =
                    new SearchRounds(leg, paths, found, attempts.size(), all, secondsLeft);
            if (!(steps.outcome(rounds) instanceof Outcome.Done<SearchRounds.Result>(var played))) {
                break;
            }
            paths = played.paths();
            attempts.addAll(played.attempts());
            secondsLeft = played.secondsLeft();
            isCut = played.isCut();
            isSaturated =
                    attempts.size() < all && SearchPath.next(paths, steps.context()).isEmpty();
        }
        List<SolutionScript> bests = paths.stream().map(SearchPath::best).toList();
        int bestPath = Acceptance.of(steps.context()).best(bests).map(bests::indexOf).orElse(0);
        List<Phase2Result> results =
                paths.stream()
                        .map(path -> result(path, attempts, steps.context().direction()))
                        .toList();
        return new Result(results, bestPath, attempts.size() == all || isSaturated, isSaturated);
    }

    private static int seconds(LimitSettings limits) {
        PhaseTimeBudget budget = limits.timeBudget();
        return (int) (limits.timeLimitSeconds() * (1 - budget.phase1Share())
                * budget.phase2Share());
    }

    private Phase2Result result(
            SearchPath path,
            List<PathAttempt> attempts,
            MetricDirection direction) {
        List<PathAttempt> own =
                attempts.stream().filter(attempt -> attempt.path() == path.path()).toList();
        List<RefinementAttempt> records =
                own.stream().map(attempt -> attempt.turned().record()).toList();
        List<String> tables =
                path.findings()
                        .stream()
                        .filter(AttemptRecord::isStudy)
                        .map(AttemptRecord::table)
                        .toList();
        Score best = path.best().score();
        StepRecord record = new StepRecord(0, String.join("\n\n", tables), "", "", records,
                best.known(), own.isEmpty(), false,
                best.beats(starts.get(path.path()).score(), direction),
                own.stream().map(PathAttempt::decision).toList());
        return new Phase2Result(tables, List.of(), path.best(), best.known(), List.of(record));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Scheduling scheduling(RunContext context) {
        return Scheduling.share(context.limits().timeBudget().phase2Share(),
                BlendedEnsemble.load(context.config().strong().mostFolds()));
    }

    @Override
    public String title() {
        return "Search";
    }

    @Override
    public PhaseReport report(Result result) {
        List<Decision> decisions =
                result.paths().stream().flatMap(path -> path.decisions().stream()).toList();
        PhaseReport report = PhaseReport.of(result.paths().get(result.bestPath()).bestSolution())
                .deciding(decisions);
        return result.isSaturated()
                ? report.saying(
                        "ended after " + decisions.size()
                                + " attempts: no path gained more than noise any more")
                : report;
    }
}
