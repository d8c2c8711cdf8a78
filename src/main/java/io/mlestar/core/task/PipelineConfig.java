package io.mlestar.core.task;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import java.lang.reflect.RecordComponent;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Settings of one run (REQ-DM-001, REQ-OR-044); the defaults are the paper's. A new one is a component here, with its default beside it; without a
/// default it is null.
///
/// @param numRetrievedModels M, models that the retriever is asked for
/// @param outerLoopSteps T, code blocks refined per path
/// @param innerLoopSteps K, attempts per code block
/// @param numParallelSolutions L, refinement paths
/// @param ensembleRounds R, ensemble plans tried
/// @param timeLimitSeconds wall clock for the whole run
/// @param subsampleLimit most training samples while refining
/// @param maxDebugAttempts calls of the debugger per script
/// @param maxBudgetUsd most money to spend on models; null is unlimited
/// @param model `provider:name` of the model that all agents use unless `agents` says otherwise
/// @param permissionMode which tool uses need approval (REQ-OR-009): none, those that can change files, or all
/// @param logFile log lines are appended here too; null is none
/// @param logFormat `text`, or `json`: one object per line
/// @param phaseTimeBudget null is [PhaseTimeBudget#DEFAULT]
/// @param scriptTimeoutSeconds most time for one script; null leaves only the limits of run and phase
/// @param agents settings of single agents, by agent type
/// @param referenceDiscussions texts that the final solution is compared with (Figure 28)
/// @param prices by model, as `provider:name`; add to the built-in ones
/// @param blockedCommands patterns of shell commands that no tool runs; null is the built-in list (REQ-OR-033)
/// @param mcpServers servers whose tools agents get beside their own, by a name of the user's choice (REQ-OR-010)
/// @param finalSolution which script is finalized: the one with the best score, or the paper's, the best ensemble
/// @param attemptsAtOnce attempts of an inner loop that are carried out side by side; 1, the paper's, is one after the other
/// @param roundsAtOnce ensemble rounds side by side
/// @param maxSubmissionMb most MiB that a submission may have, at most 1024
/// @param hardware kind of machine for the scripts: `cpu`, `gpu` or the name of another that the cluster offers; `auto` is by the data
/// @param providerSearch whether a model's provider may search the web for an agent that may search
/// @param dataCard whether a script surveys the data first, for the prompts
public record PipelineConfig(
        @JsonProperty(defaultValue = "4") int numRetrievedModels,
        @JsonProperty(defaultValue = "4") int outerLoopSteps,
        @JsonProperty(defaultValue = "4") int innerLoopSteps,
        @JsonProperty(defaultValue = "2") int numParallelSolutions,
        @JsonProperty(defaultValue = "5") int ensembleRounds,
        @JsonProperty(defaultValue = "86400") int timeLimitSeconds,
        @JsonProperty(defaultValue = "30000") int subsampleLimit,
        @JsonProperty(defaultValue = "3") int maxDebugAttempts,
        @Nullable Double maxBudgetUsd,
        @JsonProperty(defaultValue = "sonnet") String model,
        @JsonProperty(defaultValue = "bypassPermissions") String permissionMode,
        @JsonProperty(defaultValue = "INFO") String logLevel,
        @Nullable String logFile,
        @JsonProperty(defaultValue = "text") String logFormat,
        @Nullable PhaseTimeBudget phaseTimeBudget,
        @Nullable Integer scriptTimeoutSeconds,
        @JsonProperty(defaultValue = "{}") Map<String, AgentSettings> agents,
        @JsonProperty(defaultValue = "[]") List<String> referenceDiscussions,
        @JsonProperty(defaultValue = "{}") Map<String, Price> prices,
        @Nullable List<String> blockedCommands,
        @JsonProperty(defaultValue = "{}") Map<String, McpServer> mcpServers,
        @JsonProperty(defaultValue = "best") FinalChoice finalSolution,
        @JsonProperty(defaultValue = "1") int attemptsAtOnce,
        @JsonProperty(defaultValue = "1") int roundsAtOnce,
        @JsonProperty(defaultValue = "256") int maxSubmissionMb,
        @JsonProperty(defaultValue = "auto") String hardware,
        @JsonProperty(defaultValue = "true") boolean providerSearch,
        @JsonProperty(defaultValue = "true") boolean dataCard) {

    /// Begins the names of models whose answers come from a folder.
    public static final String RECORDED = "recorded:";
    /// The machine is chosen by the data.
    public static final String AUTO = "auto";
    /// What people are given lies in one piece in memory once.
    private static final int MOST_SUBMISSION_MB = 1024;
    /// What a phase asks for side by side, and keeps in memory at once.
    private static final int MOST_AT_ONCE = 100;
    private static final int MOST_ROUNDS = 1_000;
    /// A year.
    private static final int LONGEST_SECONDS = 366 * 86_400;
    private static final int MOST_SAMPLES = 100_000_000;
    /// No budget is higher.
    public static final int MOST_USD = 1_000_000;
    private static final List<String> LOG_LEVELS = List.of("TRACE", "DEBUG", "INFO", "WARN", "WARNING", "ERROR");
    private static final List<String> LOG_FORMATS = List.of("text", "json");
    private static final Pattern HARDWARE = Pattern.compile("[a-z0-9]([a-z0-9-]{0,28}[a-z0-9])?");
    private static final List<String> PERMISSION_MODES = List.of("bypassPermissions", "acceptEdits", "custom", "ask");
    /// Fields that the environment sets, by variable.
    private static final Map<String, String> VARIABLES = Map.of("MLE_STAR_MODEL", "model", "MLE_STAR_LOG_LEVEL", "log_level",
            "MLE_STAR_LOG_FORMAT", "log_format", "MLE_STAR_MAX_BUDGET", "max_budget_usd", "MLE_STAR_TIME_LIMIT", "time_limit_seconds");
    /// Settings that were removed, and what takes their place.
    private static final Map<String, String> REMOVED = Map.of(
            "merges_at_once", "merges are made one after the other, as in the paper; attempts_at_once and rounds_at_once do more at once",
            "leakage_check", "every script is checked for leakage before it runs",
            "scripts_in_progress", "MLE_STAR_SCRIPTS_AT_ONCE limits the scripts of a machine, a quota or Kueue those of a cluster");
    private static final PipelineConfig DEFAULTS = read(Json.object());

    /// What one agent does differently.
    ///
    /// @param model null is the run's
    /// @param tools names of the tools in all its calls, in place of its own list; empty is no tools at all; null is its own list.
    ///     Which ones it may have, its definition says (REQ-OR-008).
    public record AgentSettings(@Nullable String model, @Nullable List<String> tools) {
        private AgentSettings checked(String field) {
            if (model != null) {
                Invalid.text(field + ".model", model, TaskDescription.LONGEST_PATH);
            }
            if (tools == null) {
                return this;
            }
            Invalid.size(field + ".tools", tools.size(), MOST_AT_ONCE);
            return new AgentSettings(model, Invalid.list(field + ".tools", tools));
        }
    }

    public PipelineConfig {
        Invalid.count("num_retrieved_models", numRetrievedModels, MOST_AT_ONCE);
        Invalid.count("outer_loop_steps", outerLoopSteps, MOST_ROUNDS);
        Invalid.count("inner_loop_steps", innerLoopSteps, MOST_ROUNDS);
        Invalid.count("num_parallel_solutions", numParallelSolutions, MOST_AT_ONCE);
        Invalid.count("ensemble_rounds", ensembleRounds, MOST_ROUNDS);
        Invalid.count("time_limit_seconds", timeLimitSeconds, LONGEST_SECONDS);
        Invalid.count("subsample_limit", subsampleLimit, MOST_SAMPLES);
        Invalid.count("max_debug_attempts", maxDebugAttempts, MOST_AT_ONCE);
        Invalid.count("attempts_at_once", attemptsAtOnce, MOST_AT_ONCE);
        Invalid.count("rounds_at_once", roundsAtOnce, MOST_AT_ONCE);
        if (maxBudgetUsd != null && !(maxBudgetUsd > 0 && maxBudgetUsd <= MOST_USD)) {
            throw new Invalid("max_budget_usd must be greater than 0 and at most " + MOST_USD + ", but is " + maxBudgetUsd);
        }
        if (scriptTimeoutSeconds != null) {
            Invalid.count("script_timeout_seconds", scriptTimeoutSeconds, LONGEST_SECONDS);
        }
        model = Invalid.text("model", model, TaskDescription.LONGEST_PATH);
        permissionMode = oneOf("permission_mode", permissionMode, PERMISSION_MODES);
        logLevel = oneOf("log_level", logLevel.toUpperCase(Locale.ROOT), LOG_LEVELS);
        logFormat = oneOf("log_format", logFormat.toLowerCase(Locale.ROOT), LOG_FORMATS);
        Map<String, AgentSettings> each = new TreeMap<>();
        agents.forEach((agent, settings) -> {
            if (AgentType.of(agent).isEmpty()) {
                throw new Invalid("agents." + agent + " is not the name of an agent" + AgentType.meant(agent));
            }
            each.put(agent, Invalid.required("agents." + agent, settings).checked("agents." + agent));
        });
        agents = Collections.unmodifiableMap(each);
        referenceDiscussions = Invalid.list("reference_discussions", referenceDiscussions);
        Invalid.size("reference_discussions", referenceDiscussions.size(), MOST_AT_ONCE);
        referenceDiscussions.forEach(text -> Invalid.text("reference_discussions", text, TaskDescription.LONGEST_TEXT));
        prices = Map.copyOf(prices);
        Invalid.size("prices", prices.size(), MOST_ROUNDS);
        if (blockedCommands != null) {
            Invalid.size("blocked_commands", blockedCommands.size(), MOST_ROUNDS);
            blockedCommands = Invalid.list("blocked_commands", blockedCommands);
            blockedCommands.forEach(pattern -> Invalid.text("blocked_commands", pattern, MOST_ROUNDS));
        }
        Map<String, McpServer> servers = new TreeMap<>();
        mcpServers.forEach((name, server) -> servers.put(name, Invalid.required("mcp_servers." + name, server).checked(name)));
        Invalid.size("mcp_servers", servers.size(), MOST_AT_ONCE);
        mcpServers = Collections.unmodifiableMap(servers);
        Invalid.count("max_submission_mb", maxSubmissionMb, MOST_SUBMISSION_MB);
        if (!HARDWARE.matcher(hardware).matches()) {
            throw new Invalid("hardware must be auto, cpu, gpu or another kind of machine, of at most 30 small letters, digits and inner hyphens, but is \""
                    + hardware + "\"");
        }
    }

    /// The same on that kind of machine.
    public PipelineConfig on(String kind) {
        return read(((ObjectNode) Json.tree(this)).put("hardware", kind));
    }

    public static PipelineConfig defaults() {
        return DEFAULTS;
    }

    /// Resolves a configuration: what was given explicitly beats the environment, which beats the defaults (REQ-OR-046).
    ///
    /// @param explicit fields that the user set, snake_case
    /// @param environment variables of the process
    /// @throws Invalid naming the field or the variable that is wrong
    public static PipelineConfig resolve(JsonNode explicit, Map<String, String> environment) {
        if (!explicit.isObject()) {
            throw new Invalid("the configuration must be a map of fields");
        }
        ObjectNode resolved = Json.object();
        VARIABLES.forEach((variable, field) -> {
            String value = environment.getOrDefault(variable, "").strip();
            if (!value.isEmpty() && !explicit.has(field)) {
                resolved.put(field, value);
                try {
                    read(Json.object().put(field, value));
                } catch (Invalid e) {
                    throw new Invalid("environment variable " + variable + " is \"" + value + "\": " + e.getMessage());
                }
            }
        });
        return read(resolved.setAll((ObjectNode) explicit));
    }

    private static String oneOf(String field, String value, List<String> known) {
        if (!known.contains(value)) {
            throw new Invalid(field + " must be one of " + known + ", but is \"" + value + "\"");
        }
        return value;
    }

    /// @param given fields; those that are missing get the defaults that stand beside them, as do those that are null where a null would be taken
    private static PipelineConfig read(ObjectNode given) {
        given.fieldNames().forEachRemaining(field -> {
            if (REMOVED.containsKey(field)) {
                throw new Invalid(field + " was removed; leave it out: " + REMOVED.get(field));
            }
        });
        ObjectNode all = given.deepCopy();
        for (RecordComponent field : PipelineConfig.class.getRecordComponents()) {
            JsonProperty property = field.getAccessor().getAnnotation(JsonProperty.class);
            String name = Json.name(field);
            if (property != null && (field.getType().isPrimitive() ? !all.has(name) : !all.hasNonNull(name))) {
                boolean isText = field.getType() == String.class || field.getType().isEnum();
                all.set(name, isText ? TextNode.valueOf(property.defaultValue()) : Json.parse(property.defaultValue()));
            }
        }
        return Json.readStrictly(all, PipelineConfig.class);
    }

    /// Sentence of the prompts that asks for subsampling (REQ-EX-017, REQ-EX-018).
    public String subsampleInstruction() {
        return String.format(Locale.ROOT, "If there are more than %1$d training samples, you must subsample to %1$d for a faster run.",
                subsampleLimit);
    }

    /// Seconds that one solution script may take, apart from the limits of run and phase (REQ-EX-046).
    public int solutionTimeoutSeconds() {
        return scriptTimeoutSeconds == null ? timeLimitSeconds : Math.min(scriptTimeoutSeconds, timeLimitSeconds);
    }

    /// Seconds that one ablation study may take (REQ-P2O-035).
    public int ablationTimeoutSeconds() {
        return Math.max(1, Math.min(solutionTimeoutSeconds(), Math.min(timeLimitSeconds / (outerLoopSteps * 2), 600)));
    }

    public PhaseTimeBudget timeBudget() {
        return phaseTimeBudget == null ? PhaseTimeBudget.DEFAULT : phaseTimeBudget;
    }

    /// Whether a model's answers come from a folder, and no provider is asked.
    ///
    /// @param model its full name
    public static boolean isRecorded(String model) {
        return model.startsWith(RECORDED);
    }

    /// The model that one agent asks.
    public String modelOf(AgentType agent) {
        AgentSettings settings = agents.get(agent.id());
        return settings == null || settings.model() == null ? model : settings.model();
    }

    /// What `agents` gives one agent in place of its own tools; empty leaves them.
    public Optional<List<String>> toolsOf(AgentType agent) {
        return Optional.ofNullable(agents.get(agent.id())).map(AgentSettings::tools);
    }
}
