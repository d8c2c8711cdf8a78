package io.mlestar.adapter.model.provider;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.UserMessage;
import io.mlestar.core.base.Json;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// The parts of a request that the server of a model has refused so far, whatever protocol it
/// speaks.
public record ProviderProfile(Set<RequestPart> refused) {
    /// A server of which nothing is known: it is sent all that the protocol has.
    public static final ProviderProfile UNKNOWN = new ProviderProfile(Set.of());

    public ProviderProfile {
        refused = Set.copyOf(refused);
    }

    public boolean takes(RequestPart part) {
        return !refused.contains(part);
    }

    public ProviderProfile without(RequestPart part) {
        Set<RequestPart> more = EnumSet.of(part);
        more.addAll(refused);
        return new ProviderProfile(more);
    }

    /// The messages that begin a conversation.
    public List<ChatMessage> opening(String system, String prompt) {
        return takes(RequestPart.SYSTEM)
                ? List.of(SystemMessage.from(system), UserMessage.from(prompt))
                : List.of(UserMessage.from(system + "\n\n" + prompt));
    }

    /// The body of a request without what the server has refused.
    public String fitted(String body) {
        if (refused.isEmpty() || body.isEmpty()) {
            return body;
        }
        ObjectNode fitted = (ObjectNode) Json.parse(body);
        for (RequestPart part : RequestPart.values()) {
            if (!takes(part) && part.isIn(fitted)) {
                part.leaveOut(fitted);
            }
        }
        return fitted.toString();
    }

    /// The part of a request for which the server refuses it; empty if it names none that the
    /// request has. Anthropic's protocol cannot do without `max_tokens`, so that is lowered; given
    /// up it is only as the second name of a limit.
    ///
    /// @param body of the request
    /// @param said by the server
    public Optional<RequestPart> refusedPart(String body, String said) {
        JsonNode sent = ModelProvider.parsed(body);
        boolean mustHaveLimit = sent.has("max_tokens") && takes(RequestPart.COMPLETION_LIMIT);
        RequestPart other = mustHaveLimit ? RequestPart.LIMIT : RequestPart.HIGH_LIMIT;
        return Stream.of(RequestPart.values())
                .filter(part -> part != other && part.isNamedIn(said) && part.isIn(sent))
                .findFirst();
    }
}
