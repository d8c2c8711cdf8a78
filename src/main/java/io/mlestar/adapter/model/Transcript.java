package io.mlestar.adapter.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The messages of a conversation so far, and the contents of the model's that its provider wants
/// back as they came.
final class Transcript {
    private final List<ChatMessage> messages;
    private final List<JsonNode> rawTurns = new ArrayList<>();

    Transcript(List<ChatMessage> opening) {
        this.messages = new ArrayList<>(opening);
    }

    List<ChatMessage> messages() {
        return messages;
    }

    List<JsonNode> rawTurns() {
        return rawTurns;
    }

    /// All of it, for an estimate of its length.
    String text() {
        return messages.toString() + rawTurns;
    }

    void add(List<ChatMessage> turn) {
        messages.addAll(turn);
    }

    void addRaw(JsonNode content) {
        rawTurns.add(content);
    }

    /// Lets the model go on with an answer in the middle of which the provider has stopped.
    void resume(AiMessage paused) {
        messages.add(AiMessage.from(Objects.requireNonNullElse(paused.text(), "")));
    }

    /// Adds a remark to the last message.
    void remark(String remark) {
        messages.add(switch (messages.removeLast()) {
            case ToolExecutionResultMessage result ->
                ToolExecutionResultMessage.from(result.id(), result.toolName(),
                        result.text() + remark);
            case UserMessage prompt -> UserMessage.from(prompt.singleText() + remark);
            case ChatMessage other -> other;
        });
    }
}
