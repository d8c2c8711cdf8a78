package io.mlestar.adapter.model;

import io.mlestar.core.step.Answer;
import io.mlestar.core.step.ModelUnavailable;
import java.util.OptionalDouble;

/// Answers questions.
@FunctionalInterface
public interface Model {
    /// @throws ModelUnavailable if asking again later may help
    /// @throws io.mlestar.core.step.StepFailed if it would not
    Answer ask(ModelRequest question);

    /// The estimated cost of asking, in USD; empty if the price is unknown.
    default OptionalDouble estimate(ModelRequest question) {
        return OptionalDouble.empty();
    }
}
