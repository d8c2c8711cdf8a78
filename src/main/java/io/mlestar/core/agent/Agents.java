package io.mlestar.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import io.mlestar.core.step.Agent;
import io.mlestar.core.step.Answer.DataLook;
import io.mlestar.core.task.AgentType;
import io.mlestar.core.task.Answers.DataContaminationResult;
import io.mlestar.core.task.Answers.ExtractorOutput;
import io.mlestar.core.task.Answers.LeakageDetectionOutput;
import io.mlestar.core.task.Answers.RetrieverOutput;
import io.mlestar.core.task.TaskDescription;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The catalogue of the agents, one row each: record, tools, answer, description. Files of prompts,
/// step names and configurations are derived from it.
public record Agents(List<AgentRow> rows) {
    private static final @Nullable List<String> NONE = null;
    private static final List<String> READ = List.of("Read");
    private static final List<String> WRITE = List.of("Bash", "Edit", "Write", "Read");
    private static final List<String> LOOK_AND_WRITE =
            List.of("Bash", "Edit", "Write", "Read", DataLook.TOOL);
    private static final List<String> WEB = List.of("WebSearch", "WebFetch");
    private static final @Nullable Class<?> TEXT = null;

    /// The fourteen, and the variants of some (REQ-DM-040, REQ-OR-008). Descriptions are word for
    /// word where a part gives the words. The order is that of the digest of the prompts.
    public static final Agents ALL = new Agents(List.of(
            row(AgentType.RETRIEVER, Retriever.class, WEB, WEB, RetrieverOutput.class,
                    "Searches the web for models that suit the competition"),
            row(AgentType.INIT, Init.class, READ, LOOK_AND_WRITE, TEXT,
                    "Writes a first solution script with one given model"),
            row(AgentType.MERGER, Merger.class, READ, WRITE, TEXT,
                    "Ensembles a reference solution into a base solution"),
            row(AgentType.ABLATION, Ablation.class, READ, WRITE, TEXT,
                    "Agent that generates ablation study code to identify impactful solution components")
                    .cached("solution_script"),
            row(AgentType.SUMMARIZE, Summarize.class, NONE, READ, TEXT,
                    "Agent that summarizes raw ablation study output into a concise textual summary"),
            row(AgentType.EXTRACTOR, Extractor.class, READ, READ, ExtractorOutput.class,
                    "Agent that identifies the most impactful code block and proposes a refinement plan")
                    .cached("solution_script")
                    .noted(),
            row(AgentType.CODER, Coder.class, NONE, LOOK_AND_WRITE, TEXT,
                    "Agent that implements a refinement plan on a target code block")
                    .cached("code"),
            variant(AgentType.CODER, "script", ScriptCoder.class, NONE, TEXT,
                    "Makes a study or a solution of a whole script, in one answer").cached("best")
                    .noted(),
            variant(AgentType.CODER, "split", SplitCoder.class, NONE, TEXT,
                    "Writes how rows are hidden where no rule finds the form of the data"),
            variant(AgentType.CODER, "metric", MetricCoder.class, NONE, TEXT,
                    "Writes the metric where the program cannot compute it"),
            row(AgentType.PLANNER, Planner.class, NONE, READ, TEXT,
                    "Agent that proposes the next refinement strategy using feedback from previous attempts")
                    .cached("code")
                    .noted(),
            row(AgentType.ENS_PLANNER, EnsPlanner.class, NONE, READ, TEXT,
                    "Agent that proposes ensemble strategies for combining L solution scripts")
                    .cached("solutions")
                    .noted(),
            row(AgentType.ENSEMBLER, Ensembler.class, READ, WRITE, TEXT,
                    "Agent that implements an ensemble plan on L solution scripts into a single Python program")
                    .cached("solutions"),
            row(AgentType.DEBUGGER, Debugger.class, List.of("Read", "Bash"), WRITE, TEXT,
                    "Fixes Python execution errors in solution scripts"),
            row(AgentType.LEAKAGE, Leakage.class, READ, READ, LeakageDetectionOutput.class,
                    "Detects data leakage in preprocessing code").promptedAs("detection"),
            variant(AgentType.LEAKAGE, "correction", LeakageCorrection.class, READ, TEXT,
                    "Corrects data leakage in preprocessing code"),
            row(AgentType.DATA, Data.class, READ, READ, TEXT,
                    "Verifies that the solution uses all provided data sources"),
            row(AgentType.TEST, TestSubmission.class, READ, WRITE, TEXT,
                    "Turns a validation solution into a submission script"),
            variant(AgentType.TEST, "subsampling_extract", SubsamplingExtract.class, READ, TEXT,
                    "Extracts the code block that subsamples the training data"),
            variant(AgentType.TEST, "subsampling_remove", SubsamplingRemove.class, READ, TEXT,
                    "Rewrites the code block so that all training samples are used"),
            variant(AgentType.TEST, "contamination_check", ContaminationCheck.class, NONE,
                    DataContaminationResult.class,
                    "Judges whether a solution was copied from a Kaggle post")));

    /// Records by the name of their step; the name's first part is the agent's type.
    public static final Map<String, Class<? extends Agent<?>>> BY_NAME = ALL.byName();

    /// One prompt of an agent: the record that asks it, and what the call offers.
    ///
    /// @param variant of the prompt; empty if the agent has but one, or if it is the main one of
    ///   several
    /// @param main whether the step is named by the type alone
    /// @param tools that each call gets; null is none
    /// @param ceiling the most that the agent may ever be given; empty in variants, which have that
    ///   of their agent
    /// @param answer record type of the structured answer; null is free text
    /// @param cachePrefix see [Agent#cachePrefix]
    /// @param receivesNotes see [Agent#receivesNotes]
    record AgentRow(
            AgentType type,
            Optional<String> variant,
            boolean main,
            Class<? extends Agent<?>> record,
            @Nullable List<String> tools,
            List<String> ceiling,
            @Nullable Class<?> answer,
            String description,
            Optional<String> cachePrefix,
            boolean receivesNotes) {
        /// The name of the step.
        String name() {
            return main ? type.id() : prompt();
        }

        /// Name of the prompt's file, without its ending.
        String prompt() {
            return type.id() + variant.map(word -> "-" + word).orElse("");
        }

        private AgentRow promptedAs(String word) {
            return new AgentRow(type, Optional.of(word), main, record, tools, ceiling, answer,
                    description, cachePrefix, receivesNotes);
        }

        private AgentRow cached(String variable) {
            return new AgentRow(type, variant, main, record, tools, ceiling, answer, description,
                    Optional.of(variable), receivesNotes);
        }

        private AgentRow noted() {
            return new AgentRow(type, variant, main, record, tools, ceiling, answer, description,
                    cachePrefix, true);
        }

        AgentConfig config() {
            return new AgentConfig(type, description, null, tools, null, answer, null);
        }
    }

    static AgentRow row(
            AgentType type,
            Class<? extends Agent<?>> record,
            @Nullable List<String> tools,
            List<String> ceiling,
            @Nullable Class<?> answer,
            String description) {
        return new AgentRow(type, Optional.empty(), true, record, tools, ceiling, answer,
                description, Optional.empty(), false);
    }

    static AgentRow variant(
            AgentType type,
            String variant,
            Class<? extends Agent<?>> record,
            @Nullable List<String> tools,
            @Nullable Class<?> answer,
            String description) {
        return new AgentRow(type, Optional.of(variant), false, record, tools, List.of(), answer,
                description, Optional.empty(), false);
    }

    Map<String, Class<? extends Agent<?>>> byName() {
        return rows.stream()
                .collect(Collectors.toUnmodifiableMap(AgentRow::name, AgentRow::record));
    }

    List<String> prompts() {
        return rows.stream().map(AgentRow::prompt).toList();
    }

    /// The row of an agent's main record.
    AgentRow of(AgentType type) {
        return of(type.id());
    }

    /// The row of the step of that name.
    AgentRow of(String name) {
        return of(row -> row.name().equals(name), name);
    }

    AgentRow of(Class<?> record) {
        return of(row -> row.record() == record, record.getSimpleName());
    }

    private AgentRow of(Predicate<AgentRow> is, String wanted) {
        return rows.stream()
                .filter(is)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "core/agent/Agents.java has no row for " + wanted));
    }

    /// The configuration of each agent, in the order of the catalogue.
    Map<AgentType, AgentConfig> configs() {
        Map<AgentType, AgentConfig> configs = new LinkedHashMap<>();
        rows.stream().filter(AgentRow::main).forEach(row -> configs.put(row.type(), row.config()));
        return configs;
    }

    /// The task that the input names for its prompts (metric, direction, description); empty if it
    /// names none.
    ///
    /// @throws Invalid naming the field of the task that is missing, wrong or unknown
    public static Optional<TaskDescription> task(JsonNode input) {
        return Optional.ofNullable(input.get("task"))
                .map(task -> Json.readStrictly(task, TaskDescription.class));
    }

    /// Reads an agent's input as a user gives it: the record's fields, `variant` for another than
    /// the main one, and `task`, which [#task] reads.
    ///
    /// @throws Invalid naming the field that is missing, wrong or unknown
    public Agent<?> fromUser(AgentType type, JsonNode input) {
        if (!(input instanceof ObjectNode object)) {
            throw new Invalid("the input of agent " + type.id() + " must be a JSON object");
        }
        ObjectNode fields = object.deepCopy();
        fields.remove("task");
        JsonNode variant = fields.remove("variant");
        List<AgentRow> all = rows.stream().filter(row -> row.type() == type).toList();
        return all.stream()
                .filter(row -> variant == null
                        ? row.main()
                        : row.variant().equals(Optional.of(variant.asText())))
                .findFirst()
                .<Agent<?>>map(row -> Json.readStrictly(fields, row.record()))
                .orElseThrow(() -> new Invalid("variant must be one of "
                        + Stream.concat(Stream.of("none"),
                                all.stream().flatMap(row -> row.variant().stream()))
                                .sorted()
                                .collect(Collectors.joining(", "))
                        + ", but is " + variant));
    }
}
