package io.mlestar.core.task;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.mlestar.core.base.Invalid;
import io.mlestar.core.base.Json;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// Settings of one run (REQ-DM-001, REQ-OR-044); the defaults are the paper's. A new one is a
/// component here, with its default beside it; without a default it is null.
///
/// @param referenceDiscussions texts that the final solution is compared with (Figure 28)
/// @param hardware kind of machine for the scripts: `cpu`, `gpu` or the name of another that the
///   cluster offers; `auto` is by the data
/// @param needsLibraries whether a run stops before its first call if its scripts have none of the
///   usual libraries; one of recorded answers goes on
/// @param dataCard whether a script surveys the data first, for the prompts
/// @param outsideKnowledge whether scripts may be given facts of the field that the data do not
///   hold; published labels of the data never
public record PipelineConfig(
        @JsonUnwrapped SearchSettings searchSettings,
        @JsonUnwrapped LimitSettings limits,
        @JsonUnwrapped ModelSettings models,
        @JsonUnwrapped ToolAccess tools,
        @JsonProperty(defaultValue = "[]") List<String> referenceDiscussions,
        @JsonProperty(defaultValue = "auto") String hardware,
        @JsonProperty(defaultValue = "true") boolean dataCard,
        @JsonProperty(defaultValue = "true") boolean needsLibraries,
        @JsonProperty(defaultValue = "true") Boolean outsideKnowledge) {

    /// The machine is chosen by the data.
    public static final String AUTO = "auto";
    private static final Pattern HARDWARE = Pattern.compile("[a-z0-9]([a-z0-9-]{0,28}[a-z0-9])?");
    /// Fields that the environment sets, by variable.
    private static final Map<String, String> VARIABLES =
            Map.of("MLE_STAR_MODEL", "model", "MLE_STAR_MAX_BUDGET", "max_budget_usd",
                    "MLE_STAR_TIME_LIMIT", "time_limit_seconds", "MLE_STAR_PERMISSION_MODE",
                    "permission_mode", "MLE_STAR_NEEDS_LIBRARIES", "needs_libraries");
    private static final Set<String> OF_A_PROCESS = Set.of("log_level", "log_file", "log_format");
    private static final PipelineConfig DEFAULTS = read(Json.object());

    public PipelineConfig {
        searchSettings.chosen();
        // Runs that began before there was this setting lack it.
        outsideKnowledge = outsideKnowledge == null || outsideKnowledge;
        referenceDiscussions = Invalid.list("reference_discussions", referenceDiscussions);
        Invalid.size("reference_discussions", referenceDiscussions.size(), 100);
        referenceDiscussions.forEach(
                text -> Invalid.text("reference_discussions", text, TaskDescription.LONGEST_TEXT));
        if (!HARDWARE.matcher(hardware).matches()) {
            throw new Invalid(
                    "hardware must be auto, cpu, gpu or another kind of machine, of at most 30 small letters, digits and inner hyphens, but is \""
                            + hardware + "\"");
        }
    }

    public Search search() {
        return searchSettings.chosen();
    }

    /// The search of a run whose phases are the paper's.
    ///
    /// @throws ClassCastException in another run
    public PaperSearch paper() {
        return (PaperSearch) search();
    }

    /// The search of a run whose phases are those of [StrongSearch].
    ///
    /// @throws ClassCastException in another run
    public StrongSearch strong() {
        return (StrongSearch) search();
    }

    /// The same on that kind of machine.
    public PipelineConfig on(String kind) {
        return new PipelineConfig(searchSettings, limits, models, tools, referenceDiscussions, kind,
                dataCard, needsLibraries, outsideKnowledge);
    }

    /// True if a run without libraries must stop, since its scripts would fail after models were
    /// paid to write them. Recorded answers cost nothing.
    public boolean stopsWithoutLibraries() {
        return needsLibraries && !models.used().stream().allMatch(ModelSettings::isRecorded);
    }

    public static PipelineConfig defaults() {
        return DEFAULTS;
    }

    /// Resolves a configuration: what was given explicitly beats the environment, which beats the
    /// defaults (REQ-OR-046).
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
                    throw new Invalid("environment variable " + variable + " is \"" + value + "\": "
                            + e.getMessage());
                }
            }
        });
        return read(resolved.setAll((ObjectNode) explicit));
    }

    /// @param given fields; those that are missing get the defaults that stand beside them, as do
    ///   those that are null where a null would be taken
    private static PipelineConfig read(ObjectNode given) {
        given.fieldNames().forEachRemaining(field -> {
            if (OF_A_PROCESS.contains(field)) {
                throw new Invalid(field
                        + " is a setting of the program, not of a run: the command line or the environment where it runs sets it");
            }
        });
        ObjectNode all = given.deepCopy();
        for (RecordComponent field : Json.fields(PipelineConfig.class)) {
            JsonProperty property = field.getAccessor().getAnnotation(JsonProperty.class);
            String name = Json.name(field);
            if (property != null
                    && (field.getType().isPrimitive() ? !all.has(name) : !all.hasNonNull(name))) {
                boolean isText = field.getType() == String.class || field.getType().isEnum();
                all.set(name,
                        isText
                                ? TextNode.valueOf(property.defaultValue())
                                : Json.parse(property.defaultValue()));
            }
        }
        return Json.readStrictly(all, PipelineConfig.class);
    }

    /// Seconds that one study of [StrongSearch] may take: it compares many scripts, and phase 1, of
    /// which it is a part, has a tenth of the time.
    public int studyTimeoutSeconds() {
        return Math.min(limits.solutionTimeoutSeconds(),
                Math.max(60, limits.timeLimitSeconds() / 40));
    }

    /// Seconds that one ablation study of [PaperSearch] may take (REQ-P2O-035).
    public int ablationTimeoutSeconds() {
        int studies = search() instanceof PaperSearch paper ? paper.outerLoopSteps() : 1;
        int share = limits.timeLimitSeconds() / (studies * 2);
        return Math.max(1, Math.min(limits.solutionTimeoutSeconds(), Math.min(share, 600)));
    }
}
