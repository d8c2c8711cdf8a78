package io.mlestar.llm;

import io.mlestar.step.Answer;
import java.util.OptionalDouble;

/// Answers questions.
@FunctionalInterface
public interface Model {
    /// @throws ModelUnavailable if asking again later may help
    /// @throws io.mlestar.step.StepFailed if it would not
    Answer ask(Question question);

    /// What asking would cost, in USD, told before it is done. A guess; empty if the price is unknown.
    default OptionalDouble estimate(Question question) {
        return OptionalDouble.empty();
    }

    /// The model cannot be reached or is too busy.
    final class ModelUnavailable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public ModelUnavailable(String message, Throwable cause) {
            super(message, cause);
        }

        public Double billedUsd() {
            return 0.0;
        }
    }
}
