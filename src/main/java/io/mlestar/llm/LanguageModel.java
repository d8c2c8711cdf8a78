package io.mlestar.llm;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.exception.ContentFilteredException;
import dev.langchain4j.model.anthropic.AnthropicChatResponseMetadata;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.langchain4j.model.chat.request.ResponseFormatType;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonSchema;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.FinishReason;
import io.mlestar.step.Answer;
import io.mlestar.step.Answer.Shortfall;
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
import java.util.OptionalDouble;
import org.jboss.logging.Logger;

/// A language model of some provider.
final class LanguageModel implements Model {
    private static final Logger LOG = Logger.getLogger("mle_star.llm");
    private static final Duration LEAST = Duration.ofMillis(1);
    private static final String LAST_TURN = "\n\n[No tool can be used any more. Answer now.]";

    private final String name;
    private final ChatModel model;
    private final Retries retries;

    /// @param name as `provider:name`
    LanguageModel(String name, ChatModel model, Retries retries) {
        this.name = name;
        this.model = model;
        this.retries = retries;
    }

    @Override
    public OptionalDouble estimate(Question question) {
        return price(question, question.inputTokens()).map(price -> OptionalDouble.of(question.estimate(price)))
                .orElse(OptionalDouble.empty());
    }

    /// Asks, and lets the model use its tools until it answers. What was paid for is an answer, even if there is nothing in it.
    @Override
    public Answer ask(Question question) {
        Conversation conversation = new Conversation(question);
        for (int left = question.turns() - 1; left >= 0; left--) {
            ChatResponse response;
            try {
                response = conversation.turn();
            } catch (ContentFilteredException e) {
                return conversation.end("", Shortfall.REFUSED);
            }
            if (!response.aiMessage().hasToolExecutionRequests()) {
                Shortfall shortfall = shortfall(response);
                // What a model says while it refuses is no answer.
                String text = shortfall == Shortfall.REFUSED ? null : response.aiMessage().text();
                return conversation.end(Objects.requireNonNullElse(text, ""), shortfall);
            }
            if (left == 0 || conversation.isLate()) {
                break;
            }
            conversation.useTools(response.aiMessage(), left == 1 ? LAST_TURN : "");
        }
        return conversation.end("", Shortfall.UNANSWERED);
    }

    private Optional<Price> price(Question question, long inputTokens) {
        return question.price().or(() -> Providers.price(name, inputTokens));
    }

    /// The messages about one question, and what they have cost so far.
    private final class Conversation {
        private final Question question;
        private final List<ChatMessage> messages;
        private final List<JsonNode> said = new ArrayList<>();
        private final Instant begin = Instant.now();
        private final Instant end;
        private Tokens tokens = Tokens.NONE;
        private Double cost = 0.0;

        Conversation(Question question) {
            this.question = question;
            this.messages = new ArrayList<>(List.of(SystemMessage.from(question.system()), UserMessage.from(question.prompt())));
            this.end = begin.plus(question.timeout());
        }

        boolean isLate() {
            return !Instant.now().isBefore(end);
        }

        ChatResponse turn() {
            ChatRequest.Builder request = ChatRequest.builder().messages(messages);
            question.outputFormat().ifPresent(format -> request.responseFormat(format(question.agent(), format.path("schema"))));
            if (!question.tools().isEmpty()) {
                request.toolSpecifications(question.tools().stream().map(LanguageModel::specification).toList());
            }
            Duration left = Duration.between(Instant.now(), end);
            Exchange.Call call = new Exchange.Call(headers(question), left.isPositive() ? left : LEAST, said);
            ChatResponse response = retries.call(name, call, end, () -> model.chat(request.build()));
            Tokens more = Tokens.of(response.tokenUsage());
            tokens = tokens.plus(more);
            if (response.metadata() instanceof AnthropicChatResponseMetadata anthropic && response.aiMessage().hasToolExecutionRequests()) {
                said.add(raw(anthropic).path("content"));
            }
            cost = cost == null ? null : price(question, more.input()).map(price -> cost + more.cost(price)).orElse(null);
            return response;
        }

        /// @param remark added to what the last tool says
        void useTools(AiMessage message, String remark) {
            AiMessage sendable = sendable(message);
            messages.add(sendable);
            for (int i = 0; i < sendable.toolExecutionRequests().size(); i++) {
                boolean last = i == sendable.toolExecutionRequests().size() - 1;
                messages.add(ToolExecutionResultMessage.from(sendable.toolExecutionRequests().get(i),
                        result(question, message.toolExecutionRequests().get(i)) + (last ? remark : "")));
            }
        }

        /// @param shortfall null for a whole answer
        Answer end(String text, Shortfall shortfall) {
            if (shortfall != null) {
                LOG.warnf("%s: %s", label(question), shortfall);
            }
            if (cost == null) {
                LOG.warnf("the price of model %s is unknown: its cost is not counted; set prices in the configuration", name);
            }
            Usage usage = new Usage(name, tokens.input(), tokens.output(), tokens.read(), cost,
                    Duration.between(begin, Instant.now()).toMillis() / 1000.0);
            return new Answer(text, usage, shortfall, question.system(), question.prompt());
        }
    }

    /// What came, with all that the client leaves out.
    private static JsonNode raw(AnthropicChatResponseMetadata metadata) {
        return Json.parse(metadata.rawHttpResponse().body());
    }

    /// Null if nothing is missing.
    private static Shortfall shortfall(ChatResponse response) {
        return switch (response.finishReason()) {
            case LENGTH -> Shortfall.TRUNCATED;
            case CONTENT_FILTER -> Shortfall.REFUSED;
            case OTHER -> response.metadata() instanceof AnthropicChatResponseMetadata anthropic
                    ? shortfall(raw(anthropic).path("stop_reason").asText()) : null;
            case null, default -> null;
        };
    }

    /// Of the reasons that the client does not tell apart.
    private static Shortfall shortfall(String anthropicStopReason) {
        return switch (anthropicStopReason) {
            case "refusal" -> Shortfall.REFUSED;
            case "model_context_window_exceeded" -> Shortfall.TRUNCATED;
            default -> Shortfall.PAUSED;
        };
    }

    private static ToolSpecification specification(Tool tool) {
        return ToolSpecification.fromJson(Json.line(
                Map.of("name", tool.name(), "description", tool.description(), "parameters", tool.parameters())));
    }

    /// What the tool said, or why it did not: the model may try something else.
    private static String result(Question question, ToolExecutionRequest call) {
        try {
            Tool tool = question.tools().stream().filter(offered -> offered.name().equals(call.name())).findFirst()
                    .orElseThrow(() -> new ToolRefused("there is no tool " + call.name()));
            return tool.call(Json.parse(call.arguments()));
        } catch (ToolRefused | Invalid e) {
            return "Error: " + e.getMessage();
        }
    }

    /// The message as it may be sent back: servers refuse a conversation in which a call's arguments are not a JSON object, though the
    /// model's own.
    private static AiMessage sendable(AiMessage message) {
        return message.toBuilder().toolExecutionRequests(message.toolExecutionRequests().stream()
                .map(call -> isObject(call.arguments()) ? call : call.toBuilder().arguments("{}").build()).toList()).build();
    }

    private static boolean isObject(String json) {
        try {
            return Json.parse(json).isObject();
        } catch (Invalid e) {
            return false;
        }
    }

    private static ResponseFormat format(String agent, JsonNode schema) {
        return ResponseFormat.builder().type(ResponseFormatType.JSON)
                .jsonSchema(JsonSchema.builder().name(agent).rootElement(JsonRawSchema.from(schema.toString())).build()).build();
    }

    /// Lets a gateway meter and route the call.
    private Map<String, String> headers(Question question) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("x-mlestar-agent", question.agent());
        question.step().ifPresent(step -> {
            headers.putAll(retries.watcher().headers(step));
            headers.put("x-mlestar-run", step.run());
            headers.put("x-mlestar-step", step.toString());
        });
        return headers;
    }

    private static String label(Question question) {
        return question.step().map(StepPath::toString).orElse("agent " + question.agent());
    }
}
