package io.mlestar.core.task;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.EnumNamingStrategies;
import com.fasterxml.jackson.databind.annotation.EnumNaming;
import io.mlestar.core.base.Invalid;
import java.util.Locale;
import java.util.regex.Pattern;

/// How the search differs from the paper's. The defaults are the paper's; the preset `strong` changes most of them.
///
/// @param validation who computes scores
/// @param folds of the harness's cross-validation: `auto` is 5, of which a script that takes long has one; else 1 to 20
/// @param minGain how much better a script must score to take the place of another
/// @param ensemble how solutions are combined in Phase 3
/// @param firstSolutions what the paths of Phase 2 begin with
/// @param agentsLook most short scripts that an agent may run on the data for one answer; 0 is none
/// @param brief whether agents whose work others can do as well are left out: summary, subsampling, test
/// @param attempt what an attempt of Phase 2 may change; where it is a whole script, candidates are not merged
/// @param studies most experiments without a score on each path of `attempt: script`; one more compares kinds of models before the candidates; 0 is none at all
public record SearchSettings(
        @JsonProperty(defaultValue = "script") ValidationBy validation,
        @JsonProperty(defaultValue = "auto") String folds,
        @JsonProperty(defaultValue = "none") MinGain minGain,
        @JsonProperty(defaultValue = "planned") EnsembleBy ensemble,
        @JsonProperty(defaultValue = "shared") FirstSolutions firstSolutions,
        @JsonProperty(defaultValue = "0") int agentsLook,
        @JsonProperty(defaultValue = "false") boolean brief,
        @JsonProperty(defaultValue = "block") AttemptBy attempt,
        @JsonProperty(defaultValue = "3") int studies) {

    /// Scripts that an agent may run on the data for one answer.
    public static final int MOST_LOOKS = 20;
    private static final int MOST_STUDIES = 1_000;

    /// Whether Phase 2 is a row of attempts on whole scripts.
    public boolean isByScript() {
        return attempt == AttemptBy.SCRIPT;
    }

    /// Whether a study compares kinds of models before the candidates are written.
    public boolean beginsWithStudy() {
        return isByScript() && studies > 0;
    }

    /// Folds that `auto` cuts.
    private static final int USUAL_FOLDS = 5;
    private static final Pattern FOLDS = Pattern.compile("auto|[1-9]|1[0-9]|20");

    /// Who computes scores: each script on a hold-out of its own, or the harness: on rows that it hides from all of them, or on folds of all rows.
    @EnumNaming(EnumNamingStrategies.SnakeCaseStrategy.class)
    public enum ValidationBy {
        SCRIPT, HARNESS, FOLDS
    }

    /// What takes a place: anything that scores as well (the paper's), or the best of those whose gain over what they were made from is above its standard error.
    @EnumNaming(EnumNamingStrategies.SnakeCaseStrategy.class)
    public enum MinGain {
        NONE, NOISE
    }

    /// Ensembles that agents plan and write (Algorithm 3), a greedy selection among the predictions of all scripts, or both.
    @EnumNaming(EnumNamingStrategies.SnakeCaseStrategy.class)
    public enum EnsembleBy {
        PLANNED, GREEDY, BOTH
    }

    /// All paths from s_0, or each after the first from another candidate of Phase 1.
    @EnumNaming(EnumNamingStrategies.SnakeCaseStrategy.class)
    public enum FirstSolutions {
        SHARED, OWN
    }

    /// One block of a script by a plan (Algorithm 2), or the whole script, in one answer.
    @EnumNaming(EnumNamingStrategies.SnakeCaseStrategy.class)
    public enum AttemptBy {
        BLOCK, SCRIPT
    }

    public SearchSettings {
        if (studies < 0 || studies > MOST_STUDIES) {
            throw new Invalid("studies must be 0 to " + MOST_STUDIES + ", but is " + studies);
        }
        if (agentsLook < 0 || agentsLook > MOST_LOOKS) {
            throw new Invalid("agents_look must be 0 to " + MOST_LOOKS + ", but is " + agentsLook);
        }
        if (!FOLDS.matcher(folds).matches()) {
            throw new Invalid("folds must be auto or 1 to 20, but is " + folds);
        }
        if (validation != ValidationBy.FOLDS && !folds.equals(PipelineConfig.AUTO)) {
            throw new Invalid("folds: " + folds + " needs validation: folds");
        }
        if (validation == ValidationBy.SCRIPT && (minGain == MinGain.NOISE || ensemble != EnsembleBy.PLANNED)) {
            throw new Invalid((minGain == MinGain.NOISE ? "min_gain: noise" : "ensemble: " + ensemble.name().toLowerCase(Locale.ROOT))
                    + " needs validation: harness or folds, which compare predictions");
        }
    }

    /// Whether the harness scores scripts, if it can hide rows.
    public boolean hidesRows() {
        return validation != ValidationBy.SCRIPT;
    }

    /// The most folds that a script is run on.
    public int mostFolds() {
        return validation != ValidationBy.FOLDS ? 1 : decidesFolds() ? USUAL_FOLDS : Integer.parseInt(folds);
    }

    /// Whether the time that a script takes decides on how many folds it is run.
    public boolean decidesFolds() {
        return validation == ValidationBy.FOLDS && folds.equals(PipelineConfig.AUTO);
    }
}
