package io.mlestar.adapter.model;

import dev.langchain4j.exception.ContentFilteredException;
import dev.langchain4j.model.chat.response.ChatResponse;
import io.mlestar.core.step.Answer.Shortfall;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.ModelUnavailable;
import io.mlestar.core.step.StepFailed;
import java.util.Objects;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// A language model of some provider.
final class LanguageModel implements Model {
    private final Served plain;
    private final Served searching;
    private final Retries retries;

    /// @param searching asked where the provider may search the web
    LanguageModel(Served plain, Served searching, Retries retries) {
        this.plain = plain;
        this.searching = searching;
        this.retries = retries;
    }

    private Served asked(ModelRequest question) {
        return question.traits().searches() ? searching : plain;
    }

    @Override
    public OptionalDouble estimate(ModelRequest question) {
        Served model = asked(question);
        double searches = question.traits().searches() ? model.search().map(each -> each.most() * each.usd()).orElse(0.0) : 0;
        return model.price(question, question.inputTokens()).map(price -> OptionalDouble.of(question.estimate(price) + searches))
                .orElse(OptionalDouble.empty());
    }

    /// Asks, and lets the model use its tools until it answers or its turns or their time are up; then it shall answer without them.
    /// What was paid for is an answer, even if there is nothing in it.
    ///
    /// @throws SearchRefused if it was to search the web, and was not even begun
    @Override
    public Answer ask(ModelRequest question) {
        Served model = asked(question);
        Conversation conversation = new Conversation(model, retries, question);
        StringBuilder said = new StringBuilder();
        boolean broken = false;
        for (int left = question.turns() - 1; left >= 0; left--) {
            boolean last = left == 0 || broken || question.tools().isEmpty() || conversation.toolsAreOver();
            try {
                ChatResponse response = conversation.turn(last);
                if (!response.aiMessage().hasToolExecutionRequests()) {
                    Shortfall shortfall = model.provider().shortfall(response);
                    said.append(text(model, response, shortfall));
                    if (shortfall == Shortfall.PAUSED && question.traits().searches() && left > 0 && !conversation.toolsAreOver()) {
                        conversation.goOn(response);
                        continue;
                    }
                    return shortfall == Shortfall.TRUNCATED && !question.traits().readable().test(said.toString()) && conversation.mayAskAgain()
                            ? shorter(model, conversation, said.toString()) : conversation.end(said.toString(), shortfall);
                }
                if (last) {
                    break;
                }
                conversation.useTools(response.aiMessage());
            } catch (ContentFilteredException e) {
                return conversation.end("", Shortfall.REFUSED);
            } catch (ModelUnavailable e) {
                // The last turn has time of its own, and may save what the turns before it have cost.
                broken = !last && (conversation.isPaid() || conversation.toolsAreOver());
                if (!broken) {
                    return conversation.brokenOff(e.getMessage()).orElseThrow(() -> new ModelUnavailable(e.getMessage(), conversation.cost()));
                }
            } catch (StepFailed e) {
                return conversation.brokenOff(e.getMessage()).orElseThrow(() -> question.traits().searches() ? new SearchRefused(e) : e);
            }
        }
        return conversation.end("", Shortfall.UNANSWERED);
    }

    /// Half a program is not run: it is asked for once more. If that fails, too, there is still the one that was cut.
    private Answer shorter(Served model, Conversation conversation, String cut) {
        try {
            ChatResponse response = conversation.shorter();
            Shortfall shortfall = model.provider().shortfall(response);
            return conversation.end(text(model, response, shortfall), shortfall);
        } catch (ContentFilteredException e) {
            return conversation.end("", Shortfall.REFUSED);
        } catch (ModelUnavailable | StepFailed e) {
            return conversation.end(cut, Shortfall.TRUNCATED);
        }
    }

    /// What a model says while it refuses is no answer.
    private static String text(Served model, ChatResponse response, @Nullable Shortfall shortfall) {
        return shortfall == Shortfall.REFUSED ? "" : Objects.requireNonNullElse(model.provider().text(response), "");
    }
}
