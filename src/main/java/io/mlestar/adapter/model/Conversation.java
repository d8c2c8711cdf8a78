package io.mlestar.adapter.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.langchain4j.model.chat.request.ResponseFormatType;
import dev.langchain4j.model.chat.request.ToolChoice;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonSchema;
import dev.langchain4j.model.chat.response.ChatResponse;
import io.mlestar.adapter.model.provider.ModelProvider;
import io.mlestar.adapter.model.provider.ServerSearch;
import io.mlestar.adapter.model.provider.Tokens;
import io.mlestar.adapter.tool.Tool;
import io.mlestar.adapter.tool.ToolRefused;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Answer.Shortfall;
import io.mlestar.core.step.Answer.Usage;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.ModelUnavailable;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.Price;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.ToDoubleFunction;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// The messages about one question, and what they have cost so far.
final class Conversation {
    private static final Logger LOG = Logger.getLogger("mle_star.llm");
    private static final String LAST_TURN = "\n\n[No tool can be used any more. Answer now.]";
    private static final String SHORTER = "\n\n[An answer to this was begun, and was cut off at the limit of its length. Answer again, whole and much "
            + "shorter: think less, leave out comments and explanations, and simplify where that costs little.]";
    private static final String NO_TIME = "Error: no time is left for tools";

    private final Served model;
    private final Retries retries;
    private final ModelRequest question;
    private final List<ChatMessage> messages;
    private final List<JsonNode> said = new ArrayList<>();
    private final Instant begin;
    private final Instant endOfTools;
    private final Instant end;
    private Tokens tokens = Tokens.NONE;
    private @Nullable Double cost = 0.0;
    private @Nullable Double lastCost = 0.0;
    private int turns;
    private boolean toldLast;
    /// A model that was told so must not be asked as if there were: two clocks may differ by the moment that is left.
    private boolean toldNoTime;

    Conversation(Served model, Retries retries, ModelRequest question) {
        this.model = model;
        this.retries = retries;
        this.question = question;
        this.messages = new ArrayList<>(List.of(SystemMessage.from(question.system()), UserMessage.from(question.prompt())));
        this.begin = retries.clock().instant();
        this.end = begin.plus(question.timeout());
        this.endOfTools = question.tools().isEmpty() ? end : begin.plus(ModelRequest.timeForTools(question.timeout()));
    }

    /// Whether the rest of the time is for a last turn without tools.
    boolean toolsAreOver() {
        return toldNoTime || !retries.clock().instant().isBefore(endOfTools);
    }

    /// Whether the model has said something yet.
    boolean isPaid() {
        return turns > 0;
    }

    /// So far, in USD, with what failed tries may have cost; null if the price is unknown.
    @Nullable
    Double cost() {
        return cost;
    }

    /// @param last whether the model must answer now, without tools
    /// @throws ModelUnavailable if it does not; what that has cost is in [#cost]
    ChatResponse turn(boolean last) {
        ChatRequest.Builder request = ChatRequest.builder();
        // What was found comes with citations, which do not go with a schema: the prompt asks for the form, too.
        question.outputFormat().filter(format -> !question.traits().searches())
                .ifPresent(format -> request.responseFormat(format(question.agent(), format.path("schema"))));
        if (!question.tools().isEmpty()) {
            if (last && !toldLast) {
                toldLast = true;
                messages.add(remarked(messages.removeLast(), LAST_TURN));
            }
            // Where they can be forbidden they are named to the end: servers want to know the tools of which a conversation speaks.
            if (!last || model.provider().canForbidTools()) {
                request.toolSpecifications(question.tools().stream().map(Conversation::specification).toList())
                        .toolChoice(last ? ToolChoice.NONE : null);
            }
        }
        MeteredHttpClient.ModelCall call = new MeteredHttpClient.ModelCall(headers(), last ? end : endOfTools, retries.clock(),
                new ModelProvider.Sending(said, question.traits().shared(), search()));
        ChatRequest asked = request.messages(messages).build();
        ChatResponse response = retries.call(model.name(), question.step(), call, () -> count(price -> question.estimate(price, call.inputTokens()),
                call.inputTokens()), () -> model.chat().chat(asked));
        turns++;
        Tokens more = model.provider().tokens(response);
        tokens = tokens.plus(more);
        if (response.aiMessage().hasToolExecutionRequests()) {
            model.provider().verbatim(response).ifPresent(said::add);
        }
        double searches = search().map(each -> each.usd() * model.provider().searches(response)).orElse(0.0);
        Double before = cost;
        count(price -> more.cost(price) + searches, more.input());
        lastCost = before == null || cost == null ? null : Double.valueOf(cost - before);
        return response;
    }

    private Optional<ServerSearch> search() {
        return question.traits().searches() ? model.search() : Optional.empty();
    }

    /// Asks for the rest of an answer in the middle of which the provider has stopped.
    void goOn(ChatResponse paused) {
        model.provider().verbatim(paused).ifPresent(said::add);
        messages.add(AiMessage.from(Objects.requireNonNullElse(paused.aiMessage().text(), "")));
    }

    /// Whether there is money to ask once more for an answer that was cut: it costs no more than the one before, which was as long as can be.
    boolean mayAskAgain() {
        return question.traits().second().may(cost, lastCost);
    }

    /// Asks once more, for an answer that is whole.
    ///
    /// @throws ModelUnavailable if there is none; what that has cost is in [#cost]
    ChatResponse shorter() {
        LOG.warnf("%s: %s; it is asked again for a shorter one", label(), Shortfall.TRUNCATED);
        messages.add(remarked(messages.removeLast(), SHORTER));
        return turn(true);
    }

    private void count(ToDoubleFunction<Price> usd, long inputTokens) {
        Double before = cost;
        cost = before == null ? null : model.price(question, inputTokens).map(price -> before + usd.applyAsDouble(price)).orElse(null);
    }

    private static ChatMessage remarked(ChatMessage message, String remark) {
        return switch (message) {
            case ToolExecutionResultMessage result -> ToolExecutionResultMessage.from(result.id(), result.toolName(), result.text() + remark);
            case UserMessage prompt -> UserMessage.from(prompt.singleText() + remark);
            default -> message;
        };
    }

    void useTools(AiMessage message) {
        AiMessage sendable = sendable(message);
        messages.add(sendable);
        for (int i = 0; i < sendable.toolExecutionRequests().size(); i++) {
            messages.add(ToolExecutionResultMessage.from(sendable.toolExecutionRequests().get(i), inTime(message.toolExecutionRequests().get(i))));
        }
    }

    /// A tool that is still at it when the tools' time is over is left alone.
    private String inTime(ToolExecutionRequest call) {
        FutureTask<String> work = new FutureTask<>(() -> result(call));
        long left = Duration.between(retries.clock().instant(), endOfTools).toMillis();
        if (left <= 0) {
            return noTime();
        }
        Thread.startVirtualThread(work);
        try {
            return work.get(left, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.warnf("%s: tool %s was stopped: the rest of the time is for the answer", label(), call.name());
            return noTime();
        } catch (ExecutionException e) {
            throw new IllegalStateException("tool " + call.name() + " failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ModelUnavailable("tool " + call.name() + " was interrupted");
        } finally {
            work.cancel(true);
        }
    }

    private String noTime() {
        toldNoTime = true;
        return NO_TIME;
    }

    /// What the model has not come to say, but has cost; empty if it has said nothing at all.
    Optional<Answer> brokenOff(String why) {
        if (!isPaid()) {
            return Optional.empty();
        }
        LOG.warnf("%s: %s", label(), why);
        return Optional.of(end("", retries.clock().instant().isBefore(end) ? Shortfall.BROKEN_OFF : Shortfall.UNANSWERED));
    }

    /// @param shortfall null for a whole answer
    Answer end(String text, @Nullable Shortfall shortfall) {
        if (shortfall != null) {
            LOG.warnf("%s: %s", label(), shortfall);
        }
        if (cost == null) {
            LOG.warnf("the price of model %s is unknown: its cost is not counted; set prices in the configuration", model.name());
        }
        Usage usage = new Usage(model.name(), tokens.input(), tokens.output(), tokens.read(), cost,
                Duration.between(begin, retries.clock().instant()).toMillis() / 1000.0);
        return new Answer(text, usage, shortfall, question.system(), question.prompt());
    }

    private static ToolSpecification specification(Tool tool) {
        return ToolSpecification.fromJson(Json.line(
                Map.of("name", tool.name(), "description", tool.description(), "parameters", tool.parameters())));
    }

    /// What the tool said, or why it did not: the model may try something else.
    private String result(ToolExecutionRequest call) {
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
    private Map<String, String> headers() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("x-mlestar-agent", question.agent());
        question.step().ifPresent(step -> {
            headers.putAll(retries.watcher().headers(step));
            headers.put("x-mlestar-run", step.run());
            headers.put("x-mlestar-step", step.toString());
        });
        return headers;
    }

    private String label() {
        return question.step().map(StepPath::toString).orElse("agent " + question.agent());
    }
}
