package io.mlestar.interfaces;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.agent.Agents;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Agent;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.McpServer;
import io.mlestar.core.task.ModelSettings;
import io.mlestar.core.task.PhaseTimeBudget;
import io.mlestar.core.task.PipelineConfig;
import io.mlestar.core.task.Price;
import io.mlestar.core.task.TaskDescription;
import module java.base;

/// Schemas of what people and programs send: the records that read it, with the rules of their
/// constructors.
record Inputs(RecordSchemas schemas) {
    private static final Path EXAMPLES = Path.of("src/examples/agents");

    /// The input that a record takes from outside, found by asking it: the rules are in the
    /// constructors, and are written down nowhere else.
    ///
    /// @param example that is taken
    /// @param reader throws [Invalid] at what is not
    record Accepted(ObjectNode example, Consumer<ObjectNode> reader) {
        private static final int LONGEST_TEXT = 1 << 20;

        Accepted {
            reader.accept(example);
        }

        /// Says in the schema of the record which fields may be left out or null, and between which
        /// bounds numbers and texts lie.
        void narrow(ObjectNode schema) {
            ArrayNode required = schema.putArray("required");
            schema.withObject("/properties").properties().forEach(field -> {
                if (!takes(without(field.getKey()))) {
                    required.add(field.getKey());
                }
                narrow(field.getKey(), (ObjectNode) field.getValue());
            });
            if (required.isEmpty()) {
                schema.remove("required");
            }
            schema.put("additionalProperties", false);
        }

        private void narrow(String name, ObjectNode property) {
            boolean mayBeNull = takes(with(name, Json.tree(null)));
            List<String> types = types(property);
            if (types.contains("integer")) {
                long own = example.path(name).asLong(1);
                LongPredicate taken = value -> takes(with(name, Json.tree(value)));
                property.put("minimum", edge(taken, own, Integer.MIN_VALUE)).put("maximum",
                        edge(taken, own, Integer.MAX_VALUE));
            } else if (types.contains("string") && takes(with(name, Json.tree("x")))) {
                if (!takes(with(name, Json.tree("")))) {
                    property.put("minLength", 1);
                }
                if (!takes(with(name, Json.tree(" ")))) {
                    property.put("pattern", "\\S");
                }
                if (!takes(with(name, Json.tree("x".repeat(LONGEST_TEXT))))) {
                    property.put("maxLength",
                            edge(length -> takes(with(name, Json.tree("x".repeat((int) length)))), 1, LONGEST_TEXT));
                }
            }
            if (mayBeNull && !types.contains("null") && !property.has("anyOf")) {
                ObjectNode same = property.deepCopy();
                property.removeAll();
                JsonNode words = same.remove("description");
                if (words != null) {
                    property.set("description", words);
                }
                property.setAll(RecordSchemas.nullable(same));
            } else if (!mayBeNull) {
                notNull(property);
            }
        }

        private static List<String> types(ObjectNode property) {
            List<String> types = new ArrayList<>();
            JsonNode type = property.path("type");
            (type.isArray() ? type : Json.object().arrayNode().add(type)).forEach(one -> types.add(one.asText()));
            return types;
        }

        /// A comment that says of a result "null if it failed" is no leave to give none.
        private static void notNull(ObjectNode property) {
            if (types(property).contains("null")) {
                property.put("type", types(property).getFirst());
            } else if (property.has("anyOf")) {
                JsonNode one = property.remove("anyOf").get(0);
                property.setAll((ObjectNode) one);
            }
        }

        /// The last one that is taken on the way from one that is to one that need not be.
        private static long edge(LongPredicate taken, long from, long to) {
            if (taken.test(to)) {
                return to;
            }
            long good = from;
            long bad = to;
            while (Math.abs(bad - good) > 1) {
                long middle = good + (bad - good) / 2;
                if (taken.test(middle)) {
                    good = middle;
                } else {
                    bad = middle;
                }
            }
            return good;
        }

        private boolean takes(ObjectNode given) {
            try {
                reader.accept(given);
                return true;
            } catch (Invalid e) {
                return false;
            }
        }

        private ObjectNode without(String name) {
            ObjectNode given = example.deepCopy();
            given.remove(name);
            return given;
        }

        private ObjectNode with(String name, JsonNode value) {
            return example.deepCopy().set(name, value);
        }
    }

    /// A task, and the settings of a run.
    void ofRuns() {
        of(TaskDescription.class,
                """
                        {"competition_id": "titanic", "task_type": "tabular", "data_modality": "tabular", "evaluation_metric": "accuracy",
                         "metric_direction": "maximize", "description": "Predict who survived.", "data_dir": "./input"}""",
                task -> Json.readStrictly(task, TaskDescription.class));
        Consumer<ObjectNode> resolved = config -> PipelineConfig.resolve(config, Map.of());
        of(PipelineConfig.class, Json.line(PipelineConfig.defaults()), resolved);
        Json.tree(PipelineConfig.defaults()).properties().forEach(field -> definition(PipelineConfig.class)
                .withObject("/properties/" + field.getKey()).set("default", field.getValue()));
        of(PhaseTimeBudget.class, Json.line(PhaseTimeBudget.DEFAULT),
                budget -> resolved.accept(Json.object().set("phase_time_budget", budget)));
        of(ModelSettings.AgentSettings.class, "{\"model\": \"sonnet\"}",
                settings -> resolved.accept(in("agents", "coder", settings)));
        of(Price.class, "{\"input\": 3, \"output\": 15}", price -> resolved.accept(in("prices", "openai:x", price)));
        of(McpServer.class, "{\"url\": \"https://mcp.example.com/mcp\"}",
                server -> resolved.accept(in("mcp_servers", "x", server)));
        // Or a command.
        definition(McpServer.class).remove("required");
        RecordSchemas.nullable(definition(McpServer.class).withObject("/properties/url"));
    }

    private static ObjectNode in(String field, String name, ObjectNode value) {
        return Json.object().set(field, Json.object().set(name, value));
    }

    private void of(Class<?> type, String example, Consumer<ObjectNode> reader) {
        schemas.reference(type);
        new Accepted((ObjectNode) Json.parse(example), reader).narrow(definition(type));
    }

    private ObjectNode definition(Class<?> type) {
        return schemas.definitions().get(type.getSimpleName());
    }

    /// The names of an agent's steps: its own, and with a hyphen those of its variants.
    static List<String> steps(AgentType agent) {
        return Agents.BY_NAME.keySet().stream()
                .filter(name -> name.equals(agent.id()) || name.startsWith(agent.id() + "-")).sorted().toList();
    }

    /// The schema of what an agent is asked by `POST /<agent>`.
    ///
    /// @param step name of its step
    ObjectNode asked(AgentType agent, String step) {
        Class<?> record = Agents.BY_NAME.get(step);
        ObjectNode reference = schemas.reference(record);
        ObjectNode schema = definition(record);
        String variant = step.substring(agent.id().length());
        ObjectNode example = example(step).without("task");
        new Accepted(example, input -> Agents.ALL.fromUser(agent,
                variant.isEmpty() ? input : input.deepCopy().put("variant", variant.substring(1))))
                .narrow(schema);
        if (!variant.isEmpty()) {
            schema.withObject("/properties").putObject("variant").put("const", variant.substring(1));
            schema.withArray("required").add("variant");
        }
        schema.withObject("/properties").set("task", schemas.reference(TaskDescription.class)
                .put("description",
                        "what the prompt is to say of the task; without it, that higher scores are better"));
        return reference;
    }

    /// The schema of its answer: what it found, and what that cost.
    ObjectNode answered(String step) {
        Class<? extends Agent<?>> record = Agents.BY_NAME.get(step);
        Class<?> output = output(record);
        schemas.reference(output);
        String name = record.getSimpleName() + "Reply";
        ObjectNode reply = schemas.definitions().get(output.getSimpleName()).deepCopy();
        reply.withObject("/properties").set("usage", schemas.reference(io.mlestar.core.step.Answer.Usage.class));
        reply.withArray("required").add("usage");
        schemas.definitions().put(name, reply);
        return schemas.named(name);
    }

    private static Class<?> output(Class<?> agent) {
        return Stream.of(agent.getMethods())
                .filter(method -> method.getName().equals("read") && !method.isBridge()
                        && method.getReturnType() != Object.class)
                .map(Method::getReturnType).findFirst().orElseThrow();
    }

    /// One that is kept beside the examples; if there is none, as of a variant, one that is made up
    /// of texts.
    static ObjectNode example(String step) {
        Path kept = EXAMPLES.resolve(step + ".json");
        if (Files.exists(kept)) {
            try {
                return (ObjectNode) Json.parse(Files.readString(kept));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        ObjectNode example = Json.object();
        Stream.of(Agents.BY_NAME.get(step).getRecordComponents())
                .forEach(component -> example.put(Json.name(component), "text"));
        return example;
    }
}
