package io.mlestar.core.agent;

import io.mlestar.core.base.Excerpt;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Sha256;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.UnreadableAnswer;
import io.mlestar.core.task.Edits;
import io.mlestar.core.task.AttemptRecord.AttemptKind;
import io.mlestar.core.task.AttemptRecord;
import io.mlestar.core.task.LimitSettings;
import io.mlestar.core.task.SolutionScript.Trial;
import io.mlestar.core.task.SolutionScript;
import io.mlestar.core.task.TaskType;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A_coder, script: one attempt in one answer, a study or a solution, as a whole script or as edits
/// of the best one. No figure of the paper.
///
/// @param attempt its name, as others read it
/// @param best the best script of its path; null before there is one: then only a study is of use
/// @param other the best script of another path, to take ideas from; null if it is to go on alone
/// @param study script of its path's last attempt, if that was a study: its code may be of use;
///   null if it was none
/// @param own what was tried on its path, oldest first
/// @param others what was tried elsewhere, solutions first, best first
/// @param attemptsLeft answers and scripts that are left for all paths, this one included
/// @param studiesLeft studies that are left for its path; 0 if it has to be a solution
/// @param secondsLeft what is left of the time for their scripts, one after the other; null if it
///   is not known
/// @param wrong what was wrong with the answer before; null if it is asked for the first time
public record ScriptCoder(
        @Nullable String attempt,
        @Nullable RatedScript best,
        @Nullable RatedScript other,
        @Nullable String study,
        List<AttemptRecord> own,
        List<AttemptRecord> others,
        int attemptsLeft,
        int studiesLeft,
        @Nullable Integer secondsLeft,
        @Nullable String wrong) implements CatalogueAgent.Editing<Reply.Scripted> {
    private static final Pattern KIND =
            Pattern.compile(
                    "(?im)^[^\\w\\n]*+kind[^\\w:=]{0,20}+[:=]\\W{0,20}+(study|solution)\\b");
    private static final Pattern SCORE_LINE =
            Pattern.compile("Final Validation Performance|submission\\.csv");
    /// No run of them is looked at twice.
    private static final Pattern MARKS = Pattern.compile("^[#* ]++|(?<![#* ])[#* ]++$");
    private static final int EXCERPT = 80;
    /// Characters that are kept of what it says of its script.
    private static final int LONGEST_TRIED = 2_000;
    private static final int DIGITS = 16;

    /// A script with what is known of its run.
    ///
    /// @param printed the lines of its output that tell most; null if they are not known
    public record RatedScript(String content, @Nullable Trial trial, @Nullable String printed) {
        public RatedScript {
            Invalid.text("content", content);
        }

        public static @Nullable RatedScript of(@Nullable SolutionScript script) {
            return script == null
                    ? null
                    : new RatedScript(script.content(), script.trial(), script.printed());
        }
    }

    public ScriptCoder {
        own = Invalid.optional(own);
        others = Invalid.optional(others);
    }

    @Override
    public @Nullable String module() {
        return best == null ? null : best.content();
    }

    /// By which the same text is known again.
    public static String digest(String text) {
        return Sha256.digits(text.strip(), DIGITS);
    }

    @Override
    public Map<String, String> variables(RunContext context) {
        Map<String, String> variables = new HashMap<>();
        variables.put("fold_rule", ValidationRules.studies(context));
        variables.put("time_limit", Integer.toString(context.config().studyTimeoutSeconds()));
        variables.put("data", ValidationRules.data(context));
        variables.put("subsample_instruction", ValidationRules.subsampling(context));
        variables.put("importable", ValidationRules.IMPORTABLE);
        variables.put("best", SearchSections.script(best));
        variables.put("module", PromptTemplate
                .when(best != null && best.content().contains(SolutionScript.MAIN)));
        variables.put("other", SearchSections.script(other));
        variables.put("tables", SearchSections.tables(own));
        variables.put("study",
                study == null
                        ? ""
                        : Sections.fenced(Elision.of(study, best == null ? "" : best.content())));
        variables.put("others", SearchSections.others(others));
        variables.put("own", SearchSections.own(own));
        variables.put("printed", SearchSections.printed(own));
        variables.put("attempt", attempt == null ? "" : attempt);
        variables.put("attempts_left", attemptsLeft(context.search().numParallelSolutions()));
        variables.put("time_used", context.timeUsed());
        variables.put("time_left", timeLeft(context.limits()));
        // Asked for by nobody, features from what columns mean came late and brought half of what
        // was gained.
        variables.put("features", PromptTemplate.when(own.size() == 1));
        TaskType type = context.task().taskType();
        // Most metrics of a regression are of rows; others may be of ranks.
        variables.put("classes", PromptTemplate
                .when(type != TaskType.REGRESSION && type != TaskType.IMAGE_TO_IMAGE));
        variables.put("studies_left", studiesLeft == 0 ? "" : Integer.toString(studiesLeft));
        variables.put("wrong", wrong == null ? "" : wrong);
        return variables;
    }

    private String attemptsLeft(int paths) {
        return attemptsLeft + (paths == 1
                ? ""
                : " for all paths together, about " + Math.ceilDiv(attemptsLeft, paths)
                        + " for yours");
    }

    /// Which of the two ends the search: the attempts or the time of their scripts.
    private String timeLeft(LimitSettings limits) {
        if (secondsLeft == null) {
            return "";
        }
        boolean isAmple = secondsLeft > (long) attemptsLeft * limits.solutionTimeoutSeconds();
        return isAmple
                ? "more time than they need: each script may take what it is allowed"
                : "about " + secondsLeft
                        + " s for all runs of their scripts (a solution: one a fold)";
    }

    /// @throws UnreadableAnswer naming what is wrong, in words that the agent can mend it by
    @Override
    public Reply.Scripted read(String answer) {
        try {
            String code = code(answer);
            String digest = digest(code);
            if (best != null && digest(best.content()).equals(digest)
                    || Stream.concat(own.stream(), others.stream())
                            .anyMatch(known -> digest.equals(known.script()))) {
                throw new Invalid("the script is the same as one before, unchanged");
            }
            return new Reply.Scripted(kind(answer, code), tried(answer), code);
        } catch (Invalid e) {
            throw UnreadableAnswer.of(e.getMessage(), answer, EXCERPT);
        }
    }

    private String code(String answer) {
        if (Edits.begin(answer) >= 0) {
            if (best == null) {
                throw new Invalid("there is no script to edit: write a whole one");
            }
            return edited(answer, best);
        }
        return CodeFences.code(answer)
                .filter(code -> !code.isBlank())
                .orElseThrow(
                        () -> new Invalid("there is neither a script in a code block nor an edit"));
    }

    /// Edits its own script, or, where the edits do not fit that one, the other that it was shown.
    private String edited(String answer, RatedScript own) {
        try {
            return Edits.applied(answer, own.content());
        } catch (Invalid e) {
            if (other == null) {
                throw e;
            }
            try {
                return Edits.applied(answer, other.content());
            } catch (Invalid ofOther) {
                throw new Invalid(e.getMessage() + " of your path; " + ofOther.getMessage()
                        + " of the other path");
            }
        }
    }

    private AttemptKind kind(String answer, String code) {
        Matcher said = KIND.matcher(prose(answer));
        AttemptKind kind = said.find()
                ? AttemptKind.valueOf(said.group(1).toUpperCase(Locale.ROOT))
                : likely(code);
        if (best == null && kind == AttemptKind.SOLUTION) {
            throw new Invalid("it is a solution, and this one has to be a study");
        }
        if (best != null && kind == AttemptKind.STUDY && studiesLeft == 0) {
            throw new Invalid("it is a study, and none is left: this one has to be a solution");
        }
        return kind;
    }

    /// Guesses the kind of a script of which the answer says nothing.
    private AttemptKind likely(String code) {
        boolean isScored = best != null && SCORE_LINE.matcher(code).find();
        return isScored ? AttemptKind.SOLUTION : AttemptKind.STUDY;
    }

    /// The answer before its script.
    private static String prose(String answer) {
        int edits = Edits.begin(answer);
        int fence = answer.indexOf("```");
        int end = Stream.of(edits, fence)
                .filter(at -> at >= 0)
                .min(Integer::compare)
                .orElse(answer.length());
        if (end > Reading.LONGEST_PROSE) {
            throw new Invalid("there are more than " + Reading.LONGEST_PROSE
                    + " characters before the script");
        }
        return answer.substring(0, end);
    }

    /// The sentences before the line that names the kind, or, where there are none, behind it.
    private static String tried(String answer) {
        String said = Stream.of(KIND.split(prose(answer), 2))
                .map(ScriptCoder::bare)
                .filter(part -> !part.isEmpty())
                .findFirst()
                .orElse("");
        return said.isEmpty() ? "(it did not say)" : Excerpt.clip(said, LONGEST_TRIED);
    }

    /// In one line, without the marks of headings and emphasis around it.
    private static String bare(String part) {
        String line = part.replace('`', '\'').replaceAll("[\\s\\p{C}\\p{Z}]+", " ");
        return MARKS.matcher(line).replaceAll("");
    }
}
