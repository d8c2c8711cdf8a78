package io.mlestar.adapter.model;

import dev.langchain4j.model.chat.ChatModel;
import io.mlestar.adapter.model.provider.ModelProvider;
import io.mlestar.adapter.model.provider.ServerSearch;
import io.mlestar.core.task.Price;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A model as its provider serves it.
///
/// @param name as `provider:name`
/// @param provider how it is spoken to
record ProviderModel(
        String name,
        ModelProvider provider,
        ChatModel chat,
        ModelCatalogue catalogue) {
    /// The configured price, else the list price; empty if there is none.
    ///
    /// @param inputTokens of the request
    Optional<Price> price(ModelRequest question, long inputTokens) {
        return question.price().or(() -> catalogue.price(name, inputTokens));
    }

    /// The limit of an answer in tokens, its thoughts included; null if there is none.
    @Nullable
    Integer mostOutputTokens() {
        return catalogue.mostOutputTokens(name);
    }

    /// The provider's own search and its price; empty if it has none.
    Optional<ServerSearch> search() {
        return catalogue.search(name);
    }
}
