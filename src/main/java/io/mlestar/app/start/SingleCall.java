package io.mlestar.app.start;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.adapter.model.AgentCaller;
import io.mlestar.adapter.model.ModelRequest;
import io.mlestar.adapter.script.Machine;
import io.mlestar.core.agent.AgentConfig;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.records.DailyBudget;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer;
import io.mlestar.core.step.ModelUnavailable;
import io.mlestar.core.step.RunContext;
import io.mlestar.core.step.StepFailed;
import io.mlestar.core.task.DataModality;
import io.mlestar.core.task.MetricDirection;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.TaskDescription;
import io.mlestar.core.task.TaskType;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One question to one agent, outside any run.
public record SingleCall(Agent<?> agent, RunContext context) {
    /// @param task that the input named; empty stands for one whose scores are better the higher
    ///   they are
    /// @throws Invalid if the configuration gives an agent a tool that it must not have
    public static SingleCall of(
            Agent<?> agent,
            Optional<TaskDescription> task,
            PipelineConfig config,
            Machine machine) {
        AgentConfig.of(config);
        return new SingleCall(agent,
                new RunContext(
                        task.orElseGet(() -> new TaskDescription("single-call", TaskType.TABULAR,
                                DataModality.MIXED, "the task's own metric",
                                MetricDirection.MAXIMIZE,
                                "A single question, outside any competition.",
                                TaskDescription.INPUT, TaskDescription.OUTPUT)),
                        config, machine.describe()));
    }

    /// @param day its budget; null if its money is unlimited
    /// @return the agent's output, and what it cost
    /// @throws ModelUnavailable also if the budget of the day does not allow it
    /// @throws Invalid if there is a budget and the model has no price
    public ObjectNode ask(AgentCaller asker, @Nullable DailyBudget day, InstantSource clock) {
        CountedAnswer spending =
                CountedAnswer.begin(day, clock, agent.name(), () -> asker.estimate(agent, context));
        Answer answer;
        try {
            answer = asker.ask(Optional.empty(), agent, context, ModelRequest.LONGEST, spending,
                    () -> asker.data().local(context.task().dataDir()));
        } catch (ModelUnavailable e) {
            spending.ended(e.billedUsd());
            throw e;
        } catch (StepFailed e) {
            spending.ended(e.billedUsd());
            throw e;
        } catch (Invalid e) {
            spending.ended(0.0);
            throw e;
        }
        spending.ended(answer.usage().costUsd());
        ObjectNode output = (ObjectNode) Json.tree(answer.readBy(agent));
        return output.set("usage", Json.tree(answer.usage()));
    }
}
