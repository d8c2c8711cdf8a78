package io.mlestar.adapter.model;

import io.mlestar.adapter.bucket.DataSets;
import io.mlestar.adapter.model.provider.RequestPart;
import io.mlestar.adapter.tool.Tool;
import io.mlestar.adapter.tool.ToolSessions;
import io.mlestar.core.agent.AgentConfig;
import io.mlestar.core.agent.Prompts;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.ModelUnavailable;
import io.mlestar.core.step.RetryApproval;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.ModelSettings;
import io.mlestar.core.task.PipelineConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Asks agents: renders the prompt, prepares the tools, calls the model. The same for a step of a
/// run and for an agent alone.
public record AgentCaller(Models models, Prompts prompts, ToolSessions sessions, DataSets data) {
    private static final Logger LOG = Logger.getLogger("mle_star.llm");

    /// A recorded model gets no tools: its answers hold their results. An agent without tools gets
    /// no scratch folder.
    ///
    /// @param step whose question it is; empty for a call outside any run
    /// @param timeout for the whole call, at most [ModelRequest#LONGEST]
    /// @param second approves a second request for the same answer
    /// @param input gives the folder that tools show
    /// @throws ModelUnavailable if asking again later may help
    /// @throws io.mlestar.core.step.StepFailed if it would not
    public Answer ask(
            Optional<StepPath> step,
            Agent<?> agent,
            RunContext context,
            Duration timeout,
            RetryApproval second,
            Supplier<Path> input) {
        // Preparing the tools takes time, too.
        Instant end = Instant.now()
                .plus(timeout.compareTo(ModelRequest.LONGEST) < 0 ? timeout : ModelRequest.LONGEST);
        String model = context.config().models().modelOf(agent.type());
        LearnedProfile server = models.server(step, model);
        return ask(new AgentQuestion(step, agent, context, model, server, end, input), second);
    }

    /// One question, to a model whose server may refuse parts of it.
    private record AgentQuestion(
            Optional<StepPath> step,
            Agent<?> agent,
            RunContext context,
            String model,
            LearnedProfile server,
            Instant end,
            Supplier<Path> input) {
        Duration left() {
            return Duration.between(Instant.now(), end);
        }

        boolean canSearch(Models models) {
            return models.canSearch(model, context.config().models());
        }
    }

    /// Asks again without what the server refuses, one part after the other.
    private Answer ask(AgentQuestion question, RetryApproval second) {
        try {
            return askOnce(question, second);
        } catch (PartRefused e) {
            question.server.goOnWithout(e.part, e.getMessage());
            return askAgain(question, second, e);
        }
    }

    /// Asks again without the part that was refused, whose cost is part of the answer's.
    private Answer askAgain(AgentQuestion question, RetryApproval second, PartRefused refused) {
        Double billed = refused.billedUsd;
        boolean isFree = Double.valueOf(0).equals(billed);
        OptionalDouble estimate = estimate(question.agent, question.context);
        Double next = estimate.isPresent() ? estimate.getAsDouble() : null;
        if (!isFree && !second.may(billed, next)) {
            throw new ModelUnavailable(
                    refused.getMessage() + "; there is no money left to ask it without", billed);
        }
        try {
            Answer answer =
                    ask(question, (paid, more) -> second.may(sum(paid, billed), more));
            return new Answer(answer.text(), answer.usage().after(billed), answer.shortfall(),
                    answer.system(), answer.prompt(), answer.looks());
        } catch (ModelUnavailable e) {
            throw new ModelUnavailable(e.getMessage(), sum(e.billedUsd(), billed));
        } catch (StepFailed e) {
            throw new StepFailed(e.getMessage(), sum(e.billedUsd(), billed));
        }
    }

    private static @Nullable Double sum(@Nullable Double usd, @Nullable Double more) {
        return usd == null || more == null ? null : Double.valueOf(usd + more);
    }

    private Answer askOnce(AgentQuestion question, RetryApproval second) {
        Model model = models.get(question.model);
        Agent<?> agent = question.agent;
        PipelineConfig config = question.context.config();
        boolean usesTools =
                question.server.now().takes(RequestPart.TOOLS) && usesTools(agent, config);
        if (ModelSettings.isRecorded(question.model) || !usesTools) {
            return model.ask(request(question, second, names -> List.of()));
        }
        String caller = question.step.map(StepPath::toString).orElse(agent.name());
        return sessions.open(question.input, config, caller, agent,
                ModelRequest.timeForTools(question.left()),
                tools -> model.ask(noted(request(question, second, tools),
                        question.canSearch(models))));
    }

    private ModelRequest request(
            AgentQuestion question,
            RetryApproval second,
            Function<List<String>, List<Tool>> tools) {
        boolean canSearch =
                question.canSearch(models) && question.server.now().takes(RequestPart.SEARCH);
        return ModelRequest
                .of(question.step, question.agent, prompts, question.context, question.left(),
                        tools, canSearch)
                .with(second)
                .to(question.server);
    }

    /// @param couldSearch whether the provider can search, so that another warning says why it does
    ///   not
    private static ModelRequest noted(ModelRequest question, boolean couldSearch) {
        if (question.agent().equals(AgentType.RETRIEVER.id()) && !couldSearch
                && question.tools().stream().noneMatch(tool -> tool.name().equals("WebSearch"))) {
            LOG.warn(
                    "there is no search engine: the retriever works from the model's knowledge; see mlestar doctor");
        }
        return question;
    }

    /// An agent without tools of its own still gets those of the MCP servers for it, unless its
    /// list of tools is empty.
    private static boolean usesTools(Agent<?> agent, PipelineConfig config) {
        List<String> own = AgentConfig.of(agent, config).tools();
        return own == null
                ? config.tools()
                        .mcpServers()
                        .values()
                        .stream()
                        .anyMatch(server -> server.isFor(agent.type()))
                : !own.isEmpty();
    }

    /// The estimated cost of asking, in USD; see [ModelRequest#estimate]. Empty if the model's
    /// price is unknown.
    public OptionalDouble estimate(Agent<?> agent, RunContext context) {
        ModelSettings settings = context.config().models();
        String name = settings.modelOf(agent.type());
        return models.get(name)
                .estimate(ModelRequest.of(Optional.empty(), agent, prompts, context, Duration.ZERO,
                        names -> List.of(), models.canSearch(name, settings)));
    }
}
