package io.mlestar.core.task;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.EnumNamingStrategies;
import com.fasterxml.jackson.databind.annotation.EnumNaming;
import io.mlestar.core.base.Invalid;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A [Search] as users write it: its name and its numbers, among the other settings of a run. A
/// number that is not set is the search's usual one; a number of the other search is refused.
///
/// @param search the paper's algorithms as they are printed, or what reached better results with
///   fewer calls
/// @param numRetrievedModels see [Search]
/// @param numParallelSolutions see [Search]; usually 2 for `paper`, 3 for `strong`
/// @param outerLoopSteps of `paper`, usually 4
/// @param innerLoopSteps of `paper`, usually 4
/// @param ensembleRounds of `paper`, usually 5
/// @param finalSolution of `paper`, usually `best`
/// @param attempts of `strong`, usually 36
/// @param folds of `strong`, usually `auto`
/// @param studies of `strong`, usually 3
/// @param agentsLook of `strong`, usually 3
public record SearchSettings(
        @JsonProperty(defaultValue = "paper") SearchKind search,
        @JsonProperty(defaultValue = "4") int numRetrievedModels,
        @Nullable Integer numParallelSolutions,
        @Nullable Integer outerLoopSteps,
        @Nullable Integer innerLoopSteps,
        @Nullable Integer ensembleRounds,
        @Nullable FinalChoice finalSolution,
        @Nullable Integer attempts,
        @Nullable String folds,
        @Nullable Integer studies,
        @Nullable Integer agentsLook) {

    /// The names of the searches.
    @EnumNaming(EnumNamingStrategies.SnakeCaseStrategy.class)
    public enum SearchKind {
        PAPER, STRONG
    }

    public SearchSettings {
        // A run of an earlier format names none.
        search = search == null ? SearchKind.PAPER : search;
        switch (search) {
            case PAPER -> {
                numParallelSolutions = numParallelSolutions == null ? 2 : numParallelSolutions;
                outerLoopSteps = outerLoopSteps == null ? 4 : outerLoopSteps;
                innerLoopSteps = innerLoopSteps == null ? 4 : innerLoopSteps;
                ensembleRounds = ensembleRounds == null ? 5 : ensembleRounds;
                finalSolution = finalSolution == null ? FinalChoice.BEST : finalSolution;
                refuse("attempts", attempts, search,
                        "outer_loop_steps and inner_loop_steps say how many attempts a path has");
                refuse("folds", folds, search, "its scripts print their scores");
                refuse("studies", studies, search,
                        "an ablation study stands before each code block");
                refuse("agents_look", agentsLook, search,
                        "its agents see no more than its prompts say");
            }
            case STRONG -> {
                numParallelSolutions = numParallelSolutions == null ? 3 : numParallelSolutions;
                attempts = attempts == null ? 36 : attempts;
                folds = folds == null ? PipelineConfig.AUTO : folds;
                studies = studies == null ? 3 : studies;
                agentsLook = agentsLook == null ? 3 : agentsLook;
                refuse("outer_loop_steps", outerLoopSteps, search,
                        "attempts says how many attempts all paths have together");
                refuse("inner_loop_steps", innerLoopSteps, search,
                        "attempts says how many attempts all paths have together");
                refuse("ensemble_rounds", ensembleRounds, search, "its blend needs no rounds");
                refuse("final_solution", finalSolution, search, "it chooses by all hidden rows");
            }
        }
    }

    private static void refuse(
            String field,
            @Nullable Object value,
            SearchKind search,
            String instead) {
        if (value != null) {
            throw new Invalid(
                    field + " is no setting of search: " + search.name().toLowerCase(Locale.ROOT)
                            + "; leave it out: " + instead);
        }
    }

    /// True if scores of a run with those settings can be compared with scores of one with these,
    /// on the same data.
    public boolean scoresAlike(SearchSettings other) {
        return search == other.search && Objects.equals(folds, other.folds);
    }

    /// The search with its numbers.
    ///
    /// @throws Invalid naming a number that is out of its bounds
    Search chosen() {
        return switch (search) {
            case PAPER ->
                new PaperSearch(numRetrievedModels, set(outerLoopSteps), set(innerLoopSteps),
                        set(numParallelSolutions), set(ensembleRounds), set(finalSolution));
            case STRONG ->
                new StrongSearch(numRetrievedModels, set(numParallelSolutions), set(attempts),
                        set(folds), set(studies), set(agentsLook));
        };
    }

    private static <T> T set(@Nullable T value) {
        return Objects.requireNonNull(value);
    }
}
