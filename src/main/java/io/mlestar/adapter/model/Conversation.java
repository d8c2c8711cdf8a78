package io.mlestar.adapter.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.exception.ContentFilteredException;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.langchain4j.model.chat.request.ResponseFormatType;
import dev.langchain4j.model.chat.request.ToolChoice;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonSchema;
import dev.langchain4j.model.chat.response.ChatResponse;
import io.mlestar.adapter.model.MeteredHttpClient.ModelCall;
import io.mlestar.adapter.model.provider.ModelProvider.RequestExtras;
import io.mlestar.adapter.model.provider.RequestPart;
import io.mlestar.adapter.model.provider.Tokens;
import io.mlestar.core.step.Answer.Shortfall;
import io.mlestar.core.step.Answer.Usage;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.ModelUnavailable;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.StepPath;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// The turns about one question. The model uses its tools until it answers, or its turns or their
/// time are up; then it answers without them.
final class Conversation {
    private static final Logger LOG = Logger.getLogger("mle_star.llm");
    private static final String LAST_TURN = "\n\n[No tool can be used from here on. Answer now.]";
    private static final String SHORTER =
            "\n\n[An answer to this was begun, and was cut off at the limit of its length. Answer again, whole and much "
                    + "shorter: think less, leave out comments and explanations, and simplify where that costs little.]";

    /// An empty answer is asked for again so often.
    private static final int EMPTIES = 2;

    private final ProviderModel model;
    private final Retries retries;
    private final ModelRequest question;
    private final ToolCalls tools;
    private final Instant begin;
    private final Instant endOfTools;
    private final Instant end;
    private final Transcript transcript;
    private final Bill bill;
    private boolean lastTurnAnnounced;
    /// Counts the empty answers after which the model was asked again.
    private int empties;

    Conversation(ProviderModel model, Retries retries, ModelRequest question) {
        this.model = model;
        this.retries = retries;
        this.question = question;
        this.bill = new Bill(model, question);
        this.transcript = new Transcript(
                question.traits().server().now().opening(question.system(), question.prompt()));
        this.begin = retries.clock().instant();
        this.end = begin.plus(question.timeout());
        this.endOfTools = question.tools().isEmpty()
                ? end
                : begin.plus(ModelRequest.timeForTools(question.timeout()));
        this.tools = new ToolCalls(question.tools(), retries.clock(), endOfTools, label());
    }

    /// Whatever was paid for is an answer, even an empty one.
    ///
    /// @throws ModelUnavailable if the model said nothing, and asking again later may help
    /// @throws StepFailed if it would not
    Answer answer() {
        StringBuilder text = new StringBuilder();
        boolean broken = false;
        for (int left = question.turns() - 1; left >= 0; left--) {
            boolean last = left == 0 || broken || question.tools().isEmpty() || tools.areOver();
            try {
                ChatResponse response = filledTurn(last);
                if (response.aiMessage().hasToolExecutionRequests()) {
                    if (last) {
                        break;
                    }
                    transcript.add(tools.use(response.aiMessage()));
                    if (!mayTakeTurn()) {
                        break;
                    }
                    continue;
                }
                Shortfall shortfall = model.provider().shortfall(response);
                text.append(text(response, shortfall));
                boolean mayResume =
                        shortfall == Shortfall.PAUSED && question.traits().searches() && left > 0
                                && !tools.areOver();
                if (mayResume && mayTakeTurn()) {
                    model.provider().rawContent(response).ifPresent(transcript::addRaw);
                    transcript.resume(response.aiMessage());
                    continue;
                }
                boolean isHalf =
                        shortfall == Shortfall.TRUNCATED
                                && !question.traits().readable().test(text.toString());
                return isHalf && mayTakeTurn()
                        ? retryShorter(text.toString())
                        : answer(text.toString(), shortfall);
            } catch (ContentFilteredException e) {
                return answer("", Shortfall.REFUSED);
            } catch (ModelUnavailable e) {
                // The last turn has time of its own, and may save what the turns before it have
                // cost.
                broken = !last && (bill.turns() > 0 || tools.areOver()) && mayTakeTurn();
                if (!broken) {
                    return brokenOff(e.getMessage())
                            .orElseThrow(() -> new ModelUnavailable(e.getMessage(), bill.usd()));
                }
            } catch (PartRefused e) {
                if (bill.turns() == 0 || e.part == RequestPart.SEARCH) {
                    throw new PartRefused(e.part, e.getMessage(), bill.usd());
                }
                // To begin anew would pay the turns before once more: the next answers go without.
                question.traits().server().goOnWithout(e.part, e.getMessage());
                return answer("", Shortfall.BROKEN_OFF);
            } catch (StepFailed e) {
                return brokenOff(e.getMessage())
                        .orElseThrow(() -> new StepFailed(e.getMessage(), bill.usd()));
            }
        }
        return answer("", Shortfall.UNANSWERED);
    }

    /// A turn with an answer in it: an empty one is mostly a mishap, so the model is asked again.
    private ChatResponse filledTurn(boolean last) {
        ChatResponse response = turn(last);
        if (isEmpty(response) && question.traits().searches() && bill.turns() == 1) {
            throw new PartRefused(RequestPart.SEARCH,
                    "model " + model.name() + " says nothing if it may search", bill.usd());
        }
        while (isEmpty(response) && empties < EMPTIES && mayTakeTurn()) {
            empties++;
            LOG.warnf("%s: the answer is empty; the model is asked again", label());
            response = turn(last);
        }
        return response;
    }

    private boolean isEmpty(ChatResponse response) {
        return said(response) == 0 && model.provider().shortfall(response) == null;
    }

    /// Characters of the text and of the calls of tools; 0 if there is nothing in them.
    private int said(ChatResponse response) {
        AiMessage message = response.aiMessage();
        String calls = message.hasToolExecutionRequests()
                ? message.toolExecutionRequests().toString()
                : "";
        return (text(response) + calls).strip().length();
    }

    private boolean mayTakeTurn() {
        return bill.mayTakeTurn(transcript.text());
    }

    /// @param last whether the model must answer now, without tools
    /// @throws ModelUnavailable if it does not; the cost of that is in the bill
    private ChatResponse turn(boolean last) {
        ChatRequest.Builder request = ChatRequest.builder();
        // Search results come with citations, which do not go with a schema: the prompt asks for
        // the form, too.
        question.outputFormat()
                .filter(format -> !question.traits().searches())
                .ifPresent(format -> request
                        .responseFormat(format(question.agent(), format.path("schema"))));
        if (!question.tools().isEmpty()) {
            if (last && !lastTurnAnnounced) {
                lastTurnAnnounced = true;
                transcript.remark(LAST_TURN);
            }
            // Servers want the specifications of tools that a conversation has used, to its end,
            // unless they cannot forbid them.
            if (!last || model.provider().canForbidTools()) {
                request.toolSpecifications(tools.specifications())
                        .toolChoice(last ? ToolChoice.NONE : null);
            }
        }
        ModelCall call =
                new ModelCall(headers(), last ? end : endOfTools, retries.clock(),
                        new RequestExtras(transcript.rawTurns(), question.traits().shared(),
                                bill.search()),
                        question.traits().server());
        ChatRequest sent = request.messages(transcript.messages()).build();
        Retries.Purse purse = new Retries.Purse() {
            @Override
            public void perhapsBilled() {
                bill.perhapsBilled(call);
            }

            @Override
            public boolean mayTryAgain() {
                return mayTakeTurn();
            }
        };
        ChatResponse response = retries.call(model.name(), question.step(), call, purse,
                () -> model.chat().chat(sent));
        if (response.aiMessage().hasToolExecutionRequests()) {
            model.provider().rawContent(response).ifPresent(transcript::addRaw);
        }
        bill.turn(response, call, said(response));
        return response;
    }

    /// Half a program is not run: the model is asked once more. If that fails, too, the cut answer
    /// is used.
    private Answer retryShorter(String cut) {
        LOG.warnf("%s: %s; it is asked again for a shorter one", label(), Shortfall.TRUNCATED);
        transcript.remark(SHORTER);
        try {
            ChatResponse response = turn(true);
            Shortfall shortfall = model.provider().shortfall(response);
            return answer(text(response, shortfall), shortfall);
        } catch (ContentFilteredException e) {
            return answer("", Shortfall.REFUSED);
        } catch (ModelUnavailable | PartRefused | StepFailed e) {
            return answer(cut, Shortfall.TRUNCATED);
        }
    }

    /// Drops the text with which a model refuses: it is no answer.
    private String text(ChatResponse response, @Nullable Shortfall shortfall) {
        return shortfall == Shortfall.REFUSED ? "" : text(response);
    }

    private String text(ChatResponse response) {
        return Objects.requireNonNullElse(model.provider().text(response), "");
    }

    /// The empty answer of a model that was paid and broke off; empty if there was no turn at all.
    private Optional<Answer> brokenOff(String why) {
        if (bill.turns() == 0) {
            return Optional.empty();
        }
        LOG.warnf("%s: %s", label(), why);
        return Optional.of(answer("",
                retries.clock().instant().isBefore(end)
                        ? Shortfall.BROKEN_OFF
                        : Shortfall.UNANSWERED));
    }

    /// @param shortfall null for a whole answer
    private Answer answer(String text, @Nullable Shortfall shortfall) {
        if (shortfall != null) {
            LOG.warnf("%s: %s", label(), shortfall);
        }
        if (bill.usd() == null) {
            LOG.warnf(
                    "the price of model %s is unknown: its cost is not counted; set prices in the configuration",
                    model.name());
        }
        if (bill.isEstimated()) {
            LOG.warnf(
                    "%s: model %s reports no credible usage: its tokens and cost are estimated, rather too high",
                    label(), model.name());
        }
        Tokens tokens = bill.tokens();
        Usage usage = new Usage(model.name(), tokens.input(), tokens.output(), tokens.read(),
                bill.usd(), Duration.between(begin, retries.clock().instant()).toMillis() / 1000.0);
        return new Answer(text, usage, shortfall, question.system(), question.prompt(),
                tools.looks());
    }

    static ResponseFormat format(String agent, JsonNode schema) {
        return ResponseFormat.builder()
                .type(ResponseFormatType.JSON)
                .jsonSchema(JsonSchema.builder()
                        .name(agent)
                        .rootElement(JsonRawSchema.from(schema.toString()))
                        .build())
                .build();
    }

    /// Lets a gateway meter and route the call.
    private Map<String, String> headers() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("x-mlestar-agent", question.agent());
        question.step().ifPresent(step -> {
            headers.putAll(retries.listener().headers(step));
            headers.put("x-mlestar-run", step.run());
            headers.put("x-mlestar-step", step.toString());
        });
        return headers;
    }

    private String label() {
        return question.step().map(StepPath::toString).orElse("agent " + question.agent());
    }
}
