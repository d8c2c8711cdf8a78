package io.mlestar.core.phase;

import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.AttemptRecord;
import io.mlestar.core.task.Decision;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionScript;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A few rounds of a [ScriptSearch], so that no phase has many steps.
///
/// @param number from 0
/// @param paths where they stand
/// @param found before the paths began: the first study, and candidates that begin no path
/// @param made attempts before
/// @param all attempts of the search
/// @param secondsLeft of the time for the search's scripts
public record SearchRounds(int number, List<SearchPath> paths, List<AttemptRecord> found, int made, int all,
        int secondsLeft) implements Phase<SearchRounds.Result> {
    private static final String NAME = "leg";
    private static final int MOST_TURNS = 12;

    /// @param paths where they stand after it
    /// @param attempts in their order
    /// @param isCut whether the run has to finish
    public record Result(List<SearchPath> paths, List<PathAttempt> attempts, int secondsLeft,
            boolean isCut) implements PhaseResult {}

    /// @param decision on its script
    public record PathAttempt(int path, ScriptAttempt.Result turned, Decision decision) {}

    public SearchRounds {
        paths = List.copyOf(paths);
        found = List.copyOf(found);
    }

    @Override
    public Result run(Steps steps) {
        List<SearchPath> now = new ArrayList<>(paths);
        List<PathAttempt> attempts = new ArrayList<>();
        int left = secondsLeft;
        int most = most(made, all, paths.size());
        while (attempts.size() < most) {
            List<SearchPath> next = SearchPath.next(now, steps.context());
            if (next.isEmpty()) {
                break;
            }
            // A path that makes several makes them one after the other: each is to know what came
            // of those before it.
            for (List<Integer> beside : rounds(
                    next.stream().map(SearchPath::path).limit(most - attempts.size()).toList())) {
                int before = made + attempts.size();
                int seconds = left;
                List<ScriptAttempt> turns =
                        beside.stream().map(path -> turn(now, path, before, seconds, steps)).toList();
                List<Outcome<ScriptAttempt.Result>> outcomes = steps.callAll(turns);
                double longest = 0;
                boolean isCut = false;
                for (int i = 0; i < turns.size(); i++) {
                    if (outcomes.get(i) instanceof Outcome.Stopped) {
                        isCut = true;
                        continue;
                    }
                    ScriptAttempt turn = turns.get(i);
                    ScriptAttempt.Result turned =
                            outcomes.get(i) instanceof Outcome.Done<ScriptAttempt.Result>(var done) ? done
                                    : turn.failed(outcomes
                                            .get(i) instanceof Outcome.Failed<ScriptAttempt.Result>(String reason, boolean unreadable)
                                                    ? reason : null);
                    attempts.add(new PathAttempt(turn.path(), turned, turn.decision(turned)));
                    now.set(turn.path(), now.get(turn.path()).after(turned, before, Acceptance.of(steps.context())));
                    longest = Math.max(longest, turned.finding().seconds() == null ? 0 : turned.finding().seconds());
                }
                left = Math.max(0, left - (int) longest);
                if (isCut) {
                    return new Result(now, attempts, left, true);
                }
            }
        }
        return new Result(now, attempts, left, false);
    }

    private static int most(int made, int all, int paths) {
        return Math.min(all - made, Math.max(MOST_TURNS, paths));
    }

    /// How many attempts the leg of this name makes, if none is left out; 0 if it is no name of a
    /// leg.
    public static int attempts(String name, int all, int paths) {
        return name.matches(NAME + "\\d{1,6}")
                ? Math.max(0,
                        most(Integer.parseInt(name.substring(NAME.length())) * Math.max(MOST_TURNS, paths), all, paths))
                : 0;
    }

    /// Each path once in a round, as often as it is named.
    private static List<List<Integer>> rounds(List<Integer> named) {
        List<List<Integer>> rounds = new ArrayList<>();
        for (int i = 0; i < named.size(); i++) {
            int path = named.get(i);
            int round = (int) named.subList(0, i).stream().filter(earlier -> earlier == path).count();
            if (round == rounds.size()) {
                rounds.add(new ArrayList<>());
            }
            rounds.get(round).add(path);
        }
        return rounds;
    }

    private ScriptAttempt turn(List<SearchPath> now, int number, int before, int seconds, Steps steps) {
        SearchPath path = now.get(number);
        List<SearchPath> elsewhere = now.stream().filter(other -> other.path() != number).toList();
        int longest = elsewhere.stream().mapToInt(other -> other.findings().size()).max().orElse(0);
        // In the order of the rounds, which that of equals stays: studies, which have no score.
        List<AttemptRecord> others = Stream.concat(found.stream(), IntStream.range(0, longest).boxed()
                .flatMap(round -> elsewhere.stream().filter(other -> round < other.findings().size())
                        .map(other -> other.findings().get(round))))
                .sorted(Comparator.comparing(AttemptRecord::score,
                        Comparator.nullsLast(steps.context().task().metricDirection().bestFirst())))
                .toList();
        // Nobody could build on what a study of the last round finds.
        int laterRounds = Math.ceilDiv(all - before, now.size()) - 1;
        long studies = Math.clamp(steps.context().config().strong().studies() - path.studies(), 0, laterRounds);
        return new ScriptAttempt(ScriptSearch.NAME + "/" + name(), number, path.findings().size(), path.best(),
                path.partner(now, steps.context()).orElse(null),
                path.study(), path.findings(),
                others.stream().filter(one -> !one.step().equals(path.best().step()))
                        .map(one -> compared(one, elsewhere, path.best(), steps.context()))
                        .toList(),
                all - before, (int) studies, seconds, now.stream().map(SearchPath::best).toList());
    }

    /// What another path found, as its reader needs it: against the reader's own best script, where
    /// it is its path's best still.
    private static AttemptRecord compared(AttemptRecord other, List<SearchPath> elsewhere, SolutionScript own,
            RunContext context) {
        Score.Lead lead =
                elsewhere.stream().map(SearchPath::best).filter(best -> other.step().equals(best.step())).findFirst()
                        .map(best -> best.score().over(own.score(), context.task().metricDirection())).orElse(null);
        return other.comparedAnew(lead);
    }

    @Override
    public String name() {
        return NAME + number;
    }

    @Override
    public String title() {
        return "Attempts from " + (made + 1) + " on";
    }
}
