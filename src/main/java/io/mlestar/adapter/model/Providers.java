package io.mlestar.adapter.model;

import dev.langchain4j.model.chat.ChatModel;
import io.mlestar.adapter.model.provider.ModelProvider;
import io.mlestar.core.base.Invalid;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// Opens the providers' models.
///
/// @param environment where keys and addresses are read; a key may also lie in a file that `<NAME>_FILE` names
record Providers(Map<String, String> environment, ModelCatalogue catalogue) {
    /// @throws Invalid if the provider is unknown, its address is none, or its key is missing
    ProviderModel open(String fullName) {
        return served(fullName, provider(fullName));
    }

    /// The same model where its provider may search the web for it.
    ///
    /// @throws Invalid see [#open]
    ProviderModel openSearching(String fullName) {
        return served(fullName, provider(fullName).searching());
    }

    /// A model for short answers.
    ///
    /// @param mostTokens of an answer
    ChatModel open(String fullName, int mostTokens) {
        return open(fullName, mostTokens, provider(fullName));
    }

    private ModelProvider provider(String fullName) {
        return catalogue.entry(fullName).endpoint().protocol().provider();
    }

    private ProviderModel served(String fullName, ModelProvider provider) {
        return new ProviderModel(fullName, provider, open(fullName, Integer.MAX_VALUE, provider), catalogue);
    }

    private ChatModel open(String fullName, int mostTokens, ModelProvider provider) {
        ModelCatalogue.ModelEntry entry = catalogue.entry(fullName);
        Integer limit = catalogue.mostOutputTokens(fullName);
        Integer most = limit == null && mostTokens == Integer.MAX_VALUE ? null : Math.min(mostTokens, limit == null ? mostTokens : limit);
        return provider.open(new ModelProvider.Access(MeteredHttpClient.builder(entry, provider),
                address(entry.addressVariable(), entry.endpoint().url()), () -> key(entry.keyVariable(), fullName), entry.model(), most,
                catalogue.limits(fullName).context()));
    }

    private String address(String variable, String otherwise) {
        String address = environment.get(variable);
        if (address == null || address.isBlank()) {
            return otherwise;
        }
        try {
            URI uri = new URI(address.strip());
            if (("http".equals(uri.getScheme()) || "https".equals(uri.getScheme())) && uri.getHost() != null) {
                return address.strip();
            }
        } catch (URISyntaxException e) {
            // Said below.
        }
        throw new Invalid(variable + " is \"" + address.strip() + "\", which is no address; write it as " + otherwise);
    }

    private String key(String variable, String model) {
        String key = environment.get(variable);
        String file = environment.get(variable + "_FILE");
        if ((key == null || key.isBlank()) && file != null && !file.isBlank()) {
            try {
                key = Files.readString(Path.of(file));
            } catch (IOException e) {
                throw new Invalid(variable + "_FILE names " + file + ", which cannot be read");
            }
        }
        if (key == null || key.isBlank()) {
            throw new Invalid(variable + " is not set; model " + model + " needs it");
        }
        if (!key.strip().chars().allMatch(character -> character > ' ' && character < 127)) {
            throw new Invalid(variable + " holds a character that no key has; set it anew");
        }
        return key.strip();
    }
}
