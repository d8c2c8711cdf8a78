package io.mlestar.core.phase;

import io.mlestar.core.agent.Reply;
import io.mlestar.core.agent.ScriptCoder;
import io.mlestar.core.agent.ScriptCoder.RatedScript;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.OutputExcerpt;
import io.mlestar.core.base.Phrase;
import io.mlestar.core.step.Execution;
import io.mlestar.core.step.Outcome;
import io.mlestar.core.step.Phase;
import io.mlestar.core.step.PhaseReport;
import io.mlestar.core.step.PhaseReport.PhaseText;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.RunScript.Kind;
import io.mlestar.core.step.Scheduling;
import io.mlestar.core.step.StepStopped;
import io.mlestar.core.step.Steps;
import io.mlestar.core.task.AttemptRecord;
import io.mlestar.core.task.AttemptRecord.AttemptKind;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.Decision.Source;
import io.mlestar.core.task.Decision;
import io.mlestar.core.task.Results.RefinementAttempt;
import io.mlestar.core.task.Score.Lead;
import io.mlestar.core.task.Score;
import io.mlestar.core.task.SolutionPhase;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.Validation;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One attempt of [ScriptSearch]: one answer with one script, a study or a solution. All
/// that it knows of the search stands in its fields, so it is the same whenever it is played again.
///
/// @param place path within the run of the phase that asks for it
/// @param path number of its path, from 0
/// @param number among the attempts of its path, from 0
/// @param best the best script of its path; null for the first study, before there is a solution
/// @param other the best script of another path, to take ideas from; null if there is none
/// @param study script of the path's last attempt, if that was a study
/// @param own what was tried on its path, oldest first
/// @param others what was tried elsewhere, best first
/// @param attemptsLeft for all paths, this one included
/// @param studiesLeft for its path
/// @param secondsLeft of the time for scripts; null if it is not known
/// @param bests the best scripts of all paths, its own included, with which its script is blended
///   to tell what it adds
public record ScriptAttempt(
        String place,
        int path,
        int number,
        @Nullable SolutionScript best,
        @Nullable SolutionScript other,
        @Nullable String study,
        List<AttemptRecord> own,
        List<AttemptRecord> others,
        int attemptsLeft,
        int studiesLeft,
        @Nullable Integer secondsLeft,
        List<SolutionScript> bests) implements Phase<ScriptAttempt.Result> {
    private static final String FIRST = "study";
    private static final int TABLE = 3_300;
    private static final int PRINTED = 900;
    private static final int CHANGED = 200;

    /// @param script as evaluated; null if it is no solution, or failed
    /// @param repaired how often the debugger changed the script that has the score, and why; null
    ///   if it ran as it was written
    /// @param study script of a study that ran; null if it is none, or found nothing better
    public record Result(
            AttemptRecord finding,
            @Nullable SolutionScript script,
            @Nullable String repaired,
            @Nullable String study) implements PhaseResult {
        /// The score of its script.
        public Score score() {
            return script == null ? Score.NONE : script.score();
        }

        RefinementAttempt record() {
            return new RefinementAttempt(finding.tried(), finding.score(), "", finding.isKept(),
                    repaired, script, finding);
        }
    }

    /// The first study, before there is any script.
    static ScriptAttempt first(String place, int attempts) {
        return new ScriptAttempt(place, 0, 0, null, null, null, List.of(), List.of(), attempts, 1,
                null, List.of());
    }

    @Override
    public Result run(Steps steps) {
        Outcome<Reply.Scripted> reply = steps.outcome(question(null));
        if (reply instanceof Outcome.Failed<Reply.Scripted>(String reason, boolean unreadable)
                && unreadable) {
            reply = steps.outcome(question(line(reason)));
        }
        return switch (reply) {
            case Outcome.Done<Reply.Scripted>(Reply.Scripted script) ->
                script.kind() == AttemptKind.STUDY ? study(script, steps) : solution(script, steps);
            case Outcome.Failed<Reply.Scripted>(String reason, boolean _) -> failed(line(reason));
            case Outcome.Stopped<Reply.Scripted>(String reason) -> throw new StepStopped(reason);
        };
    }

    private ScriptCoder question(@Nullable String wrong) {
        return new ScriptCoder(name(), RatedScript.of(best), RatedScript.of(other), study, own,
                others, attemptsLeft, studiesLeft, secondsLeft, wrong);
    }

    private static String line(String reason) {
        return Excerpt.line(reason, DebugLoop.ERROR_SHOWN);
    }

    /// The result that stands for an attempt that gave nothing.
    Result failed(String why) {
        AttemptKind kind = best == null ? AttemptKind.STUDY : AttemptKind.SOLUTION;
        AttemptRecord finding =
                draft(kind, "").remark("no script: " + why).record();
        return new Result(finding, null, null, null);
    }

    private Result study(Reply.Scripted reply, Steps steps) {
        DebugLoop.Result ran =
                DebugLoop.study(SolutionScript.unscored(reply.code(), SolutionPhase.REFINED), best,
                        steps);
        String fault = ran.execution() instanceof Execution.Failed failed
                ? failed.ending(Kind.STUDY)
                : null;
        AttemptRecord finding = draft(AttemptKind.STUDY, reply.tried())
                .ran(Math.ceil(ran.seconds()))
                .remark(fault)
                .script(ScriptCoder.digest(reply.code()), OutputExcerpt.of(ran.stdout(), TABLE))
                .record();
        // The code of a study that found nothing better is of no use to the next attempt.
        String code = OutputExcerpt.isNull(ran.stdout()) ? null : ran.script().content();
        return new Result(finding, null, ran.repaired(), code);
    }

    private Result solution(Reply.Scripted reply, Steps steps) {
        SolutionScript now = Objects.requireNonNull(best);
        SolutionScript candidate =
                SolutionScript.unscored(reply.code(), SolutionPhase.REFINED)
                        .from(now.sourceModel())
                        .by(step());
        Evaluation.Result evaluated =
                new Evaluation(candidate, Kind.SOLUTION, Rival.of(now)).by(steps);
        SolutionScript scored = evaluated.script();
        Lead lead = scored.score().over(now.score(), steps.context().direction());
        boolean isKept = Acceptance.of(steps.context()).isKept(scored, now);
        String predictions = predictions(scored.score());
        String remark =
                scored.score().isKnown()
                        ? remark(evaluated, predictions, now, steps)
                        : evaluated.shortly();
        AttemptRecord finding = draft(AttemptKind.SOLUTION, tried(reply, scored))
                .scored(scored.score().value(), predictions)
                .compared(lead, isKept)
                .ran(scored.durationSeconds())
                .remark(remark)
                .script(ScriptCoder.digest(reply.code()), printed(scored))
                .record();
        return new Result(finding, scored.isExecutable() ? scored : null, evaluated.repaired(),
                null);
    }

    /// Remarks on a script that has a score; null if there are none.
    private @Nullable String remark(
            Evaluation.Result evaluated,
            @Nullable String predictions,
            SolutionScript now,
            Steps steps) {
        Optional<String> same = same(predictions, now);
        if (same.isPresent()) {
            return "this changed nothing: its predictions are those of " + same.get();
        }
        String repaired = evaluated.repaired() == null ? "" : "after " + evaluated.repaired();
        String judged =
                OwnWords.judgement(evaluated.script()).map(text -> "judgement: " + text).orElse("");
        String remark = Phrase.of("; ", repaired, judged,
                BlendedPaths.with(evaluated.script(), bests, steps));
        return remark.isEmpty() ? null : remark;
    }

    /// Says what was to be changed, and what the script is as it ran.
    private static String tried(Reply.Scripted reply, SolutionScript scored) {
        return OwnWords.summary(scored)
                .map(summary -> Excerpt.sentences(reply.tried(), CHANGED) + " It is: " + summary)
                .orElse(reply.tried());
    }

    /// The part of the output that later attempts see, unless the script is the best: of that one
    /// they see all.
    private static String printed(SolutionScript scored) {
        return scored.printed() == null ? "" : OutputExcerpt.of(scored.printed(), PRINTED);
    }

    /// Records what came of it, beside its path's best.
    Decision decision(Result turned) {
        List<SolutionScript> from = Stream.of(best, other).filter(Objects::nonNull).toList();
        return new Decision(step(), turned.score(), Source.each(from),
                best == null ? null : Rival.of(best), turned.finding().isKept());
    }

    /// The step whose predictions are the same.
    private Optional<String> same(@Nullable String predictions, SolutionScript now) {
        if (predictions == null) {
            return Optional.empty();
        }
        if (predictions.equals(predictions(now.score()))) {
            return Optional.of(String.valueOf(now.step()));
        }
        return Stream.concat(own.stream(), others.stream())
                .filter(known -> predictions.equals(known.predictions()))
                .map(AttemptRecord::step)
                .findFirst();
    }

    /// Two scripts that score the same on each resample of the hidden rows have predicted the same.
    static @Nullable String predictions(Score score) {
        Validation validation = score.validation();
        return validation == null
                ? null
                : ScriptCoder.digest(validation.search() + " " + validation.select() + " "
                        + validation.searchDraws()
                        + validation.selectDraws());
    }

    private AttemptRecord.Draft draft(AttemptKind kind, String tried) {
        return new AttemptRecord.Draft(step(), kind, tried)
                .fusedWith(other == null ? null : String.valueOf(other.step()));
    }

    private String step() {
        return place + "/" + name();
    }

    @Override
    public String name() {
        return best == null ? FIRST : "path" + path + "-" + Attempt.name(number);
    }

    @Override
    public Scheduling scheduling(RunContext context) {
        return best == null
                ? Scheduling.ALONE
                : Scheduling.beside(context.search().numParallelSolutions());
    }

    @Override
    public String title() {
        return best == null ? "First study" : "Path " + path + ", attempt " + number;
    }

    @Override
    public PhaseReport report(Result result) {
        AttemptRecord finding = result.finding();
        String how = finding.fusedWith() == null ? "" : "with " + finding.fusedWith() + ": ";
        PhaseReport report = PhaseReport.ofScore(result.score())
                .saying((finding.isStudy() ? "study: " : how)
                        + Phrase.of("; ", finding.tried(), finding.remark()))
                .with(PhaseText.PLAN, finding.tried())
                .with(PhaseText.STUDY, finding.table())
                .with(PhaseText.FAILURE, finding.remark());
        if (best == null || finding.isStudy()) {
            return report;
        }
        String script = result.script() == null ? "" : result.script().content();
        return report.required()
                .comparedWith(Rival.of(best), finding.isKept())
                .revising(best.content(), script.isEmpty() ? best.content() : script)
                .with(PhaseText.SCRIPT, script);
    }
}
