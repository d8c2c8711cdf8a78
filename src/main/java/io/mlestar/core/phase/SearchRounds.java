package io.mlestar.core.phase;

import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.AttemptRecord;
import io.mlestar.core.task.Decision;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A few rounds of a [ScriptSearch], so that no phase has many steps.
///
/// @param number from 0
/// @param paths where they stand
/// @param found before the paths began: the first study, and candidates that begin no path
/// @param made attempts before
/// @param all attempts of the search
/// @param secondsLeft of the time for the search's scripts
public record SearchRounds(
        int number,
        List<SearchPath> paths,
        List<AttemptRecord> found,
        int made,
        int all,
        int secondsLeft) implements Phase<SearchRounds.Result> {
    private static final String NAME = "leg";
    private static final int MOST_TURNS = 12;

    /// @param paths where they stand after it
    /// @param attempts in their order
    /// @param isCut whether the run has to finish
    public record Result(
            List<SearchPath> paths,
            List<PathAttempt> attempts,
            int secondsLeft,
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
            List<Integer> next = SearchPath.next(now, steps.context())
                    .stream()
                    .map(SearchPath::path)
                    .limit(most - attempts.size())
                    .toList();
            if (next.isEmpty()) {
                break;
            }
            // A path that makes several makes them one after the other: each is to know what came
            // of those before it.
            for (List<Integer> beside : rounds(next)) {
                int before = made + attempts.size();
                int seconds = left;
                List<ScriptAttempt> asked =
                        beside.stream()
                                .map(path -> attempt(now, path, before, seconds, steps.context()))
                                .toList();
                List<Outcome<ScriptAttempt.Result>> outcomes = steps.callAll(asked);
                double longest = 0;
                boolean isCut = false;
                for (int i = 0; i < asked.size(); i++) {
                    ScriptAttempt attempt = asked.get(i);
                    ScriptAttempt.Result result = result(attempt, outcomes.get(i));
                    if (result == null) {
                        isCut = true;
                        continue;
                    }
                    SearchPath path = now.get(attempt.path());
                    attempts.add(new PathAttempt(path.path(), result, attempt.decision(result)));
                    now.set(path.path(),
                            path.after(result, before, Acceptance.of(steps.context())));
                    longest = Math.max(longest,
                            Objects.requireNonNullElse(result.finding().seconds(), 0.0));
                }
                left = Math.max(0, left - (int) longest);
                if (isCut) {
                    return new Result(now, attempts, left, true);
                }
            }
        }
        return new Result(now, attempts, left, false);
    }

    /// Null if the run has to finish.
    private static ScriptAttempt.@Nullable Result result(
            ScriptAttempt attempt,
            Outcome<ScriptAttempt.Result> outcome) {
        return switch (outcome) {
            case Outcome.Done<ScriptAttempt.Result>(var done) -> done;
            case Outcome.Failed<ScriptAttempt.Result>(String reason, boolean _) ->
                attempt.failed(reason);
            case Outcome.Stopped<ScriptAttempt.Result> _ -> null;
        };
    }

    private static int most(int made, int all, int paths) {
        return Math.min(all - made, Math.max(MOST_TURNS, paths));
    }

    /// Counts the attempts that the leg of this name makes, if none is left out; 0 if it is no name
    /// of a leg.
    public static int attempts(String name, int all, int paths) {
        if (!name.matches(NAME + "\\d{1,6}")) {
            return 0;
        }
        int before = Integer.parseInt(name.substring(NAME.length())) * Math.max(MOST_TURNS, paths);
        return Math.max(0, most(before, all, paths));
    }

    /// Each path once in a round, as often as it is named.
    private static List<List<Integer>> rounds(List<Integer> named) {
        List<List<Integer>> rounds = new ArrayList<>();
        for (int path : named) {
            List<Integer> free =
                    rounds.stream().filter(round -> !round.contains(path)).findFirst().orElse(null);
            if (free == null) {
                free = new ArrayList<>();
                rounds.add(free);
            }
            free.add(path);
        }
        return rounds;
    }

    /// @param before how many attempts all paths have made
    private ScriptAttempt attempt(
            List<SearchPath> now,
            int number,
            int before,
            int seconds,
            RunContext context) {
        SearchPath path = now.get(number);
        List<AttemptRecord> others = others(now, path, context).stream()
                .filter(one -> !one.step().equals(path.best().step()))
                .map(one -> compared(one, now, path, context))
                .toList();
        // Nobody could build on what a study of the last round finds.
        int laterRounds = Math.ceilDiv(all - before, now.size()) - 1;
        long studies =
                Math.clamp(context.config().strong().studies() - path.studies(), 0, laterRounds);
        return new ScriptAttempt(ScriptSearch.NAME + "/" + name(), number, path.findings().size(),
                path.best(), path.partner(now, context).orElse(null), path.study(), path.findings(),
                others, all - before, (int) studies, seconds,
                now.stream().map(SearchPath::best).toList());
    }

    /// Lists the findings of others, best first. Equals, such as studies, which have no score, stay
    /// in the order of the rounds.
    private List<AttemptRecord> others(List<SearchPath> now, SearchPath path, RunContext context) {
        List<AttemptRecord> others = new ArrayList<>(found);
        int longest = now.stream().mapToInt(other -> other.findings().size()).max().orElse(0);
        for (int round = 0; round < longest; round++) {
            for (SearchPath other : now) {
                if (other.path() != path.path() && round < other.findings().size()) {
                    others.add(other.findings().get(round));
                }
            }
        }
        others.sort(
                Comparator.comparing(AttemptRecord::score,
                        Comparator.nullsLast(context.direction().bestFirst())));
        return others;
    }

    /// A finding of another path, as its reader needs it: against the reader's own best script,
    /// where it is its path's best still.
    private static AttemptRecord compared(
            AttemptRecord other,
            List<SearchPath> now,
            SearchPath reader,
            RunContext context) {
        for (SearchPath path : now) {
            if (other.step().equals(path.best().step())) {
                return other.comparedAnew(
                        path.best().score().over(reader.best().score(), context.direction()));
            }
        }
        return other.comparedAnew(null);
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
