package io.mlestar.app.function;

import com.fasterxml.jackson.databind.JsonNode;
import io.mlestar.adapter.bucket.SharedFolders;
import io.mlestar.adapter.model.AgentCaller;
import io.mlestar.adapter.script.Machine;
import io.mlestar.app.program.CompositionRoot;
import io.mlestar.app.start.SingleCall;
import io.mlestar.core.agent.Agents;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.engine.Engine;
import io.mlestar.core.event.Event;
import io.mlestar.core.records.DailyBudget;
import io.mlestar.core.records.Records;
import io.mlestar.core.step.Agent;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.TaskDescription;
import io.quarkus.funqy.knative.events.CloudEvent;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Serves an agent's function: does the step that an event asks for, and answers plain JSON, which
/// is one question without a run.
@Singleton
public class AgentEndpoint {
    private final Engine engine;
    private final AgentCaller asker;
    private final Machine machine;
    private final CompositionRoot root;
    private final CurrentVertxRequest request;
    private final @Nullable DailyBudget day;
    private final InstantSource clock;

    AgentEndpoint(
            Engine engine,
            AgentCaller asker,
            Machine machine,
            CompositionRoot root,
            CurrentVertxRequest request,
            Records records,
            InstantSource clock) {
        this.engine = engine;
        this.asker = asker;
        this.machine = machine;
        this.root = root;
        this.request = request;
        this.day = DailyBudget.from(root.environment(), records::store);
        this.clock = clock;
    }

    Uni<JsonNode> agent(AgentType type, JsonNode input, CloudEvent<JsonNode> event) {
        if (event == null) {
            return Uni.createFrom().item(ask(type, input));
        }
        engine.work(Event.stepOf(input));
        // Funqy would answer an event with another event, with no data. The broker wants none, so
        // the answer is given here and Funqy never hears of one.
        request.getCurrent().response().setStatusCode(204).end();
        return Uni.createFrom().nothing();
    }

    private JsonNode ask(AgentType type, JsonNode input) {
        if (input == null) {
            throw new Invalid("the input of agent " + type.id() + " must be a JSON object");
        }
        Agent<?> agent = Agents.ALL.fromUser(type, input);
        Optional<TaskDescription> task = Agents.task(input);
        task.ifPresent(asked -> SharedFolders.of(root.environment()).checkData(asked.dataDir()));
        return SingleCall.of(agent, task, root.config(Json.object()), machine)
                .ask(asker, day, clock);
    }
}
