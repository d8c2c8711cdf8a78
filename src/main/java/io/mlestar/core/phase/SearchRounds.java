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
        Result now = new Result(paths, List.of(), secondsLeft, false);
        int most = most(made, all, paths.size());
        while (!now.isCut()) {
            List<Integer> next = SearchPath.next(now.paths(), steps.context())
                    .stream()
                    .map(SearchPath::path)
                    .limit(most - now.attempts().size())
                    .toList();
            if (next.isEmpty()) {
                break;
            }
            // A path that makes several makes them one after the other: each is to know what came
            // of those before it.
            for (List<Integer> beside : rounds(next)) {
                now = now.isCut() ? now : after(now, beside, steps);
            }
        }
        return now;
    }

    /// After an attempt on each of these paths, all at once.
    private Result after(Result before, List<Integer> beside, Steps steps) {
        RunContext context = steps.context();
        List<ScriptAttempt> asked =
                beside.stream().map(path -> attempt(before, path, context)).toList();
        List<Outcome<ScriptAttempt.Result>> outcomes = steps.callAll(asked);
        List<SearchPath> now = new ArrayList<>(before.paths());
        List<PathAttempt> attempts = new ArrayList<>(before.attempts());
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
            now.set(path.path(), path.after(result, all - attempt.attemptsLeft(),
                    Acceptance.of(context)));
            longest = Math.max(longest,
                    Objects.requireNonNullElse(result.finding().seconds(), 0.0));
        }
        int secondsAfter = Math.max(0, before.secondsLeft() - (int) longest);
        return new Result(now, attempts, secondsAfter, isCut);
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
        List<Integer> left = new ArrayList<>(named);
        while (!left.isEmpty()) {
            List<Integer> round = left.stream().distinct().toList();
            round.forEach(left::remove);
            rounds.add(round);
        }
        return rounds;
    }

    private ScriptAttempt attempt(Result before, int number, RunContext context) {
        List<SearchPath> now = before.paths();
        int left = all - made - before.attempts().size();
        SearchPath path = now.get(number);
        List<AttemptRecord> others = others(now, path, context).stream()
                .filter(one -> !one.step().equals(path.best().step()))
                .map(one -> compared(one, now, path, context))
                .toList();
        // Nobody could build on what a study of the last round finds.
        int laterRounds = Math.ceilDiv(left, now.size()) - 1;
        long studies =
                Math.clamp(context.config().strong().studies() - path.studies(), 0, laterRounds);
        return new ScriptAttempt(ScriptSearch.NAME + "/" + name(), number, path.findings().size(),
                path.best(), path.partner(now, context).orElse(null), path.study(), path.findings(),
                others, left, (int) studies, before.secondsLeft(),
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
        return other.comparedAnew(now.stream()
                .map(SearchPath::best)
                .filter(best -> other.step().equals(best.step()))
                .findFirst()
                .map(best -> best.score().over(reader.best().score(), context.direction()))
                .orElse(null));
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
