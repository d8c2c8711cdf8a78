package io.mlestar.adapter.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.exception.ContentFilteredException;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import io.mlestar.adapter.model.CallFailure.FailureKind;
import io.mlestar.adapter.model.MeteredHttpClient.ModelCall;
import io.mlestar.adapter.model.provider.ModelProvider.RequestExtras;
import io.mlestar.adapter.model.provider.ModelProvider;
import io.mlestar.adapter.model.provider.ProviderProfile;
import io.mlestar.adapter.model.provider.RequestPart;
import io.mlestar.core.base.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The result of one tiny question to a model, before a run depends on it.
public sealed interface Probe {
    /// The limit of the answer: enough for a model that thinks first.
    int MOST_TOKENS = 256;
    Duration LONGEST = Duration.ofSeconds(15);

    /// The form of the question: plain, or like those of agents.
    enum QuestionForm {
        PLAIN,
        /// With a system message, a tool and a schema.
        AS_AGENTS_ASK
    }

    /// It works.
    ///
    /// @param lacks one line for each part of the question that it was answered without
    record Answered(Duration after, List<String> lacks) implements Probe {}

    /// No language model stands behind the name.
    record NotAsked() implements Probe {}

    /// The provider is there but did not answer now: it is too busy, or it refused this question.
    ///
    /// @param said one line with the model, the address and what happened
    record Busy(String said) implements Probe {}

    /// The model cannot be used as things are.
    ///
    /// @param said one line with the model, the address, what happened and what to look at
    record Wrong(String said) implements Probe {}

    /// The refusals of the server that is asked.
    final class ProbedServer implements LearnedProfile {
        private final String name;
        private final List<String> lacks = new ArrayList<>();
        private ProviderProfile profile = ProviderProfile.UNKNOWN;

        ProbedServer(String name) {
            this.name = name;
        }

        @Override
        public ProviderProfile now() {
            return profile;
        }

        @Override
        public void goOnWithout(RequestPart part, String said) {
            profile = profile.without(part);
            lacks.add(part.sentence(name, "a run") + " (" + said + ")");
        }
    }

    /// Asks once, and again without each part that the server refuses.
    ///
    /// @param name as `provider:name`
    static Probe ask(String name, ChatModel model, QuestionForm form) {
        Instant begin = Instant.now();
        ProbedServer server = new ProbedServer(name);
        while (true) {
            ModelCall call = new ModelCall(Map.of("x-mlestar-agent", "probe"),
                    Instant.now().plus(LONGEST), InstantSource.system(), RequestExtras.NONE,
                    server);
            ChatRequest question = question(form, server.now());
            try {
                ScopedValue.where(MeteredHttpClient.CALL, call).call(() -> model.chat(question));
                return new Answered(Duration.between(begin, Instant.now()), server.lacks);
            } catch (ContentFilteredException e) {
                return new Answered(Duration.between(begin, Instant.now()), server.lacks);
            } catch (RuntimeException e) {
                CallFailure failure = call.failure(e);
                if (call.refused().isEmpty()) {
                    return failed(name, failure);
                }
                server.goOnWithout(call.refused().get(), failure.toString());
            }
        }
    }

    private static ChatRequest question(QuestionForm form, ProviderProfile profile) {
        String prompt = "Say ok.";
        if (form == QuestionForm.PLAIN) {
            return ChatRequest.builder().messages(UserMessage.from(prompt)).build();
        }
        JsonNode schema = Json
                .parse("""
                        {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"],
                         "additionalProperties": false}""");
        ChatRequest.Builder request = ChatRequest.builder()
                .messages(profile.opening("You answer in JSON: {\"answer\": \"...\"}.", prompt))
                .responseFormat(Conversation.format("probe", schema));
        if (profile.takes(RequestPart.TOOLS)) {
            request.toolSpecifications(ToolSpecification.fromJson(Json.line(
                    Map.of("name", "answer", "description", "Not needed here.", "parameters",
                            schema))));
        }
        return request.build();
    }

    private static Probe failed(String name, CallFailure failure) {
        if (!failure.kind().alive) {
            return new Wrong("model " + name + " cannot be used: " + failure);
        }
        boolean isRefused = failure.kind() == FailureKind.REFUSED;
        return new Busy("model " + name
                + (isRefused ? " refuses a tiny question: " : " does not answer just now: ")
                + failure);
    }
}
