package io.mlestar.adapter.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.adapter.tool.Tool;
import io.mlestar.core.agent.Abilities;
import io.mlestar.core.agent.AgentConfig;
import io.mlestar.core.agent.Prompts;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.RetryApproval;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.StepPath;
import io.mlestar.core.step.UnreadableAnswer;
import io.mlestar.core.task.ModelSettings;
import io.mlestar.core.task.Price;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/// The request of one agent call to a model.
///
/// @param step whose question it is; empty for a call outside any run
/// @param agent name of the agent's step, e.g. `leakage-correction`
/// @param tools the model may use; empty is none (REQ-DM-040)
/// @param turns most requests to the model, those that bring results of tools included
/// @param outputFormat form of a structured answer; empty for free text
/// @param price of the model that is asked; empty if the configuration names none
/// @param timeout for the whole call, at most [#LONGEST]
/// @param traits more about it
public record ModelRequest(
        Optional<StepPath> step,
        String agent,
        String system,
        String prompt,
        List<Tool> tools,
        int turns,
        Optional<JsonNode> outputFormat,
        Optional<Price> price,
        Duration timeout,
        Traits traits) {
    /// Facts about a request beside its text.
    ///
    /// @param shared with how many characters of the prompt other prompts begin, too
    /// @param searches whether the provider itself may search the web for it
    /// @param readable whether an answer that was cut at its end still holds what was asked for
    /// @param second approves another request after a cut answer
    /// @param server that is asked
    public record Traits(
            int shared,
            boolean searches,
            Predicate<String> readable,
            RetryApproval second,
            LearnedProfile server) {
        static final Traits NONE =
                new Traits(0, false, cut -> true, RetryApproval.FREE, LearnedProfile.NONE);
    }

    /// The longest call: the HTTP request around it may last 10 minutes in a cluster, and a call
    /// that outlives it would be paid twice.
    public static final Duration LONGEST = Duration.ofMinutes(9);
    /// An agent with tools keeps this part of its time for a last turn without them, but not more
    /// than [#LONGEST_LAST_TURN].
    private static final int PART_FOR_LAST_TURN = 6;
    private static final Duration LONGEST_LAST_TURN = Duration.ofSeconds(60);
    private static final int TURNS = 20;
    private static final String WEB_SEARCH = "WebSearch";
    private static final int CHARACTERS_PER_TOKEN = 4;
    private static final long SHORT_ANSWER = 500;
    private static final long LONG_ANSWER = 8_000;

    public ModelRequest {
        timeout = timeout.compareTo(LONGEST) < 0 ? timeout : LONGEST;
    }

    /// @param tools gives the tools of these names, as far as there are any
    /// @param canSearch whether the model's provider has a search of its own
    public static ModelRequest of(
            Optional<StepPath> step,
            Agent<?> agent,
            Prompts prompts,
            RunContext context,
            Duration timeout,
            Function<List<String>, List<Tool>> tools,
            boolean canSearch) {
        AgentConfig config = AgentConfig.of(agent, context.config());
        ModelSettings models = context.config().models();
        List<String> names = Objects.requireNonNullElse(config.tools(), List.of());
        List<Tool> offered = tools.apply(names);
        List<String> there = offered.stream().map(Tool::name).toList();
        // A search engine that the operator has chosen goes before the provider's.
        boolean searches = canSearch && names.contains(WEB_SEARCH) && !there.contains(WEB_SEARCH);
        Prompts.Rendered prompt = prompts.render(agent, context, new Abilities(there, searches));
        return new ModelRequest(step, agent.name(), Prompts.system(context), prompt.text(), offered,
                Objects.requireNonNullElse(config.maxTurns(), TURNS), config.toOutputFormat(),
                Optional.ofNullable(models.prices().get(models.modelOf(agent.type()))), timeout,
                new Traits(prompt.shared(), searches, cut -> isReadable(agent, cut),
                        RetryApproval.FREE, LearnedProfile.NONE));
    }

    /// The same request with an approval for a second one.
    ModelRequest with(RetryApproval second) {
        return with(
                new Traits(traits.shared, traits.searches, traits.readable, second, traits.server));
    }

    ModelRequest to(LearnedProfile server) {
        return with(
                new Traits(traits.shared, traits.searches, traits.readable, traits.second, server));
    }

    private ModelRequest with(Traits others) {
        return new ModelRequest(step, agent, system, prompt, tools, turns, outputFormat, price,
                timeout, others);
    }

    private static boolean isReadable(Agent<?> agent, String cut) {
        try {
            new Answer(cut, new Answer.Usage("", 0, 0, 0, null, 0), Answer.Shortfall.TRUNCATED, "",
                    "").readBy(agent);
            return true;
        } catch (UnreadableAnswer e) {
            return false;
        }
    }

    /// The part of a call's time for tools and for the turns that may ask for them.
    static Duration timeForTools(Duration timeout) {
        Duration part = timeout.dividedBy(PART_FOR_LAST_TURN);
        return timeout.minus(part.compareTo(LONGEST_LAST_TURN) < 0 ? part : LONGEST_LAST_TURN);
    }

    /// Characters of the prompts.
    long characters() {
        return (long) system.length() + prompt.length();
    }

    /// Tokens of the prompts: a token counts as four characters.
    long inputTokens() {
        return characters() / CHARACTERS_PER_TOKEN;
    }

    /// In USD, before anything is known of the answer. The input at its full price, as if nothing
    /// were cached. The output: 500 tokens for a structured answer; else as many as the agent's
    /// prompt has, within 500 to 8,000, since most agents give back a script about as long as the
    /// one they got. What a model thinks unseen, and further turns for tools, are not in it: the
    /// cost of earlier answers shows them. With the answers of the bird-strikes example it comes to
    /// 1.7 times the cost.
    double estimate(Price each) {
        return estimate(each, inputTokens());
    }

    /// The same for a later turn, whose input has grown.
    double estimate(Price each, long input) {
        long output = outputFormat.isPresent()
                ? SHORT_ANSWER
                : Math.clamp(tokens(prompt), SHORT_ANSWER, LONG_ANSWER);
        return each.of(input, output, 0, 0);
    }

    static long tokens(String text) {
        return text.length() / CHARACTERS_PER_TOKEN;
    }
}
