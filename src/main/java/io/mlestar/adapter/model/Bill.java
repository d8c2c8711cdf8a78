package io.mlestar.adapter.model;

import dev.langchain4j.model.chat.response.ChatResponse;
import io.mlestar.adapter.model.MeteredHttpClient.ModelCall;
import io.mlestar.adapter.model.provider.ServerSearch;
import io.mlestar.adapter.model.provider.Tokens;
import io.mlestar.core.task.Price;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The cost of the turns about one question, and whether there is money for another one.
final class Bill {
    private final ProviderModel model;
    private final ModelRequest question;
    private int turns;
    private Tokens tokens = Tokens.NONE;
    private boolean isEstimated;
    private @Nullable Double usd = 0.0;
    /// The cost of the last turn, or of the last failed attempt at one.
    private @Nullable Double lastUsd = 0.0;

    Bill(ProviderModel model, ModelRequest question) {
        this.model = model;
        this.question = question;
    }

    int turns() {
        return turns;
    }

    Tokens tokens() {
        return tokens;
    }

    /// True if a turn came without a credible usage.
    boolean isEstimated() {
        return isEstimated;
    }

    /// The cost, with what failed requests may have cost; null if the price is unknown.
    @Nullable
    Double usd() {
        return usd;
    }

    /// The provider's own search, if it may search for this question.
    Optional<ServerSearch> search() {
        return question.traits().searches() ? model.search() : Optional.empty();
    }

    /// Adds a failed attempt that the provider may bill.
    void perhapsBilled(ModelCall call) {
        add(usd(price -> question.estimate(price, call.inputTokens()), call.inputTokens()));
    }

    /// Adds a turn: as the provider tells its tokens, or, where it does not or they cannot be, with
    /// the most that it can have had.
    ///
    /// @param said characters of what the model said in it
    void turn(ChatResponse response, ModelCall call, int said) {
        Tokens told = model.provider().tokens(response);
        boolean isCredible = told.areCredible(question.characters(), said);
        Tokens used = isCredible ? told : call.most(model.mostOutputTokens());
        isEstimated |= !isCredible;
        turns++;
        tokens = tokens.plus(used);
        double searches =
                search().map(each -> each.usd() * model.provider().searches(response)).orElse(0.0);
        add(usd(price -> used.cost(price) + searches, used.input()));
    }

    private void add(@Nullable Double more) {
        usd = usd == null || more == null ? null : Double.valueOf(usd + more);
        lastUsd = more;
    }

    /// True if there is money for another turn. From then on its estimate counts as spent: no less
    /// than the last turn cost, nor than its prompt is estimated to.
    ///
    /// @param conversation all that the turn is asked with
    boolean mayTakeTurn(String conversation) {
        long input = ModelRequest.tokens(conversation);
        double searches = search().map(each -> each.most() * each.usd()).orElse(0.0);
        Double estimate = usd(price -> question.estimate(price, input) + searches, input);
        Double last = lastUsd;
        Double next =
                estimate == null || last == null ? null : Double.valueOf(Math.max(estimate, last));
        return question.traits().second().may(usd, next);
    }

    /// Null if the price is unknown.
    private @Nullable Double usd(Function<Price, Double> usd, long inputTokens) {
        return model.price(question, inputTokens).map(usd).orElse(null);
    }
}
