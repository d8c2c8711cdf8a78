package io.mlestar.adapter.model;

import io.mlestar.core.step.Answer;
import io.mlestar.core.step.StepFailed;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// A language model of some provider.
///
/// @param searching used for questions for which the provider may search the web
record LanguageModel(ProviderModel plain, ProviderModel searching, Retries retries) implements Model {
    /// A provider refused a question because of the search. It may answer without: its server may not know the interface, its model not the
    /// tool, and its key may not be allowed it.
    static final class SearchRefused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        final @Nullable Double billedUsd;

        /// @param billedUsd what the refused question cost; null if the price is unknown
        SearchRefused(String message, @Nullable Double billedUsd) {
            super(message);
            this.billedUsd = billedUsd;
        }
    }

    private ProviderModel modelFor(ModelRequest question) {
        return question.traits().searches() ? searching : plain;
    }

    @Override
    public OptionalDouble estimate(ModelRequest question) {
        ProviderModel model = modelFor(question);
        double searches = question.traits().searches() ? model.search().map(each -> each.most() * each.usd()).orElse(0.0) : 0;
        return model.price(question, question.inputTokens()).map(price -> OptionalDouble.of(question.estimate(price) + searches))
                .orElse(OptionalDouble.empty());
    }

    /// @throws SearchRefused if the question allows a search, and the model said nothing
    @Override
    public Answer ask(ModelRequest question) {
        try {
            return new Conversation(modelFor(question), retries, question).answer();
        } catch (StepFailed e) {
            throw question.traits().searches() ? new SearchRefused(e.getMessage(), e.billedUsd()) : e;
        }
    }
}
