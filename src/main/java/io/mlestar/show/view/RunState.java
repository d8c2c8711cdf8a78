package io.mlestar.show.view;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.mlestar.core.records.Invocations.Unanswered;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.result.RunTally;
import io.mlestar.core.steering.Allowance;
import io.mlestar.core.steering.Extension;
import io.mlestar.core.store.DamagedRecord;
import io.mlestar.core.store.NewerRecord;
import io.mlestar.show.render.Formats;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The state of a run (REQ-OR-050), as programs read it: its [RunFigures], and what can only be
/// counted by going through all steps.
///
/// @param currentPhase `phase1`, `phase2`, `phase3`, `finalization` or `complete`
/// @param accumulatedCostUsd null if a price is unknown
/// @param cost what is known of it, in words
/// @param phase2PathStatuses per path `running`, `completed`, `failed` or `cancelled`: stopped
///   before its last step
/// @param bestScoreSoFar of the result once there is one, before that the best that stands; null
///   before the first score
/// @param bestScoreError its standard error; null unless the harness computed it
/// @param agentCallCount answered questions
/// @param underWay paths of the running steps
/// @param deadline with the time that it was given besides
/// @param extensions what it was given beyond the limits that it began with
/// @param programs the version that began the run and, if that is another one, the version that
///   ended it
/// @param waiting since when and why a step waits, mostly for a model that does not answer; null if
///   none does
/// @param error why it failed, stands still or cannot be read; null if it does not
/// @param next commands that help if it failed or stands still, without the option for the store
@RegisterForReflection
public record RunState(
        String runId,
        Optional<String> competitionId,
        Optional<String> model,
        RunStatus status,
        Optional<String> currentPhase,
        double elapsedSeconds,
        @Nullable Double accumulatedCostUsd,
        @JsonIgnore String cost,
        List<String> phase2PathStatuses,
        @Nullable Double bestScoreSoFar,
        @Nullable Double bestScoreError,
        int agentCallCount,
        int scriptCount,
        boolean cancelled,
        Optional<Instant> startedAt,
        Optional<Instant> deadline,
        List<String> underWay,
        List<Extension> extensions,
        List<String> programs,
        Optional<String> waiting,
        @Nullable String error,
        List<String> next) {
    /// Looks at the store now. Of a run that has ended two objects tell all; any other is gone
    /// through, as is one that ended with a damaged record.
    ///
    /// @throws DamagedRecord whatever is wrong with a record of it
    public static RunState of(Records records, RunHeader header, Instant now) {
        return DamagedRecord.unlessRead("runs/" + header.runId(), () -> {
            Optional<StepResult> end = records.result(header.root());
            Optional<RunTally> tally =
                    end.flatMap(_ -> RunTally.of(records.store(), header.runId()));
            return tally.isEmpty()
                    ? goneThrough(records, header, now)
                    : ended(header, end.orElseThrow(), tally.get());
        });
    }

    private static RunState ended(RunHeader header, StepResult end, RunTally tally) {
        RunFigures figures =
                RunFigures.ended(header, end, tally.reached(),
                        tally.cancelled());
        return of(header, figures, tally, end.endedAt(), tally.allowance().onto(header).deadline(),
                List.of(), programs(header, Stream.of(tally.endedBy())), Optional.empty());
    }

    private static RunState goneThrough(Records records, RunHeader header, Instant now) {
        LiveRun live = LiveRun.read(records, header, _ -> {});
        RunFigures figures = live.figures();
        RunLimits limits = live.limits();
        List<StepRow> underWay = live.underWay();
        RunTally tally =
                RunTally.count(records, header, records.below(header.root()),
                        figures.cancelled(), new Allowance(limits.extensions()));
        Optional<Unanswered> waiting =
                underWay.stream()
                        .flatMap(row -> records.invocations().unanswered(row.step()).stream())
                        .min(Comparator.comparing(Unanswered::since));
        return of(header, figures, tally, now, limits.deadline(),
                underWay.stream().map(StepRow::path).toList(), programs(records, header),
                waiting.map(first -> "since " + seconds(first.since()) + ": " + first.reason()));
    }

    private static RunState of(
            RunHeader header,
            RunFigures figures,
            RunTally tally,
            Instant now,
            Instant deadline,
            List<String> underWay,
            List<String> programs,
            Optional<String> waiting) {
        return new RunState(header.runId(), Optional.of(header.task().competitionId()),
                Optional.of(header.config().models().model()), figures.state(),
                Optional.of(figures.currentPhase()),
                figures.elapsedSeconds(now), figures.accumulatedCostUsd(), figures.costWords(),
                tally.paths(), figures.bestScoreSoFar(), figures.bestScoreError(), tally.answers(),
                tally.scripts(), figures.cancelled(), Optional.of(header.startedAt()),
                Optional.of(deadline), underWay,
                tally.extensions(), programs, waiting, figures.error(),
                figures.next());
    }

    /// The versions of the program that began and ended a run.
    public static List<String> programs(Records records, RunHeader header) {
        return programs(header, records.endedBy(header.root()).stream());
    }

    private static List<String> programs(RunHeader header, Stream<String> end) {
        return Stream.concat(Stream.of(header.version()), end).distinct().toList();
    }

    /// All runs of a store, the latest first. One with a record that cannot be read stands among
    /// the others, at the end.
    public static List<RunState> all(Records records, Instant now) {
        return records.runs().stream().flatMap(run -> {
            try {
                return records.header(run).map(header -> of(records, header, now)).stream();
            } catch (DamagedRecord | NewerRecord e) {
                return Stream.of(unread(run, e));
            }
        })
                .sorted(
                        Comparator
                                .comparing((RunState run) -> run.startedAt.orElse(Instant.MIN))
                                .reversed())
                .toList();
    }

    /// The state of a run with a record that cannot be read.
    private static RunState unread(String run, RuntimeException why) {
        RunFigures figures = RunFigures.unread(run, why);
        Optional<String> unknown = Optional.empty();
        Optional<Instant> never = Optional.empty();
        return new RunState(run, unknown, unknown, figures.state(), unknown, 0,
                figures.accumulatedCostUsd(), "-", List.of(), figures.bestScoreSoFar(),
                figures.bestScoreError(), 0, 0, false, never,
                never, List.of(), List.of(), List.of(), unknown, figures.error(), figures.next());
    }

    private static String listed(String what, List<String> lines) {
        return lines.isEmpty()
                ? ""
                : String.format(Locale.ROOT, "\n%-11s", what) + String.join("\n           ", lines);
    }

    private static Instant seconds(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS);
    }

    private String scoreWords() {
        if (bestScoreSoFar == null) {
            return "none yet";
        }
        String score = bestScoreError == null
                ? bestScoreSoFar.toString()
                : Formats.score(bestScoreSoFar, bestScoreError);
        return score + (status == RunStatus.COMPLETED ? ", final" : ", best so far");
    }

    /// A few lines for a terminal.
    ///
    /// @param scoredBy who computes the scores, in a line; empty if the scripts do
    /// @param store option with which other commands find the store; empty if they need none
    public String text(String scoredBy, String store) {
        boolean goesOn = status == RunStatus.RUNNING;
        String why = status == RunStatus.STOPPED ? "its process is gone" : error;
        return String.format(Locale.ROOT, """
                run        %s (%s), model %s
                status     %s
                elapsed    %.1f s
                cost       %s
                score      %s
                steps      %d answers, %d scripts%s%s%s%s%s
                """, runId, competitionId.orElseThrow(), model.orElseThrow(),
                status + (status.isOpen() ? ", in " + currentPhase.orElseThrow() : "")
                        + (why == null ? "" : ": " + why),
                elapsedSeconds, cost, scoreWords(), agentCallCount, scriptCount,
                listed(goesOn ? "running" : "unfinished", underWay),
                listed("waiting", waiting.stream().toList()),
                listed("extended",
                        extensions.stream()
                                .map(given -> given.words() + " by " + given.by() + ", "
                                        + seconds(given.at()))
                                .toList()),
                listed("scoring", scoredBy.isEmpty() ? List.of() : List.of(scoredBy)),
                listed("next", next.stream().map(command -> command + store).toList()))
                .stripTrailing();
    }
}
