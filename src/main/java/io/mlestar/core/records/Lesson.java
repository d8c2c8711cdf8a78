package io.mlestar.core.records;

import io.mlestar.core.base.Digits;
import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.phase.Evaluation.Evaluated;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Phase.TriedPlan;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.Decision.Rival;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.SearchSettings.Lessons;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.Validation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What a run learned by trying a plan, whose script was evaluated.
///
/// @param where path within the run
/// @param gain how much better it scored than the script that it started from, in units of the metric; null if it has no score
/// @param error standard error of the gain; null unless the harness computed both scores
/// @param text one line of at most about 800 characters, for agents
public record Lesson(String where, @Nullable Double gain, @Nullable Double error, Instant endedAt, String text) {
    private static final Set<AgentType> LEARNERS = Set.of(AgentType.EXTRACTOR, AgentType.ABLATION, AgentType.PLANNER, AgentType.ENS_PLANNER);
    private static final int MOST = 30;
    private static final int MOST_CHARACTERS = 8_000;
    private static final int LONGEST_PLAN = 300;
    private static final int LONGEST_ERROR = 200;
    /// The largest gains and losses first, then what failed; of equals, the latest.
    private static final Comparator<Lesson> TELLING = Comparator.comparingDouble((Lesson lesson) -> lesson.gain == null ? -1 : Math.abs(lesson.gain)).reversed()
            .thenComparing(Lesson::endedAt, Comparator.reverseOrder()).thenComparing(Lesson::where);

    /// @throws Invalid naming what is missing
    public Lesson {
        Invalid.required("where", where);
        Invalid.required("ended_at", endedAt);
        Invalid.required("text", text);
    }

    /// What an agent is told of its run as it is now, as lines; the same for the same records.
    ///
    /// @param step of the agent; what was tried in the phases that it is part of, it knows already
    public static List<String> told(Records records, RunHeader run, StepPath step, Agent<?> agent) {
        return run.config().search().lessons() == Lessons.NONE || !LEARNERS.contains(agent.type()) ? List.of()
                : told(Walk.findings(records, StepPath.root(run.runId())).flatMap(found -> found.lessons().stream())
                        .filter(lesson -> !step.inside().startsWith(lesson.where.substring(0, lesson.where.lastIndexOf('/') + 1))).toList());
    }

    /// The most telling ones, behind what difference means nothing.
    public static List<String> told(List<Lesson> lessons) {
        double[] errors = lessons.stream().filter(lesson -> lesson.error != null).mapToDouble(Lesson::error).sorted().toArray();
        return Stream.concat(
                errors.length == 0 ? Stream.empty()
                        : Stream.of("Scores of two scripts of this run differ by chance by about " + Digits.of(errors[errors.length / 2], 2)
                                + "; less tells nothing."),
                mostTelling(lessons).stream().map(Lesson::text)).toList();
    }

    /// The most telling ones: of lists that were shortened so, the same are left as of whole ones.
    public static List<Lesson> mostTelling(List<Lesson> lessons) {
        List<Lesson> most = new ArrayList<>();
        int characters = 0;
        for (Lesson lesson : lessons.stream().sorted(TELLING).limit(MOST).toList()) {
            characters += lesson.text.length() + 1;
            if (characters > MOST_CHARACTERS) {
                break;
            }
            most.add(lesson);
        }
        return most;
    }

    static Lesson of(StepPath step, TriedPlan tried, Evaluated evaluated, Instant endedAt, MetricDirection direction) {
        SolutionScript script = evaluated.script();
        Validation by = script.validation();
        Validation base = tried.base().validation();
        Double gain = script.score() == null ? null : by == null || base == null ? Double.valueOf(direction.gain(script.score(), tried.base().score()))
                : Double.valueOf(by.gain(base, direction));
        Double error = by == null || base == null ? null : Double.valueOf(by.errorOfGain(base));
        String came = gain == null
                ? (script.isExecutable() ? "" : "failed: ") + line(evaluated.shortly(), LONGEST_ERROR)
                : scored(script, tried.base(), gain, error);
        String repaired = evaluated.repaired() == null ? "" : " (after " + line(evaluated.repaired(), LONGEST_ERROR) + ")";
        return new Lesson(step.inside(), gain, error, endedAt, step.inside() + ": " + line(tried.plan(), LONGEST_PLAN) + " -> " + came + repaired);
    }

    private static String scored(SolutionScript script, Rival base, double gain, @Nullable Double error) {
        return (gain == 0 ? "as good as "
                : Digits.of(Math.abs(gain), 4) + (error == null ? "" : " ± " + Digits.of(error, 2)) + (gain > 0 ? " better than " : " worse than "))
                + Digits.of(base.score(), 6) + (script.durationSeconds() == null ? "" : String.format(Locale.ROOT, ", in %.0f s", script.durationSeconds()));
    }

    /// What a model or a script wrote, as a part of a line: it can begin neither a line nor a block of code.
    public static String line(String text, int length) {
        return Excerpt.clip(text.replaceAll("[\\s\\p{C}\\p{Z}]+", " ").replace('`', '\'').strip(), length);
    }
}
