package io.mlestar.adapter.model;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import io.mlestar.adapter.model.provider.ModelProvider;
import io.mlestar.adapter.tool.Tool;
import io.mlestar.adapter.tool.ToolRefused;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Answer.DataLook;
import io.mlestar.core.step.ModelUnavailable;
import io.mlestar.core.task.StrongSearch;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/// The tools of one conversation, and the time that they have.
final class ToolCalls {
    private static final Logger LOG = Logger.getLogger("mle_star.llm");
    private static final String NO_TIME = "Error: no time is left for tools";
    private final List<Tool> tools;
    private final InstantSource clock;
    private final Instant end;
    private final String label;
    private final List<DataLook> looks = new ArrayList<>();
    /// A model that was denied a tool for lack of time gets none later, even if another clock says
    /// that a moment is left.
    private boolean denied;

    /// @param end when the tools' time is over
    /// @param label of the conversation, for the log
    ToolCalls(List<Tool> tools, InstantSource clock, Instant end, String label) {
        this.tools = tools;
        this.clock = clock;
        this.end = end;
        this.label = label;
    }

    /// True if the rest of the time is for a last turn without tools.
    boolean areOver() {
        return denied || !clock.instant().isBefore(end);
    }

    /// The looks at the data so far.
    List<DataLook> looks() {
        return looks;
    }

    List<ToolSpecification> specifications() {
        return tools.stream()
                .map(tool -> ToolSpecification.fromJson(Json.line(
                        Map.of("name", tool.name(), "description", tool.description(), "parameters",
                                tool.parameters()))))
                .toList();
    }

    /// The message that asks for tools, and their results.
    List<ChatMessage> use(AiMessage message) {
        AiMessage sendable = sendable(message);
        List<ChatMessage> messages = new ArrayList<>(List.of(sendable));
        for (int i = 0; i < sendable.toolExecutionRequests().size(); i++) {
            ToolExecutionRequest call = sendable.toolExecutionRequests().get(i);
            String result = inTime(message.toolExecutionRequests().get(i));
            messages.add(ToolExecutionResultMessage.from(call, result));
            if (call.name().equals(DataLook.TOOL) && looks.size() < StrongSearch.MOST_LOOKS) {
                looks.add(new DataLook(
                        ModelProvider.parsed(call.arguments()).path("script").asText(), result));
            }
        }
        return messages;
    }

    /// Abandons a tool that still works when the tools' time is over.
    private String inTime(ToolExecutionRequest call) {
        FutureTask<String> work = new FutureTask<>(() -> result(call));
        long left = Duration.between(clock.instant(), end).toMillis();
        if (left <= 0) {
            denied = true;
            return NO_TIME;
        }
        Thread.startVirtualThread(work);
        try {
            return work.get(left, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.warnf("%s: tool %s was stopped: the rest of the time is for the answer", label,
                    call.name());
            denied = true;
            return NO_TIME;
        } catch (ExecutionException e) {
            throw new IllegalStateException("tool " + call.name() + " failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ModelUnavailable("tool " + call.name() + " was interrupted");
        } finally {
            work.cancel(true);
        }
    }

    /// The result, or an error: the model may try something else.
    private String result(ToolExecutionRequest call) {
        try {
            Tool tool = tools.stream()
                    .filter(offered -> offered.name().equals(call.name()))
                    .findFirst()
                    .orElseThrow(() -> new ToolRefused("there is no tool " + call.name()));
            return tool.call(Json.parse(call.arguments()));
        } catch (ToolRefused | Invalid e) {
            return DataLook.ERROR + e.getMessage();
        }
    }

    /// Servers refuse a conversation in which a call's arguments are not a JSON object, even those
    /// that their own model wrote.
    private static AiMessage sendable(AiMessage message) {
        return message.toBuilder()
                .toolExecutionRequests(message.toolExecutionRequests()
                        .stream()
                        .map(call -> ModelProvider.parsed(call.arguments()).isObject()
                                ? call
                                : call.toBuilder().arguments("{}").build())
                        .toList())
                .build();
    }
}
