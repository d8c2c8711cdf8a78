package io.mlestar.adapter.model;

import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.exception.ContentFilteredException;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import io.mlestar.adapter.model.provider.ModelProvider;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;

/// The result of one tiny question to a model, before a run depends on it.
public sealed interface Probe {
    /// Enough for a model that thinks first.
    int MOST_TOKENS = 256;
    Duration LONGEST = Duration.ofSeconds(15);

    /// It works.
    record Answered(Duration after) implements Probe {}

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

    /// @param name as `provider:name`
    static Probe ask(String name, ChatModel model) {
        Instant begin = Instant.now();
        MeteredHttpClient.ModelCall call =
                new MeteredHttpClient.ModelCall(Map.of("x-mlestar-agent", "probe"), begin.plus(LONGEST), InstantSource.system(),
                        ModelProvider.RequestExtras.NONE);
        ChatRequest question = ChatRequest.builder().messages(UserMessage.from("Say ok.")).build();
        try {
            ScopedValue.where(MeteredHttpClient.CALL, call).call(() -> model.chat(question));
            return new Answered(Duration.between(begin, Instant.now()));
        } catch (ContentFilteredException e) {
            return new Answered(Duration.between(begin, Instant.now()));
        } catch (RuntimeException e) {
            CallFailure failure = call.failure(e);
            return failure.kind().alive ? new Busy("model " + name + " does not answer just now: " + failure)
                    : new Wrong("model " + name + " cannot be used: " + failure);
        }
    }
}
