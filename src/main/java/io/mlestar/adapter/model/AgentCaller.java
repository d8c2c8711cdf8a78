package io.mlestar.adapter.model;

import io.mlestar.adapter.bucket.DataSets;
import io.mlestar.adapter.model.provider.ProviderProfile;
import io.mlestar.adapter.model.provider.RequestPart;
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
        String name = context.config().models().modelOf(agent.type());
        return ask(step, agent, context, end, models.server(step, name), second, input);
    }

    /// Asks again without what the server refuses, one part after the other.
    private Answer ask(
            Optional<StepPath> step,
            Agent<?> agent,
            RunContext context,
            Instant end,
            LearnedProfile server,
            RetryApproval second,
            Supplier<Path> input) {
        try {
            return askOnce(step, agent, context, end, server, second, input);
        } catch (PartRefused e) {
            server.goOnWithout(e.part, e.getMessage());
            return askAgain(step, agent, context, end, server, second, input, e);
        }
    }

    /// Asks again without the part that was refused, whose cost is part of the answer's.
    private Answer askAgain(
            Optional<StepPath> step,
            Agent<?> agent,
            RunContext context,
            Instant end,
            LearnedProfile server,
            RetryApproval second,
            Supplier<Path> input,
            PartRefused refused) {
        boolean isFree = Double.valueOf(0).equals(refused.billedUsd);
        OptionalDouble estimate = estimate(agent, context);
        if (!isFree && !second.may(refused.billedUsd,
                estimate.isPresent() ? estimate.getAsDouble() : null)) {
            throw new ModelUnavailable(
                    refused.getMessage() + "; there is no money left to ask it without",
                    refused.billedUsd);
        }
        try {
            Answer answer = ask(step, agent, context, end, server,
                    (paid, next) -> second.may(sum(paid, refused.billedUsd), next), input);
            return new Answer(answer.text(), answer.usage().after(refused.billedUsd),
                    answer.shortfall(), answer.system(), answer.prompt(), answer.looks());
        } catch (ModelUnavailable e) {
            throw new ModelUnavailable(e.getMessage(), sum(e.billedUsd(), refused.billedUsd));
        } catch (StepFailed e) {
            throw new StepFailed(e.getMessage(), sum(e.billedUsd(), refused.billedUsd));
        }
    }

    private static @Nullable Double sum(@Nullable Double usd, @Nullable Double more) {
        return usd == null || more == null ? null : Double.valueOf(usd + more);
    }

    private Answer askOnce(
            Optional<StepPath> step,
            Agent<?> agent,
            RunContext context,
            Instant end,
            LearnedProfile server,
            RetryApproval second,
            Supplier<Path> input) {
        String name = context.config().models().modelOf(agent.type());
        Model model = models.get(name);
        Duration timeout = Duration.between(Instant.now(), end);
        ProviderProfile profile = server.now();
        boolean couldSearch = models.canSearch(name, context.config().models());
        boolean canSearch = couldSearch && profile.takes(RequestPart.SEARCH);
        boolean usesTools = profile.takes(RequestPart.TOOLS) && usesTools(agent, context.config());
        if (ModelSettings.isRecorded(name) || !usesTools) {
            return model.ask(ModelRequest
                    .of(step, agent, prompts, context, timeout, names -> List.of(), canSearch)
                    .with(second)
                    .to(server));
        }
        String caller = step.map(StepPath::toString).orElse(agent.name());
        return sessions.open(input, context.config(), caller, agent,
                ModelRequest.timeForTools(timeout),
                tools -> model.ask(
                        noted(ModelRequest
                                .of(step, agent, prompts, context,
                                        Duration.between(Instant.now(), end), tools, canSearch)
                                .with(second)
                                .to(server), couldSearch)));
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
