package io.mlestar.adapter.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// What requests to a provider look like, and its answers.
abstract class ProviderForm {
    /// Whether requests go to this address.
    abstract boolean serves(String path);

    /// What is said to a request that is no question to a model; empty if it is one.
    Optional<JsonNode> aside(FakeProvider.Received request) {
        return Optional.empty();
    }

    /// What the caller shows at the door.
    abstract Optional<String> key(FakeProvider.Received request);

    /// Everything in the request that the provider would not take.
    abstract void check(FakeProvider.Received request, Consumer<String> violations);

    abstract String system(JsonNode body);

    /// Results of tools within one message.
    abstract List<String> toolResults(JsonNode message);

    /// The answer in the provider's form.
    abstract JsonNode answer(JsonNode body, Reply reply);

    /// The error in the provider's form.
    abstract JsonNode error(int status, String message);

    /// All of the conversation.
    JsonNode messages(JsonNode body) {
        return body.path("messages");
    }

    /// What the user says in a message; empty if it is another's.
    String said(JsonNode message) {
        return message.path("role").asText().equals("user") ? text(message.path("content")) : "";
    }

    String model(FakeProvider.Received request) {
        return request.body().path("model").asText();
    }

    /// Names of the tools that are offered.
    List<String> tools(JsonNode body) {
        return stream(body.path("tools"))
                .map(tool -> tool.path("function").path("name").asText(tool.path("name").asText())).toList();
    }

    static Stream<JsonNode> stream(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }

    /// The text of a string or of a list of blocks.
    static String text(JsonNode content) {
        return content.isTextual() ? content.asText()
                : String.join("\n", stream(content).filter(block -> block.path("type").asText().equals("text"))
                        .map(block -> block.path("text").asText()).toList());
    }

    /// Of the named parts of the body, as they came.
    static long tokens(JsonNode body, String... parts) {
        long tokens = 0;
        for (String part : parts) {
            tokens += body.has(part) ? Reply.tokens(body.path(part).toString()) : 0;
        }
        return tokens;
    }
}
