package io.mlestar.llm;

import io.mlestar.step.Answer;
import java.util.OptionalDouble;

/// Answers questions.
@FunctionalInterface
public interface Model {
    /// @throws ModelUnavailable if asking again later may help
    /// @throws io.mlestar.step.StepFailed if it would not
    Answer ask(ModelRequest question);

    /// What asking would cost, in USD, told before it is done. A guess; empty if the price is unknown.
    default OptionalDouble estimate(ModelRequest question) {
        return OptionalDouble.empty();
    }

    /// The model cannot be reached or is too busy, or the time for its answer is over.
    final class ModelUnavailable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final Double billedUsd;

        /// Nothing can have been billed.
        public ModelUnavailable(String message) {
            this(message, 0.0);
        }

        /// @param billedUsd see [#billedUsd]
        public ModelUnavailable(String message, Double billedUsd) {
            super(message);
            this.billedUsd = billedUsd;
        }

        /// What the provider may ask for the tries all the same, estimated, in USD. 0 if it had none of them; null if the model's price is
        /// unknown.
        public Double billedUsd() {
            return billedUsd;
        }
    }
}
