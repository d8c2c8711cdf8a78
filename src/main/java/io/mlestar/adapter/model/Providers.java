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
import org.jspecify.annotations.Nullable;

/// Opens the providers' models.
///
/// @param environment where keys and addresses are read; a key may also lie in a file that `<NAME>_FILE` names
record Providers(Map<String, String> environment, ModelCatalogue catalogue) {
    /// @param searching whether the provider may search the web
    /// @throws Invalid if the provider is unknown, its address is not valid, or its key is missing
    ProviderModel open(String fullName, boolean searching) {
        ModelProvider usual = catalogue.entry(fullName).endpoint().protocol().provider();
        ModelProvider provider = searching ? usual.searching() : usual;
        return new ProviderModel(fullName, provider, open(fullName, catalogue.mostOutputTokens(fullName), provider), catalogue);
    }

    /// @param mostTokens of an answer; null leaves it to the server
    ChatModel open(String fullName, @Nullable Integer mostTokens, ModelProvider provider) {
        ModelCatalogue.ModelEntry entry = catalogue.entry(fullName);
        return provider.open(new ModelProvider.Access(MeteredHttpClient.builder(entry, provider),
                address(entry.addressVariable(), entry.endpoint().url()), () -> key(entry.keyVariable(), fullName), entry.model(), mostTokens,
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
