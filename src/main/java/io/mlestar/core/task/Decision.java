package io.mlestar.core.task;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.mlestar.core.base.Invalid;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The decision of a phase on a script that it tried.
///
/// @param step path within the run of the step that gave the script
/// @param from what the script was made of; empty for a model as it came
/// @param comparedWith the best so far; null if there is nothing to compare it with
/// @param accepted whether it took that one's place, or came first among its like; null if the
///   final choice decides that, on rows of its own
public record Decision(
        String step,
        @JsonUnwrapped @JsonProperty(Score.FIELDS) Score score,
        List<Source> from,
        @Nullable Rival comparedWith,
        @Nullable Boolean accepted) {
    /// A script that another one was made of.
    ///
    /// @param weight how often a blend counts it; 1 elsewhere
    public record Source(String step, int weight) {
        public static List<Source> each(List<SolutionScript> scripts) {
            return scripts.stream()
                    .flatMap(script -> Stream.ofNullable(script.step()))
                    .distinct()
                    .map(step -> new Source(step, 1))
                    .toList();
        }
    }

    /// The script that another one is compared with.
    ///
    /// @param step that gave it; null if it is not known
    public record Rival(
            @Nullable String step,
            @JsonUnwrapped @JsonProperty(Score.FIELDS) Score score) {
        public Rival {
            score.known();
        }

        /// @throws NullPointerException if it has no score
        public static Rival of(SolutionScript script) {
            return new Rival(script.step(), script.score());
        }
    }

    public Decision {
        Invalid.text("step", step);
        from = List.copyOf(from);
    }

    /// @param against null if there is nothing to compare it with
    public static Decision of(
            SolutionScript tried,
            List<SolutionScript> from,
            @Nullable SolutionScript against,
            boolean accepted) {
        Rival rival = against == null ? null : Rival.of(against);
        return new Decision(String.valueOf(tried.step()), tried.score(), Source.each(from), rival,
                accepted);
    }

    public boolean isAccepted() {
        return Boolean.TRUE.equals(accepted);
    }
}
