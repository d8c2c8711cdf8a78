package io.mlestar.llm;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.anthropic.AnthropicTokenUsage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.langchain4j.model.chat.request.ResponseFormatType;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonSchema;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.openai.OpenAiTokenUsage;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import io.mlestar.step.Answer;
import io.mlestar.step.Answer.Usage;
import io.mlestar.step.StepPath;
import io.mlestar.task.Price;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jboss.logging.Logger;

/// A language model of some provider.
///
/// @param name as `provider:name`
final class LanguageModel implements Model {
    private static final Logger LOG = Logger.getLogger("mle_star.llm");
    private static final Duration LONGEST_CALL = Duration.ofMinutes(10);

    private final String name;
    private final ChatModel model;
    private final Retries retries;

    LanguageModel(String name, ChatModel model, Retries retries) {
        this.name = name;
        this.model = model;
        this.retries = retries;
    }

    @Override
    public Answer ask(Question question) {
        Instant begin = Instant.now();
        Duration most = question.timeout().compareTo(LONGEST_CALL) < 0 ? question.timeout() : LONGEST_CALL;
        ChatRequest.Builder request = ChatRequest.builder()
                .messages(List.<ChatMessage>of(SystemMessage.from(question.system()), UserMessage.from(question.prompt())));
        question.outputFormat().ifPresent(format -> request.responseFormat(format(question.agent(), format.path("schema"))));
        ChatResponse response = retries.call(name, new Exchange.Call(headers(question), most), begin.plus(question.timeout()),
                () -> model.chat(request.build()));
        if (response.finishReason() == FinishReason.LENGTH) {
            LOG.warnf("the answer to %s was cut: the model's limit of output tokens was reached", label(question));
        }
        AiMessage message = response.aiMessage();
        return new Answer(Objects.requireNonNullElse(message.text(), ""), usage(question, response.tokenUsage(), begin),
                question.system(), question.prompt());
    }

    private static ResponseFormat format(String agent, JsonNode schema) {
        return ResponseFormat.builder().type(ResponseFormatType.JSON)
                .jsonSchema(JsonSchema.builder().name(agent).rootElement(JsonRawSchema.from(schema.toString())).build()).build();
    }

    /// Lets a gateway meter and route the call.
    private static Map<String, String> headers(Question question) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("x-mlestar-agent", question.agent());
        question.step().ifPresent(step -> {
            headers.put("x-mlestar-run", step.run());
            headers.put("x-mlestar-step", step.toString());
        });
        return headers;
    }

    private Usage usage(Question question, TokenUsage tokens, Instant begin) {
        long read = 0;
        long written = 0;
        long input = tokens == null ? 0 : count(tokens.inputTokenCount());
        long output = tokens == null ? 0 : count(tokens.outputTokenCount());
        if (tokens instanceof AnthropicTokenUsage anthropic) {
            read = count(anthropic.cacheReadInputTokens());
            written = count(anthropic.cacheCreationInputTokens());
            // Anthropic counts cached input apart.
            input += read + written;
        } else if (tokens instanceof OpenAiTokenUsage openAi && openAi.inputTokensDetails() != null) {
            read = count(openAi.inputTokensDetails().cachedTokens());
        }
        Optional<Price> price = question.price().or(() -> Providers.price(name));
        if (price.isEmpty()) {
            LOG.warnf("the price of model %s is unknown: its cost is not counted; set prices in the configuration", name);
        }
        Double cost = price.isEmpty() || tokens == null ? null : price.get().of(input, output, read, written);
        return new Usage(name, input, output, read, cost, Duration.between(begin, Instant.now()).toMillis() / 1000.0);
    }

    private static long count(Integer tokens) {
        return tokens == null ? 0 : tokens;
    }

    private static String label(Question question) {
        return question.step().map(StepPath::toString).orElse("agent " + question.agent());
    }
}
