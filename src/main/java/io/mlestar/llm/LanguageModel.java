package io.mlestar.llm;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
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
import io.mlestar.step.StepFailed;
import io.mlestar.step.StepPath;
import io.mlestar.task.Invalid;
import io.mlestar.task.Json;
import io.mlestar.task.Price;
import io.mlestar.tool.Tool;
import io.mlestar.tool.ToolRefused;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
    private static final int MOST_TURNS = 20;
    private static final Duration LONGEST_CALL = Duration.ofMinutes(10);

    private final String name;
    private final ChatModel model;
    private final Retries retries;

    LanguageModel(String name, ChatModel model, Retries retries) {
        this.name = name;
        this.model = model;
        this.retries = retries;
    }

    /// Asks, and lets the model use its tools until it answers.
    @Override
    public Answer ask(Question question) {
        Instant begin = Instant.now();
        Instant end = begin.plus(question.timeout());
        List<ChatMessage> messages = new ArrayList<>(List.of(SystemMessage.from(question.system()), UserMessage.from(question.prompt())));
        Tokens tokens = Tokens.NONE;
        for (int turn = 1; turn <= MOST_TURNS; turn++) {
            ChatResponse response = chat(question, messages, end);
            tokens = tokens.plus(response.tokenUsage());
            AiMessage message = response.aiMessage();
            if (!message.hasToolExecutionRequests()) {
                if (response.finishReason() == FinishReason.LENGTH) {
                    LOG.warnf("the answer to %s was cut: the model's limit of output tokens was reached", label(question));
                }
                return new Answer(Objects.requireNonNullElse(message.text(), ""), usage(question, tokens, begin), question.system(),
                        question.prompt());
            }
            messages.add(message);
            message.toolExecutionRequests().forEach(call ->
                    messages.add(ToolExecutionResultMessage.from(call, result(question, call))));
        }
        throw new StepFailed("model " + name + " used tools " + MOST_TURNS + " times and gave no answer");
    }

    private ChatResponse chat(Question question, List<ChatMessage> messages, Instant end) {
        Duration left = Duration.between(Instant.now(), end);
        if (!left.isPositive()) {
            throw new StepFailed("the time for the question is used up");
        }
        ChatRequest.Builder request = ChatRequest.builder().messages(messages);
        question.outputFormat().ifPresent(format -> request.responseFormat(format(question.agent(), format.path("schema"))));
        if (!question.tools().isEmpty()) {
            request.toolSpecifications(question.tools().stream().map(LanguageModel::specification).toList());
        }
        Duration most = left.compareTo(LONGEST_CALL) < 0 ? left : LONGEST_CALL;
        return retries.call(name, new Exchange.Call(headers(question), most), end, () -> model.chat(request.build()));
    }

    private static ToolSpecification specification(Tool tool) {
        return ToolSpecification.fromJson(Json.line(
                Map.of("name", tool.name(), "description", tool.description(), "parameters", tool.parameters())));
    }

    /// What the tool said, or why it did not: the model may try something else.
    private static String result(Question question, ToolExecutionRequest call) {
        Instant begin = Instant.now();
        String result;
        boolean done = false;
        try {
            Tool tool = question.tools().stream().filter(offered -> offered.name().equals(call.name())).findFirst()
                    .orElseThrow(() -> new ToolRefused("there is no tool " + call.name()));
            result = tool.call(Json.parse(call.arguments()));
            done = true;
        } catch (ToolRefused | Invalid e) {
            result = "Error: " + e.getMessage();
        }
        LOG.infof("event=tool step=%s agent=%s tool=%s done=%s duration=%.3f", label(question), question.agent(), call.name(), done,
                Duration.between(begin, Instant.now()).toMillis() / 1000.0);
        return result;
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

    private Usage usage(Question question, Tokens tokens, Instant begin) {
        Optional<Price> price = question.price().or(() -> Providers.price(name));
        if (price.isEmpty()) {
            LOG.warnf("the price of model %s is unknown: its cost is not counted; set prices in the configuration", name);
        }
        Double cost = price.map(known -> known.of(tokens.input(), tokens.output(), tokens.read(), tokens.written())).orElse(null);
        return new Usage(name, tokens.input(), tokens.output(), tokens.read(), cost,
                Duration.between(begin, Instant.now()).toMillis() / 1000.0);
    }

    /// Tokens of all turns.
    ///
    /// @param input all of it, cached or not
    /// @param read what came from the provider's cache
    /// @param written what went into it
    private record Tokens(long input, long output, long read, long written) {
        static final Tokens NONE = new Tokens(0, 0, 0, 0);

        Tokens plus(TokenUsage usage) {
            return switch (usage) {
                case null -> this;
                case AnthropicTokenUsage anthropic -> {
                    long cacheRead = count(anthropic.cacheReadInputTokens());
                    long cacheWritten = count(anthropic.cacheCreationInputTokens());
                    // Anthropic counts cached input apart.
                    yield plus(count(usage.inputTokenCount()) + cacheRead + cacheWritten, usage, cacheRead, cacheWritten);
                }
                case OpenAiTokenUsage openAi when openAi.inputTokensDetails() != null ->
                    plus(count(usage.inputTokenCount()), usage, count(openAi.inputTokensDetails().cachedTokens()), 0);
                default -> plus(count(usage.inputTokenCount()), usage, 0, 0);
            };
        }

        private Tokens plus(long moreInput, TokenUsage usage, long moreRead, long moreWritten) {
            return new Tokens(input + moreInput, output + count(usage.outputTokenCount()), read + moreRead, written + moreWritten);
        }

        private static long count(Integer tokens) {
            return tokens == null ? 0 : tokens;
        }
    }

    private static String label(Question question) {
        return question.step().map(StepPath::toString).orElse("agent " + question.agent());
    }
}
