package io.mlestar.adapter.model;

import io.mlestar.adapter.model.provider.RequestPart;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.StepFailed;
import java.util.OptionalDouble;

/// A language model of some provider.
///
/// @param searching used for questions for which the provider may search the web
record LanguageModel(
        ProviderModel plain,
        ProviderModel searching,
        Retries retries) implements Model {
    private ProviderModel modelFor(ModelRequest question) {
        return question.traits().searches() ? searching : plain;
    }

    @Override
    public OptionalDouble estimate(ModelRequest question) {
        ProviderModel model = modelFor(question);
        double searches =
                question.traits().searches()
                        ? model.search().map(each -> each.most() * each.usd()).orElse(0.0)
                        : 0;
        return model.price(question, question.inputTokens())
                .map(price -> OptionalDouble.of(question.estimate(price) + searches))
                .orElse(OptionalDouble.empty());
    }

    /// Asks the model. If a question that allows a search is refused, the search may be the reason:
    /// the server may not know the interface, the model not the tool, and the key may not be
    /// allowed it.
    ///
    /// @throws PartRefused if the server may answer without a part of the question
    @Override
    public Answer ask(ModelRequest question) {
        try {
            return new Conversation(modelFor(question), retries, question).answer();
        } catch (PartRefused e) {
            throw question.traits().searches()
                    ? new PartRefused(RequestPart.SEARCH, e.getMessage(), e.billedUsd)
                    : e;
        } catch (StepFailed e) {
            throw question.traits().searches()
                    ? new PartRefused(RequestPart.SEARCH, e.getMessage(), e.billedUsd())
                    : e;
        }
    }
}
