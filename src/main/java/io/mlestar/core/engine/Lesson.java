package io.mlestar.core.engine;

import io.mlestar.core.base.Excerpt;
import io.mlestar.core.phase.Attempt;
import io.mlestar.core.phase.Evaluation.Evaluated;
import io.mlestar.core.phase.Merge;
import io.mlestar.core.phase.Round;
import io.mlestar.core.records.KnownStep;
import io.mlestar.core.records.Records;
import io.mlestar.core.records.RunHeader;
import io.mlestar.core.records.StepResult;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.SearchSettings.Lessons;
import io.mlestar.core.task.SolutionScript;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What a run learned by trying a plan: an attempt on a block, a merge or a round, whose script was evaluated.
///
/// @param where path within the run
/// @param gain how much better it scored than the script that it started from, in units of the metric; null if it has no score
/// @param text one line of at most about 800 characters, for agents
record Lesson(String where, @Nullable Double gain, Instant endedAt, String text) {
    private static final Set<AgentType> LEARNERS = Set.of(AgentType.EXTRACTOR, AgentType.ABLATION, AgentType.PLANNER, AgentType.ENS_PLANNER);
    /// By their names, so that nothing else of a run has to be read.
    private static final Pattern PHASE = Pattern.compile("phase1|phase2-path\\d+|phase3|block\\d+");
    private static final Pattern TRIAL = Pattern.compile("merge\\d+|attempt\\d+|round\\d+");
    private static final int MOST = 30;
    private static final int MOST_CHARACTERS = 8_000;
    private static final int LONGEST_PLAN = 300;
    private static final int LONGEST_ERROR = 200;
    /// The largest gains and losses first, then what failed; of equals, the latest.
    private static final Comparator<Lesson> TELLING = Comparator.comparingDouble((Lesson lesson) -> lesson.gain == null ? -1 : Math.abs(lesson.gain)).reversed()
            .thenComparing(Lesson::endedAt, Comparator.reverseOrder()).thenComparing(Lesson::where);

    /// What an agent is told of its run as it is now, as lines; the same for the same records.
    ///
    /// @param step of the agent; what was tried in the phase that it is part of, it knows already
    static List<String> told(Records records, RunHeader run, StepPath step, Agent<?> agent) {
        return run.config().search().lessons() == Lessons.NONE || !LEARNERS.contains(agent.type()) ? List.of()
                : told(below(records, StepPath.root(run.runId()), step, run.task().metricDirection()).toList());
    }

    /// The most telling ones.
    static List<String> told(List<Lesson> lessons) {
        List<String> lines = new ArrayList<>();
        int characters = 0;
        for (Lesson lesson : lessons.stream().sorted(TELLING).limit(MOST).toList()) {
            characters += lesson.text.length() + 1;
            if (characters > MOST_CHARACTERS) {
                break;
            }
            lines.add(lesson.text);
        }
        return lines;
    }

    private static Stream<Lesson> below(Records records, StepPath phase, StepPath asking, MetricDirection direction) {
        boolean isOwn = asking.inside().startsWith(phase.inside() + "/");
        Map<String, Boolean> listed = records.listed(phase);
        listed.entrySet().removeIf(step -> !PHASE.matcher(step.getKey()).matches()
                && (isOwn || !step.getValue() || !TRIAL.matcher(step.getKey()).matches()));
        return records.journal(phase, listed).steps().values().stream().flatMap(step -> PHASE.matcher(step.path().name()).matches()
                ? below(records, step.place(), asking, direction) : of(records, step, direction).stream());
    }

    private static Optional<Lesson> of(Records records, KnownStep step, MetricDirection direction) {
        return records.result(step.place().child("evaluation")).filter(StepResult.Done.class::isInstance).map(StepResult.Done.class::cast)
                .flatMap(evaluation -> step.done().map(done -> switch (step.step()) {
                    case Attempt attempt -> of(step, done.of(attempt).record().plan(), Rival.of(attempt.solution()), evaluation, direction);
                    case Merge merge -> of(step, "merge with the candidate " + merge.reference().sourceModel(), Rival.of(merge.base()), evaluation, direction);
                    case Round round -> of(step, done.of(round).plan(), Objects.requireNonNull(round.input()), evaluation, direction);
                    default -> throw new IllegalStateException(step.path() + " tries no plan");
                }));
    }

    private static Lesson of(KnownStep step, String plan, Rival base, StepResult.Done evaluation, MetricDirection direction) {
        Evaluated evaluated = evaluation.of(Evaluated.class);
        Double score = evaluated.script().score();
        Double gain = score == null ? null : direction.gain(score, base.score());
        String came = gain == null
                ? (evaluated.script().isExecutable() ? "" : "failed: ") + line(evaluated.failure() == null ? "no score" : evaluated.failure(), LONGEST_ERROR)
                : scored(evaluated.script(), base, gain);
        String repaired = evaluated.repaired() == null ? "" : " (after " + line(evaluated.repaired(), LONGEST_ERROR) + ")";
        String where = step.path().inside();
        return new Lesson(where, gain, evaluation.endedAt(), where + ": " + line(plan, LONGEST_PLAN) + " -> " + came + repaired);
    }

    private static String scored(SolutionScript script, Rival base, double gain) {
        String error = script.validation() == null || base.validation() == null ? ""
                : " ± " + number(script.validation().errorOfGain(base.validation()));
        return (gain == 0 ? "as good as " : number(Math.abs(gain)) + error + (gain > 0 ? " better than " : " worse than ")) + base.score()
                + (script.durationSeconds() == null ? "" : String.format(Locale.ROOT, ", in %.0f s", script.durationSeconds()));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.4g", value);
    }

    /// What a model or a script wrote, as a part of a line: it can begin neither a line nor a block of code.
    private static String line(String text, int length) {
        return Excerpt.clip(text.replaceAll("[\\s\\p{C}\\p{Z}]+", " ").replace('`', '\'').strip(), length);
    }
}
